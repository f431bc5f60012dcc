"""Saves in SQL: planning one without reading the others, making it, and changing what is said about it.

Planning climbs from save to save and looks for one living save below; it costs the saves passed, never the story.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from sqlalchemy import Connection, Select, bindparam, func, literal, select, update

from liyuan.domain.card import Language
from liyuan.domain.entry import SAVE, ConversationId, Draft, Entry, EntryId
from liyuan.domain.errors import Invalid, NotFound
from liyuan.domain.saves import (
    NAME_LIMIT,
    Forest,
    Plan,
    Save,
    Source,
    comes_back,
    line_name,
    plan,
    save_data,
    shortened,
)
from liyuan.store.database import new_id, now
from liyuan.store.save_rows import add_worldlines
from liyuan.store.tables import conversations, entries, saves, worldlines
from liyuan.store.tree import append, load_entry

NO_NAME = "A save needs a name. Write one, or leave the old one."
NO_LINE_NAME = "A worldline needs a name. Write one, or leave the old one."
NAME_TAKEN = "There is a worldline of that name already. Choose another name."
NOT_DELETED = "This save was not deleted."
IS_DELETED = "This save has been deleted. Bring it back first."


@dataclass(frozen=True, slots=True, kw_only=True)
class Saved:
    """A save that was just made or brought back, what it became, and the name of the line it is on."""

    save: Save
    plan: Plan
    worldline_name: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Stood:
    """A save and where its entry stands: `place` is its segment and its depth."""

    save: Save
    place: tuple[int, int]
    turn: int
    created_at: str


_COLUMNS = (
    saves.c.entry_id,
    saves.c.above_id,
    saves.c.worldline_id,
    saves.c.name,
    saves.c.source,
    saves.c.deleted_at,
)


def _climb() -> Select[Any]:
    """The nearest living save at or above `nearest`; the climb goes on only past deleted ones."""
    start = select(saves.c.entry_id, saves.c.above_id, saves.c.deleted_at).where(
        saves.c.entry_id == bindparam("nearest")
    )
    up = start.cte("up", recursive=True)
    above = saves.alias("above")
    up = up.union_all(
        select(above.c.entry_id, above.c.above_id, above.c.deleted_at)
        .select_from(up.join(above, above.c.entry_id == up.c.above_id))
        .where(up.c.deleted_at.is_not(None))
    )
    return (
        select(*_COLUMNS)
        .select_from(up.join(saves, saves.c.entry_id == up.c.entry_id))
        .where(up.c.deleted_at.is_(None))
        .limit(1)
    )


def _descend() -> Select[Any]:
    """One living save below `prev`, if there is one."""
    start = select(saves.c.entry_id, saves.c.deleted_at).where(saves.c.above_id == bindparam("prev"))
    down = start.cte("down", recursive=True)
    below = saves.alias("below")
    down = down.union_all(
        select(below.c.entry_id, below.c.deleted_at).select_from(down.join(below, below.c.above_id == down.c.entry_id))
    )
    return select(literal(1)).select_from(down).where(down.c.deleted_at.is_(None)).limit(1)


def _climb_all() -> Select[Any]:
    """Every living save at or above `nearest`, from the top."""
    start = select(saves.c.entry_id, saves.c.above_id).where(saves.c.entry_id == bindparam("nearest"))
    up = start.cte("up", recursive=True)
    above = saves.alias("above")
    up = up.union_all(
        select(above.c.entry_id, above.c.above_id).select_from(up.join(above, above.c.entry_id == up.c.above_id))
    )
    return (
        select(*_COLUMNS)
        .select_from(up.join(saves, saves.c.entry_id == up.c.entry_id).join(entries, entries.c.id == saves.c.entry_id))
        .where(saves.c.deleted_at.is_(None))
        .order_by(entries.c.depth)
    )


_nearest_live = _climb()
_all_above = _climb_all()
_one_below = _descend()
# Asked first: SQLite puts every child into the queue of a recursive query before it gives out one.
_one_child = select(literal(1)).where(saves.c.above_id == bindparam("prev"), saves.c.deleted_at.is_(None)).limit(1)
_forest = (
    select(*_COLUMNS)
    .join(entries, entries.c.id == saves.c.entry_id)
    .where(saves.c.conversation_id == bindparam("conversation"))
    .order_by(entries.c.seq)
)
_stood = (
    select(*_COLUMNS, entries.c.segment_id, entries.c.depth, entries.c.turn, entries.c.created_at)
    .join(entries, entries.c.id == saves.c.entry_id)
    .where(saves.c.conversation_id == bindparam("conversation"))
    .order_by(entries.c.seq)
)
_one = select(*_COLUMNS).where(
    saves.c.entry_id == bindparam("save"), saves.c.conversation_id == bindparam("conversation")
)


def load_plan(connection: Connection, leaf: Entry | None) -> Plan:
    """What a save made at this leaf would become."""
    prev = load_save_above(connection, leaf)
    return plan(prev, played_otherwise=prev is not None and _lives_below(connection, prev.id))


def _lives_below(connection: Connection, save_id: EntryId) -> bool:
    found = (connection.execute(query, {"prev": save_id}).first() for query in (_one_child, _one_below))
    return any(row is not None for row in found)


def load_save_above(connection: Connection, leaf: Entry | None) -> Save | None:
    """The nearest living save at or above a leaf."""
    if leaf is None or leaf.place.save_id is None:
        return None
    row = connection.execute(_nearest_live, {"nearest": leaf.place.save_id}).first()
    return _save(row) if row else None


def load_saves_above(connection: Connection, leaf: Entry | None) -> list[Save]:
    """The living saves on the path of a leaf, from the top."""
    if leaf is None or leaf.place.save_id is None:
        return []
    return [_save(row) for row in connection.execute(_all_above, {"nearest": leaf.place.save_id})]


def make_save(
    connection: Connection,
    conversation_id: ConversationId,
    name: str,
    *,
    expected_leaf: EntryId | None,
    language: Language,
    source: Source = "user",
    save_id: EntryId | None = None,
) -> Saved:
    """Plans a save at the leaf and appends it under the leaf guard, in the caller's transaction.

    Raises LeafMoved, Busy, NotFound, or Invalid without a name or where there is no story yet.
    """
    name = _sound(name, NO_NAME)
    _one_at_a_time(connection, conversation_id)
    if expected_leaf is None:
        raise Invalid("There is nothing to save yet.")
    made = load_plan(connection, load_entry(connection, conversation_id, expected_leaf))
    line_id, line = _line_of(connection, conversation_id, made, language)
    key = save_id or EntryId(new_id())
    data = save_data(save_id=key, name=name, worldline_id=line_id, worldline_name=line, made=made, source=source)
    draft = Draft(id=key, parent_id=expected_leaf, kind=SAVE, data=data)
    append(connection, conversation_id, draft, expected_leaf=expected_leaf)
    return Saved(save=load_save(connection, conversation_id, key), plan=made, worldline_name=line)


def _line_of(
    connection: Connection, conversation_id: ConversationId, made: Plan, language: Language
) -> tuple[str, str]:
    """The id and the name of the worldline that a plan leads to; for a new one, names that are not there yet."""
    names = load_worldline_names(connection, conversation_id)
    if made.kind == "sameLine" and made.prev:
        return made.prev.worldline_id, names.get(made.prev.worldline_id, "")
    return new_id(), line_name(made, set(names.values()), language)


def load_save(connection: Connection, conversation_id: ConversationId, save_id: EntryId) -> Save:
    """One save, deleted or not. Raises NotFound."""
    row = connection.execute(_one, {"save": save_id, "conversation": conversation_id}).first()
    if row is None:
        raise NotFound(what="save", id=save_id)
    return _save(row)


def load_forest(connection: Connection, conversation_id: ConversationId) -> Forest:
    """Every save of a story, deleted ones too, in the order they were made."""
    rows = connection.execute(_forest, {"conversation": conversation_id}).all()
    return {save.id: save for save in map(_save, rows)}


def load_stood(connection: Connection, conversation_id: ConversationId) -> dict[EntryId, Stood]:
    """Every save of a story with where it stands, deleted ones too, in the order they were made."""
    rows = connection.execute(_stood, {"conversation": conversation_id})
    return {
        row.entry_id: Stood(
            save=_save(row), place=(row.segment_id, row.depth), turn=row.turn, created_at=row.created_at
        )
        for row in rows
    }


def load_worldline_names(connection: Connection, conversation_id: ConversationId) -> dict[str, str]:
    """The names of all worldlines by id, also of those whose saves are all deleted."""
    statement = select(worldlines.c.id, worldlines.c.name).where(worldlines.c.conversation_id == conversation_id)
    return {row[0]: row[1] for row in connection.execute(statement.order_by(worldlines.c.id))}


def rename_save(connection: Connection, conversation_id: ConversationId, save_id: EntryId, name: str) -> Save:
    """Raises NotFound, or Invalid without a name."""
    _one_at_a_time(connection, conversation_id)
    _change(connection, conversation_id, save_id, name=_sound(name, NO_NAME))
    return load_save(connection, conversation_id, save_id)


def rename_worldline(connection: Connection, conversation_id: ConversationId, worldline_id: str, name: str) -> str:
    """Answers the name as it is kept. Raises NotFound, or Invalid without a name or for one that is taken."""
    name = _sound(name, NO_LINE_NAME)
    _one_at_a_time(connection, conversation_id)
    names = load_worldline_names(connection, conversation_id)
    if name in (taken for key, taken in names.items() if key != worldline_id):
        raise Invalid(NAME_TAKEN)
    changed = connection.execute(
        update(worldlines)
        .where(worldlines.c.conversation_id == conversation_id, worldlines.c.id == worldline_id)
        .values(name=name)
    )
    if changed.rowcount != 1:
        raise NotFound(what="worldline", id=worldline_id)
    return name


def delete_save(connection: Connection, conversation_id: ConversationId, save_id: EntryId) -> Save:
    """Takes a save off its line; the entry stays where it is. One that is deleted already stays so. Raises NotFound."""
    _one_at_a_time(connection, conversation_id)
    save = load_save(connection, conversation_id, save_id)
    if save.is_live:
        _change(connection, conversation_id, save_id, deleted_at=now())
    return load_save(connection, conversation_id, save_id)


def undelete_save(
    connection: Connection, conversation_id: ConversationId, save_id: EntryId, *, language: Language
) -> tuple[Save, Plan | None]:
    """Brings a save back: to its line, or, where that has gone elsewhere, by the plan that is answered.

    Raises NotFound, or Invalid for one that was not deleted.
    """
    _one_at_a_time(connection, conversation_id)
    save = load_save(connection, conversation_id, save_id)
    if save.is_live:
        raise Invalid(NOT_DELETED)
    made = comes_back(load_forest(connection, conversation_id), save)
    line_id = save.worldline_id
    if made is not None:
        line_id, line = _line_of(connection, conversation_id, made, language)
        add_worldlines(connection, conversation_id, [(line_id, line)])
    _change(connection, conversation_id, save_id, deleted_at=None, worldline_id=line_id)
    return replace(save, deleted_at=None, worldline_id=line_id), made


def trim_autosaves(connection: Connection, conversation_id: ConversationId, keep: int) -> list[EntryId]:
    """Deletes the oldest living autosaves beyond `keep`; they can be brought back. Answers which."""
    statement = (
        select(saves.c.entry_id)
        .join(entries, entries.c.id == saves.c.entry_id)
        .where(saves.c.conversation_id == conversation_id, saves.c.source == "auto", saves.c.deleted_at.is_(None))
        .order_by(entries.c.seq.desc())
        .offset(keep)
    )
    gone = list(connection.execute(statement).scalars())
    for key in gone:
        _change(connection, conversation_id, key, deleted_at=now())
    return gone


def load_last_save(connection: Connection, conversation_id: ConversationId, source: Source) -> Save | None:
    """The living save of this source that was made last, on any branch."""
    statement = (
        select(*_COLUMNS)
        .join(entries, entries.c.id == saves.c.entry_id)
        .where(saves.c.conversation_id == conversation_id, saves.c.source == source, saves.c.deleted_at.is_(None))
        .order_by(entries.c.seq.desc())
        .limit(1)
    )
    row = connection.execute(statement).first()
    return _save(row) if row else None


def count_saves(connection: Connection, conversation_id: ConversationId) -> int:
    """How many living saves a story has."""
    statement = select(func.count()).where(saves.c.conversation_id == conversation_id, saves.c.deleted_at.is_(None))
    return connection.execute(statement).scalar_one()


def _one_at_a_time(connection: Connection, conversation_id: ConversationId) -> None:
    """Lets nobody else plan, delete or bring back in this story meanwhile (SQLite has one writer anyway).

    Two that each plan on what the other does not show yet would put saves that part on one line.
    """
    locked = select(conversations.c.id).where(
        conversations.c.id == conversation_id, conversations.c.deleted_at.is_(None)
    )
    if connection.execute(locked.with_for_update()).first() is None:
        raise NotFound(what="story", id=conversation_id)


def _change(connection: Connection, conversation_id: ConversationId, save_id: EntryId, **values: Any) -> None:
    changed = connection.execute(
        update(saves).where(saves.c.entry_id == save_id, saves.c.conversation_id == conversation_id).values(**values)
    )
    if changed.rowcount != 1:
        raise NotFound(what="save", id=save_id)


def _sound(name: str, refusal: str) -> str:
    """A name on one line, cut to its limit."""
    name = shortened(name, NAME_LIMIT)
    if not name:
        raise Invalid(refusal)
    return name


def _save(row: Any) -> Save:
    """The save in a row that begins with _COLUMNS."""
    return Save(id=row[0], above_id=row[1], worldline_id=row[2], name=row[3], source=row[4], deleted_at=row[5])
