"""The journal of the leaf: every change of place, and where the reader was on each side of a parting. Append-only."""

from __future__ import annotations

from sqlalchemy import Connection, bindparam, delete, insert, select, text
from sqlalchemy.dialects import postgresql, sqlite

from liyuan.domain.entry import ConversationId, Entry, EntryId
from liyuan.domain.journal import GREETING, GROWTH, REDO, UNDO, Move, Possible, possible
from liyuan.store.climb import parting
from liyuan.store.codec import ENTRY_COLUMNS, entry_from
from liyuan.store.database import now
from liyuan.store.tables import entries, moves, tips

_place_of = select(*ENTRY_COLUMNS).where(entries.c.id == bindparam("entry"))
_tip_of = select(tips.c.leaf_id).where(tips.c.entry_id == bindparam("entry"))
_last_of = (
    select(entries.c.id).where(entries.c.segment_id == bindparam("segment")).order_by(entries.c.depth.desc()).limit(1)
)
_move = insert(moves)
# Said in plain, as the index says it: SQLite compares the words.
_is_jump = text("cause <> 'append'")
_causes = (
    select(moves.c.cause)
    .where(moves.c.conversation_id == bindparam("conversation"), _is_jump, moves.c.cause != GREETING)
    .order_by(moves.c.seq)
)
_last_cause = _causes.order_by(None).order_by(moves.c.seq.desc()).limit(1)
_forget = delete(tips).where(tips.c.entry_id == bindparam("entry"))
_noting = {
    name: (fresh := make(tips)).on_conflict_do_update(
        index_elements=[tips.c.entry_id], set_={"leaf_id": fresh.excluded.leaf_id}
    )
    for name, make in (("sqlite", sqlite.insert), ("postgresql", postgresql.insert))
}


def record(
    connection: Connection,
    conversation_id: ConversationId,
    from_id: EntryId | None,
    to: Entry | None,
    cause: str,
) -> None:
    """Writes a move that has just happened, and keeps the tips true. Called by the two writers of the leaf only."""
    to_id = to.id if to else None
    connection.execute(
        _move,
        {"conversation_id": conversation_id, "from_id": from_id, "to_id": to_id, "cause": cause, "at": now()},
    )
    if to is not None and to.parent_id == from_id and cause == GROWTH:
        return  # The story grew at its end: no branch was left or entered.
    left = _entry(connection, from_id) if from_id else None
    if left and to:
        parted = parting(connection, left, to)
        _note(connection, conversation_id, parted.left, left.id)
        _enter(connection, conversation_id, parted.right, to)


def _note(connection: Connection, conversation_id: ConversationId, entry_id: EntryId | None, leaf_id: EntryId) -> None:
    """Remembers, at the first entry of a side that is left, where the reader was on it."""
    if entry_id is None:
        return
    connection.execute(
        _noting[connection.dialect.name],
        {"entry_id": entry_id, "conversation_id": conversation_id, "leaf_id": leaf_id},
    )


def _enter(connection: Connection, conversation_id: ConversationId, entry_id: EntryId | None, to: Entry) -> None:
    """Takes up the notes on the way down to `to`: each moves to where its own way parts from this one.

    So there is a note at the first entry of every side that was ever visited and is not the way one goes, on the
    active path and, below a note, on the way to the leaf it names (the preferred paths of Sleator and Tarjan's trees).
    """
    while entry_id is not None:
        noted = connection.execute(_tip_of, {"entry": entry_id}).scalar_one_or_none()
        if noted is None:
            return
        connection.execute(_forget, {"entry": entry_id})
        there = _entry(connection, noted) if noted != to.id else None
        if there is None:
            return
        parted = parting(connection, there, to)
        _note(connection, conversation_id, parted.left, there.id)
        entry_id = parted.right


def tip_below(connection: Connection, entry: Entry, leaf: Entry | None) -> EntryId:
    """The leaf last visited at or below `entry`; where nobody ever was, the end of its line.

    Follows the notes left at each parting. From the present leaf, the first entry on the side where `entry` lies says
    where the reader was on that side; if `entry` is not on that path either, the next parting says more.
    """
    here = leaf
    while here is not None:
        parted = parting(connection, here, entry)
        if parted.right is None:
            return here.id
        noted: EntryId | None = connection.execute(_tip_of, {"entry": parted.right}).scalar_one_or_none()
        if noted and parted.right == entry.id:
            return noted
        here = _entry(connection, noted) if noted else None
    return _end_of_line(connection, entry)


def _entry(connection: Connection, entry_id: EntryId) -> Entry | None:
    row = connection.execute(_place_of, {"entry": entry_id}).first()
    return entry_from(row) if row else None


def _end_of_line(connection: Connection, entry: Entry) -> EntryId:
    found: EntryId = connection.execute(_last_of, {"segment": entry.place.segment_id}).scalar_one()
    return found


def load_moves(connection: Connection, conversation_id: ConversationId, *, growth: bool = True) -> list[Move]:
    """The journal, oldest first; without `growth` only the moves that were not the story growing at its end."""
    statement = (
        select(moves.c.from_id, moves.c.to_id, moves.c.cause, moves.c.at)
        .where(moves.c.conversation_id == conversation_id)
        .order_by(moves.c.seq)
    )
    if not growth:
        statement = statement.where(_is_jump)
    return [Move(*row) for row in connection.execute(statement)]


def load_possible(connection: Connection, conversation_id: ConversationId) -> Possible:
    """Whether undo and redo have anything to do. Most often the last move says it; after an undo all are read."""
    asked = {"conversation": conversation_id}
    last = connection.execute(_last_cause, asked).scalar_one_or_none()
    if last is None or last in (UNDO, REDO):
        return possible(connection.execute(_causes, asked).scalars()) if last else Possible(False, False)
    return Possible(undo=True, redo=False)
