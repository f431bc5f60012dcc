"""Where was I: reads what a recap of a branch is made of. Costs the end of the path, however long the story."""

from __future__ import annotations

from dataclasses import dataclass

from sqlalchemy import Connection

from liyuan.domain.card_world import card_world
from liyuan.domain.entry import ConversationId, Entry, EntryId
from liyuan.domain.history import Line, replay
from liyuan.domain.placeholders import Cast as Names
from liyuan.domain.recap import Recap, recap
from liyuan.play.context import root_of
from liyuan.store.branch import active_leaf, load_path
from liyuan.store.cast import load_cast
from liyuan.store.saves import load_saves_above
from liyuan.store.tree import load_entry
from liyuan.store.worlds import load_world

# Entries of the end of the path that are read.
END = 60


@dataclass(frozen=True, slots=True, kw_only=True)
class Recalled:
    """A recap of the branch of a leaf, and when it was last added to (ISO 8601, UTC; empty for an empty story)."""

    leaf_id: EntryId | None
    recap: Recap
    last_at: str


def load_recap(connection: Connection, conversation_id: ConversationId, leaf_id: EntryId | None = None) -> Recalled:
    """The recap of a leaf, by default of the active one. Raises NotFound."""
    leaf_id = leaf_id or active_leaf(connection, conversation_id)
    leaf = load_entry(connection, conversation_id, leaf_id) if leaf_id else None
    cast = load_cast(connection, conversation_id, leaf)
    tail = load_path(connection, leaf.id, most=END) if leaf else []
    declared = card_world(cast.card.extensions)
    made = recap(
        replay(_with_summary(connection, conversation_id, tail, leaf)),
        load_world(connection, conversation_id, leaf, cast.card).snapshot.state,
        beginning=_beginning(connection, conversation_id, leaf),
        stations=[save.name for save in load_saves_above(connection, leaf)],
        cast=Names(char=cast.card.char, user=cast.persona.name),
        fields=declared.fields,
        language=cast.card.language,
        turn=leaf.place.turn if leaf else 0,
    )
    return Recalled(leaf_id=leaf_id, recap=made, last_at=leaf.created_at if leaf else "")


def _with_summary(
    connection: Connection, conversation_id: ConversationId, tail: list[Entry], leaf: Entry | None
) -> list[Entry]:
    """The tail, headed by the summary in force where that was written above it."""
    key = leaf.place.summary_id if leaf else None
    if key is None or any(entry.id == key for entry in tail):
        return tail
    return [load_entry(connection, conversation_id, key), *tail]


def _beginning(connection: Connection, conversation_id: ConversationId, leaf: Entry | None) -> tuple[Line, ...]:
    if leaf is None:
        return ()
    return replay([load_entry(connection, conversation_id, root_of(connection, conversation_id, leaf.id))]).lines
