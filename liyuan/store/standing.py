"""Where a reader stands whose page shows some leaf. The ledger may have grown below it since: that is no conflict.

A page drawn at a reply stays valid when the scribe books that reply's turn: nothing the reader sees has changed. So
what background jobs wrote at the end is walked over, and the choice of another model; anything else is a leaf that
moved, and the guard says so.
"""

from __future__ import annotations

from sqlalchemy import Connection, exists, select

from liyuan.domain.entry import BRANCH_SUMMARY, SAVE, SETTING, STATE, SUMMARY, ConversationId, Entry, EntryId
from liyuan.domain.errors import LeafMoved
from liyuan.store.branch import active_leaf
from liyuan.store.codec import ENTRY_COLUMNS, entry_from
from liyuan.store.tables import entries, pruned
from liyuan.store.tree import load_entry

# Kinds that people write too, with the source that tells the jobs' own.
_BY_JOBS = frozenset({(STATE, "scribe"), (SAVE, "auto"), (BRANCH_SUMMARY, "auto")})


def standing(connection: Connection, conversation_id: ConversationId, shown_leaf: EntryId | None) -> EntryId | None:
    """The present leaf, if only background entries have come below `shown_leaf`; otherwise `shown_leaf` itself.

    Pass the answer on as `expected_leaf`. Raises NotFound for the story.
    """
    leaf = active_leaf(connection, conversation_id)
    key = leaf
    while key is not None and key != shown_leaf:
        entry = load_entry(connection, conversation_id, key)
        if not _is_background(entry):
            return shown_leaf
        key = entry.parent_id
    return leaf if key == shown_leaf else shown_leaf


def require_standing(
    connection: Connection, conversation_id: ConversationId, shown_leaf: EntryId | None
) -> EntryId | None:
    """As `standing`, but raises LeafMoved at once: for acts that look at the leaf before they come to the guard."""
    leaf = standing(connection, conversation_id, shown_leaf)
    present = active_leaf(connection, conversation_id)
    if leaf != present:
        raise LeafMoved(leaf_id=present, expected_leaf=leaf)
    return leaf


def anchors(connection: Connection, conversation_id: ConversationId, leaf: EntryId | None) -> list[EntryId]:
    """The leaf, and what is above it down from the last entry that is not a job's: where a run may have grown from."""
    found: list[EntryId] = []
    while leaf is not None:
        entry = load_entry(connection, conversation_id, leaf)
        found.append(entry.id)
        leaf = entry.parent_id if _is_background(entry) else None
    return found


def settled_at(connection: Connection, conversation_id: ConversationId, entry_id: EntryId) -> EntryId:
    """The last of what background jobs wrote directly below an entry, else the entry itself.

    To go there is to be at the entry with its turn booked, where nothing has to be booked again.
    """
    found = entry_id
    while True:
        below = select(*ENTRY_COLUMNS).where(
            entries.c.conversation_id == conversation_id,
            entries.c.parent_id == found,
            entries.c.kind.in_((STATE, SUMMARY)),
            ~exists().where(pruned.c.entry_id == entries.c.id),
        )
        written = filter(_is_background, map(entry_from, connection.execute(below.order_by(entries.c.seq.desc()))))
        latest = next(written, None)
        if latest is None:
            return found
        found = latest.id


def _is_background(entry: Entry) -> bool:
    if entry.kind in (SUMMARY, SETTING):
        return True
    return (entry.kind, entry.data.get("source")) in _BY_JOBS
