"""A whole conversation in the order it was made, a batch at a time. What is added meanwhile is left for the next time.

Each batch is a short read of its own: entries and moves are only ever appended, so those that were there at the
beginning are the same whenever they are read.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from sqlalchemy import Connection, Table, select

from liyuan.domain.conversation_file import Cut, Visit
from liyuan.domain.entry import ConversationId, Entry, EntryId
from liyuan.domain.margin import DeletedSave, LineName, Margin, Restated, Tag, names_of_saves
from liyuan.domain.saves import Save, save_of
from liyuan.store.codec import ENTRY_COLUMNS, entry_from
from liyuan.store.conversations import Conversation, load_conversation
from liyuan.store.library import CardRow, PersonaRow, load_card, load_persona
from liyuan.store.saves import load_forest, load_worldline_names
from liyuan.store.tables import entries, moves, pruned, saves
from liyuan.store.tags import load_tags


@dataclass(frozen=True, slots=True, kw_only=True)
class Harvest:
    """What a conversation holds at this moment: its entries and moves by number only, the rest as it is."""

    conversation: Conversation
    card: CardRow | None
    persona: PersonaRow | None
    cuts: tuple[Cut, ...]
    margin: Margin
    entry_numbers: tuple[int, ...]
    move_numbers: tuple[int, ...]


def begin_harvest(connection: Connection, conversation_id: ConversationId) -> Harvest:
    """Raises NotFound for a conversation that is not there, or was deleted."""
    conversation = load_conversation(connection, conversation_id)
    return Harvest(
        conversation=conversation,
        card=load_card(connection, conversation.card_id, deleted=True) if conversation.card_id else None,
        persona=load_persona(connection, conversation.persona_id, deleted=True) if conversation.persona_id else None,
        cuts=tuple(_load_cuts(connection, conversation_id)),
        margin=load_margin(connection, conversation_id),
        entry_numbers=_numbers(connection, entries, conversation_id),
        move_numbers=_numbers(connection, moves, conversation_id),
    )


def load_margin(connection: Connection, conversation_id: ConversationId) -> Margin:
    """Tags by name, worldlines by id, then what was changed about saves, in the order they were made."""
    made = _load_saves(connection, conversation_id)
    called: dict[EntryId, str] = {}
    for name, key in names_of_saves(made.values()).items():
        called.setdefault(key, name)
    forest = load_forest(connection, conversation_id)
    changed = (save for key, save in forest.items() if key in made and _is_changed(save, made[key]))
    return Margin(
        tags=tuple(
            Tag(name=name, entry_id=key) for name, key in sorted(load_tags(connection, conversation_id).items())
        ),
        worldlines=tuple(
            LineName(id=key, name=name)
            for key, name in sorted(load_worldline_names(connection, conversation_id).items())
            if name
        ),
        saves=tuple(
            Restated(entry_id=save.id, save_id=called[save.id], name=save.name, worldline_id=save.worldline_id)
            for save in changed
        ),
        deleted=tuple(
            DeletedSave(entry_id=save.id, save_id=called[save.id]) for save in forest.values() if not save.is_live
        ),
    )


def _load_saves(connection: Connection, conversation_id: ConversationId) -> dict[EntryId, Entry]:
    statement = select(*ENTRY_COLUMNS).join(saves, saves.c.entry_id == entries.c.id)
    rows = connection.execute(statement.where(saves.c.conversation_id == conversation_id).order_by(entries.c.seq))
    return {entry.id: entry for entry in map(entry_from, rows)}


def _is_changed(save: Save, made: Entry) -> bool:
    then = save_of(made, save.above_id)
    return (save.name, save.worldline_id) != (then.name, then.worldline_id)


def load_entries(connection: Connection, numbers: Iterable[int]) -> list[Entry]:
    """The entries with these numbers, as they are stored."""
    rows = connection.execute(select(*ENTRY_COLUMNS).where(entries.c.seq.in_(list(numbers))).order_by(entries.c.seq))
    return [entry_from(row) for row in rows]


def load_visits(connection: Connection, numbers: Iterable[int]) -> list[Visit]:
    """The moves with these numbers, as lines of the journal."""
    rows = connection.execute(
        select(moves.c.to_id, moves.c.cause, moves.c.at).where(moves.c.seq.in_(list(numbers))).order_by(moves.c.seq)
    )
    return [Visit(entry_id=row.to_id, cause=row.cause, at=row.at) for row in rows]


def load_last_texts(
    connection: Connection, conversation_id: ConversationId, ids: Iterable[EntryId]
) -> dict[EntryId, Entry]:
    """For each message the last thing it was made to say on any branch: its newest revision, else itself."""
    wanted = list(ids)
    said: dict[EntryId, Entry] = {}
    # Two queries, each by its own index: joined by OR they would read the whole conversation.
    for named in (entries.c.id, entries.c.target_id):
        rows = connection.execute(
            select(*ENTRY_COLUMNS)
            .where(entries.c.conversation_id == conversation_id, named.in_(wanted))
            .order_by(entries.c.seq)
        )
        said |= {entry.target_id or entry.id: entry for entry in map(entry_from, rows)}
    return said


def _load_cuts(connection: Connection, conversation_id: ConversationId) -> Iterable[Cut]:
    rows = connection.execute(
        select(pruned.c.entry_id, pruned.c.leaf_id, pruned.c.at)
        .join(entries, entries.c.id == pruned.c.entry_id)
        .where(pruned.c.conversation_id == conversation_id)
        .order_by(pruned.c.at, entries.c.seq)
    )
    return [Cut(entry_id=row.entry_id, leaf_id=row.leaf_id, at=row.at) for row in rows]


def _numbers(connection: Connection, table: Table, conversation_id: ConversationId) -> tuple[int, ...]:
    """Read from an index alone, and sorted here, so that a batch is found by its numbers without a sort in SQL."""
    statement = select(table.c.seq).where(table.c.conversation_id == conversation_id)
    return tuple(sorted(connection.execute(statement).scalars()))
