"""Deleting that takes nothing away: a side table names the subtrees that are out of sight. Always reversible."""

from __future__ import annotations

from collections.abc import Mapping

from sqlalchemy import Connection, bindparam, delete, insert, select

from liyuan.domain.entry import ConversationId, Entry, EntryId, Place
from liyuan.domain.errors import Invalid
from liyuan.store.database import now
from liyuan.store.stretches import lasts
from liyuan.store.tables import entries, pruned, segments
from liyuan.store.tree import load_entry, move_leaf

_cuts = (
    select(entries.c.id, entries.c.segment_id, entries.c.depth)
    .join(pruned, pruned.c.entry_id == entries.c.id)
    .where(pruned.c.conversation_id == bindparam("conversation"))
    .order_by(entries.c.depth)
)

_grown = select(segments.c.id, segments.c.parent_segment_id, segments.c.fork_depth).where(
    segments.c.conversation_id == bindparam("conversation")
)
_NEVER = 1 << 62


def cut_at(connection: Connection, conversation_id: ConversationId, place: Place) -> EntryId | None:
    """The topmost pruned entry at or above a place; None where the place is in sight."""
    rows = connection.execute(_cuts, {"conversation": conversation_id}).all()
    if not rows:
        return None
    last = lasts(connection, place)
    return next((row[0] for row in rows if row[2] <= last.get(row[1], -1)), None)


def out_of_sight(
    connection: Connection, conversation_id: ConversationId, places: Mapping[EntryId, tuple[int, int]]
) -> set[EntryId]:
    """Which of many entries, each given by its segment and depth, lie in deleted parts."""
    cuts: dict[int, int] = {}
    for row in connection.execute(_cuts, {"conversation": conversation_id}):
        cuts.setdefault(row[1], row[2])
    if not cuts:
        return set()
    grown = {row[0]: (row[1], row[2]) for row in connection.execute(_grown, {"conversation": conversation_id})}
    hidden: dict[int, int] = {}

    def first_hidden(segment: int) -> int:
        """The depth in a segment from which on all is hidden."""
        chain: list[int] = []
        at: int | None = segment
        while at is not None and at not in hidden:
            chain.append(at)
            at = grown[at][0]
        for key in reversed(chain):
            above, fork = grown[key]
            is_cut_off = above is not None and fork >= hidden[above]
            hidden[key] = 0 if is_cut_off else cuts.get(key, _NEVER)
        return hidden[segment]

    return {key for key, (segment, depth) in places.items() if depth >= first_hidden(segment)}


def in_sight(connection: Connection, conversation_id: ConversationId, entry_id: EntryId) -> EntryId:
    """The entry itself, or, where it lies in a deleted part, what that part grew from.

    Raises Invalid when the whole branch up to its root is deleted.
    """
    cut_id = cut_at(connection, conversation_id, load_entry(connection, conversation_id, entry_id).place)
    if cut_id is None:
        return entry_id
    above = load_entry(connection, conversation_id, cut_id).parent_id
    if above is None:
        raise Invalid("That part of the story has been deleted. Bring it back first, then go there.")
    return above


def require_in_sight(connection: Connection, conversation_id: ConversationId, entry: Entry) -> None:
    """Raises Invalid for an entry in a deleted part: nothing may grow where nobody can see it."""
    if cut_at(connection, conversation_id, entry.place) is not None:
        raise Invalid("That part of the story has been deleted. Bring it back first, then go there.")


def require_idle(connection: Connection, conversation_id: ConversationId, expected_leaf: EntryId | None) -> None:
    """Raises LeafMoved, Busy or NotFound unless the reader is at `expected_leaf` and nobody performs.

    For acts that may leave the leaf where it is; those that move it are guarded by `move_leaf` itself.
    """
    move_leaf(connection, conversation_id, expected_leaf, expected_leaf=expected_leaf)


def cut(connection: Connection, conversation_id: ConversationId, entry_id: EntryId, leaf_id: EntryId | None) -> None:
    """Puts the subtree of an entry out of sight. `leaf_id` is where the reader was, to go back to on restore."""
    connection.execute(
        insert(pruned).values(entry_id=entry_id, conversation_id=conversation_id, leaf_id=leaf_id, at=now())
    )


def uncut(connection: Connection, conversation_id: ConversationId, entry_id: EntryId) -> tuple[bool, EntryId | None]:
    """Brings a subtree back. Tells whether it had been out of sight, and where the reader was then."""
    here = (pruned.c.entry_id == entry_id) & (pruned.c.conversation_id == conversation_id)
    row = connection.execute(select(pruned.c.leaf_id).where(here)).first()
    if row is None:
        return False, None
    connection.execute(delete(pruned).where(here))
    return True, row.leaf_id


def load_pruned(connection: Connection, conversation_id: ConversationId) -> list[EntryId]:
    """Every pruned entry of a conversation, oldest first."""
    statement = select(pruned.c.entry_id).where(pruned.c.conversation_id == conversation_id)
    return list(connection.execute(statement.order_by(pruned.c.at, pruned.c.entry_id)).scalars())
