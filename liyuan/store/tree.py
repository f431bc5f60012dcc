"""The conversation tree in SQL. `append` is the only door in, and the leaf guard is its lock."""

from __future__ import annotations

from dataclasses import fields, replace
from typing import Any

from sqlalchemy import Connection, Text, bindparam, delete, insert, select, update
from sqlalchemy.exc import IntegrityError

from liyuan.domain.entry import SAVE, ConversationId, Draft, Entry, EntryId, Place
from liyuan.domain.errors import Busy, Invalid, LeafMoved, NotFound
from liyuan.domain.tree import OUT, Jump, goes_on, opens_a_segment, place_below
from liyuan.store.codec import ENTRY_COLUMNS, entry_from, entry_row
from liyuan.store.database import now
from liyuan.store.journal import record
from liyuan.store.save_rows import book
from liyuan.store.tables import conversations, entries, memories, segments

_entry = select(*ENTRY_COLUMNS).where(entries.c.id == bindparam("entry"))
_entry_here = _entry.where(entries.c.conversation_id == bindparam("conversation"))
_jump_of = select(entries.c.jump_id, entries.c.jump_depth).where(entries.c.id == bindparam("entry"))
_taken = select(entries.c.seq).where(entries.c.segment_id == bindparam("segment"), entries.c.depth == bindparam("deep"))
_segment = select(segments.c.parent_segment_id, segments.c.fork_depth).where(segments.c.id == bindparam("segment"))
_write = insert(entries)
_open = insert(segments)
_run_on = (
    update(entries).where(entries.c.segment_id == bindparam("segment")).values(segment_id=bindparam("above")),
    update(memories).where(memories.c.segment_id == bindparam("segment")).values(segment_id=bindparam("above")),
    update(segments)
    .where(segments.c.parent_segment_id == bindparam("segment"))
    .values(parent_segment_id=bindparam("above")),
    delete(segments).where(segments.c.id == bindparam("segment")),
)
_guarded = (
    update(conversations)
    .where(
        conversations.c.id == bindparam("conversation"),
        conversations.c.leaf_id.is_not_distinct_from(bindparam("expected_leaf", type_=Text)),
        conversations.c.performance_id.is_not_distinct_from(bindparam("performance", type_=Text)),
        conversations.c.deleted_at.is_(None),
    )
    .values(leaf_id=bindparam("to"), updated_at=bindparam("at"))
)


def append(
    connection: Connection,
    conversation_id: ConversationId,
    draft: Draft,
    *,
    expected_leaf: EntryId | None,
    performance_id: str | None = None,
    cause: str = "append",
) -> Entry:
    """Writes one entry and moves the leaf to it, if the reader is still at `expected_leaf` and nobody else performs.

    `draft.parent_id` may be another entry than the leaf (a swipe, an edit): then a branch opens. All or nothing.
    `performance_id` is the performance this append ends or belongs to.

    Raises LeafMoved (tells `leaf_id`), Busy, NotFound, or Invalid when the parent is of another conversation.
    """
    move_leaf(connection, conversation_id, draft.id, expected_leaf=expected_leaf, performance_id=performance_id)
    parent = load_entry(connection, conversation_id, draft.parent_id) if draft.parent_id else None
    segment = _choose_segment(connection, conversation_id, parent, draft)
    place = place_below(parent.place if parent else None, draft, segment, _far(connection, parent))
    draft = _dated(draft)
    try:
        connection.execute(_write, entry_row(conversation_id, draft, place))
    except IntegrityError as error:
        raise Invalid(reason=f"an entry with the id {draft.id} is already there") from error
    entry = _placed(draft, place)
    if draft.kind == SAVE:
        book(connection, conversation_id, draft, parent.place.save_id if parent else None)
    record(connection, conversation_id, expected_leaf, entry, cause)
    return entry


def move_leaf(
    connection: Connection,
    conversation_id: ConversationId,
    to: EntryId | None,
    *,
    expected_leaf: EntryId | None,
    performance_id: str | None = None,
) -> None:
    """The guard itself: one conditional UPDATE. Only `append` and `moves.move` call it; they write the journal."""
    moved = connection.execute(
        _guarded,
        {
            "conversation": conversation_id,
            "expected_leaf": expected_leaf,
            "performance": performance_id,
            "to": to,
            "at": now(),
        },
    )
    if moved.rowcount != 1:
        raise refusal(connection, conversation_id, expected_leaf)


def refusal(connection: Connection, conversation_id: ConversationId, expected_leaf: EntryId | None) -> Exception:
    """Why the guard did not let a writer through. A moved leaf is told first: waiting would not mend it."""
    row = connection.execute(
        select(conversations.c.leaf_id, conversations.c.deleted_at).where(conversations.c.id == conversation_id)
    ).first()
    if row is None or row.deleted_at is not None:
        return NotFound(what="story", id=conversation_id)
    if row.leaf_id != expected_leaf:
        return LeafMoved(leaf_id=row.leaf_id, expected_leaf=expected_leaf)
    return Busy(leaf_id=row.leaf_id)


def load_entry(connection: Connection, conversation_id: ConversationId, entry_id: EntryId) -> Entry:
    """One entry as it was stored. Raises NotFound when it is not in this conversation."""
    row = connection.execute(_entry_here, {"entry": entry_id, "conversation": conversation_id}).first()
    if row is None:
        raise NotFound(what="entry", id=entry_id)
    return entry_from(row)


def _far(connection: Connection, parent: Entry | None) -> Jump:
    """Where the entry jumps to which the parent jumps to."""
    if parent is None or parent.place.jump_id is None:
        return OUT
    row = connection.execute(_jump_of, {"entry": parent.place.jump_id}).one()
    return row[0], row[1]


def _choose_segment(connection: Connection, conversation_id: ConversationId, parent: Entry | None, draft: Draft) -> int:
    if parent is None:
        return _open_segment(connection, conversation_id, None, -1)
    segment, depth = parent.place.segment_id, parent.depth
    if goes_on(draft):
        segment = _settle(connection, segment)
    if opens_a_segment(draft) or _is_taken(connection, segment, depth + 1):
        return _open_segment(connection, conversation_id, segment, depth)
    return segment


def _settle(connection: Connection, segment: int) -> int:
    """Lets a reply's own segment run on in the one it grew from, where that goes no further. Returns what remains."""
    while True:
        row = connection.execute(_segment, {"segment": segment}).one()
        above: int | None = row.parent_segment_id
        if above is None or _is_taken(connection, above, row.fork_depth + 1):
            return segment
        for statement in _run_on:
            connection.execute(statement, {"segment": segment, "above": above})
        segment = above


def _is_taken(connection: Connection, segment: int, depth: int) -> bool:
    return connection.execute(_taken, {"segment": segment, "deep": depth}).first() is not None


def _open_segment(
    connection: Connection, conversation_id: ConversationId, parent_segment: int | None, fork_depth: int
) -> int:
    made = connection.execute(
        _open,
        {"conversation_id": conversation_id, "parent_segment_id": parent_segment, "fork_depth": fork_depth},
    )
    key: Any = made.inserted_primary_key
    return int(key[0])


def _dated(draft: Draft) -> Draft:
    return draft if draft.created_at else replace(draft, created_at=now())


def _placed(draft: Draft, place: Place) -> Entry:
    return Entry(**{field.name: getattr(draft, field.name) for field in fields(draft)}, place=place)
