"""Proves the tree: derives everything anew from parent links and compares it with what is stored. Changes nothing."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, fields
from itertools import pairwise

from sqlalchemy import Connection, select

from liyuan.domain.entry import SAVE, ConversationId, Entry, EntryId, Place
from liyuan.domain.saves import strays
from liyuan.domain.tips import tips_of
from liyuan.domain.tree import Node, derive, in_order
from liyuan.store.codec import ENTRY_COLUMNS, entry_from
from liyuan.store.journal import load_moves
from liyuan.store.pruning import load_pruned
from liyuan.store.saves import load_forest, load_worldline_names
from liyuan.store.tables import conversations, entries, segments, tips
from liyuan.store.tags import load_tags


@dataclass(frozen=True, slots=True)
class Fault:
    """One thing that is not as the parent links say. `entry_id` is None where the fault is the conversation's."""

    conversation_id: ConversationId
    entry_id: EntryId | None
    what: str


_POINTERS = [field.name for field in fields(Place) if field.name != "segment_id"]


def verify(connection: Connection, conversation_id: ConversationId | None = None) -> Iterator[Fault]:
    """Every fault of one conversation, or of all of them, deleted ones too. Takes time and memory in their length."""
    chosen = select(conversations.c.id, conversations.c.leaf_id)
    if conversation_id:
        chosen = chosen.where(conversations.c.id == conversation_id)
    for row in connection.execute(chosen).all():
        for entry_id, what in _faults(connection, row.id, row.leaf_id):
            yield Fault(row.id, entry_id, what)


def _faults(
    connection: Connection, conversation_id: ConversationId, leaf_id: EntryId | None
) -> Iterator[tuple[EntryId | None, str]]:
    statement = select(*ENTRY_COLUMNS).where(entries.c.conversation_id == conversation_id).order_by(entries.c.seq)
    stored = {entry.id: entry for entry in map(entry_from, connection.execute(statement))}
    lost = [entry for entry in stored.values() if entry.parent_id and entry.parent_id not in stored]
    for entry in lost:
        yield entry.id, f"its parent {entry.parent_id} is not in this conversation"
    if lost:
        return
    derived = derive(Node(entry.id, entry.parent_id, entry.kind, entry.role) for entry in stored.values())
    yield from ((key, "it hangs in a circle") for key in stored.keys() - derived.keys())
    yield from _pointer_faults(stored, derived)
    yield from _segment_faults(connection, conversation_id, stored)
    yield from _journal_faults(connection, conversation_id, leaf_id, stored)
    yield from _side_faults(connection, conversation_id, stored)
    yield from _save_faults(connection, conversation_id, stored)


def _pointer_faults(
    stored: dict[EntryId, Entry], derived: dict[EntryId, Place]
) -> Iterator[tuple[EntryId | None, str]]:
    for key, place in derived.items():
        for name in _POINTERS:
            kept, true = getattr(stored[key].place, name), getattr(place, name)
            if kept != true:
                yield key, f"{name} is {kept!r} and should be {true!r}"


def _segment_faults(
    connection: Connection, conversation_id: ConversationId, stored: dict[EntryId, Entry]
) -> Iterator[tuple[EntryId | None, str]]:
    """A segment is a run of parents and children without a gap, and knows where it grew from."""
    rows = connection.execute(select(segments).where(segments.c.conversation_id == conversation_id))
    grown = {row.id: (row.parent_segment_id, row.fork_depth) for row in rows}
    begun: set[int] = set()
    for entry in sorted(stored.values(), key=lambda entry: entry.depth):
        segment = entry.place.segment_id
        parent = stored[entry.parent_id].place if entry.parent_id else None
        if segment in begun:
            if parent is None or parent.segment_id != segment:
                yield entry.id, f"segment {segment} has a gap above it"
            continue
        begun.add(segment)
        expected = (parent.segment_id, parent.depth) if parent else (None, -1)
        if grown.get(segment) != expected:
            yield entry.id, f"segment {segment} grew from {expected}, but says {grown.get(segment)}"
    for empty in grown.keys() - begun:
        yield None, f"segment {empty} is empty"


def _journal_faults(
    connection: Connection,
    conversation_id: ConversationId,
    leaf_id: EntryId | None,
    stored: dict[EntryId, Entry],
) -> Iterator[tuple[EntryId | None, str]]:
    if leaf_id is not None and leaf_id not in stored:
        yield leaf_id, "the leaf is not in this conversation"
    journal = load_moves(connection, conversation_id)
    if journal and journal[-1].to_id != leaf_id:
        yield leaf_id, f"the journal ends at {journal[-1].to_id}"
    for earlier, later in pairwise(journal):
        if earlier.to_id != later.from_id:
            yield later.to_id, f"the journal jumps from {earlier.to_id} to {later.from_id}"


def _side_faults(
    connection: Connection, conversation_id: ConversationId, stored: dict[EntryId, Entry]
) -> Iterator[tuple[EntryId | None, str]]:
    for cut in load_pruned(connection, conversation_id):
        if cut not in stored:
            yield cut, "it is deleted but was never there"
    nodes = in_order(Node(entry.id, entry.parent_id, entry.kind, entry.role) for entry in stored.values())
    true = tips_of(nodes, load_moves(connection, conversation_id))
    rows = connection.execute(select(tips.c.entry_id, tips.c.leaf_id).where(tips.c.conversation_id == conversation_id))
    kept = {row.entry_id: row.leaf_id for row in rows}
    for key in kept.keys() | true.keys():
        if kept.get(key) != true.get(key):
            yield key, f"its tip is {kept.get(key)!r} and should be {true.get(key)!r}"


def _save_faults(
    connection: Connection, conversation_id: ConversationId, stored: dict[EntryId, Entry]
) -> Iterator[tuple[EntryId | None, str]]:
    """Each save has its row, which knows what is above; the saves of a line lie on one path; tags name entries."""
    forest = load_forest(connection, conversation_id)
    made = {key: entry for key, entry in stored.items() if entry.kind == SAVE}
    for key in made.keys() ^ forest.keys():
        yield key, "a save is not listed" if key in made else "it is listed as a save but is none"
    for key in made.keys() & forest.keys():
        parent = made[key].parent_id
        above = stored[parent].place.save_id if parent else None
        if forest[key].above_id != above:
            yield key, f"the save above it is {forest[key].above_id!r} and should be {above!r}"
    lines = load_worldline_names(connection, conversation_id)
    yield from ((save.id, "its worldline is not there") for save in forest.values() if save.worldline_id not in lines)
    yield from ((save.id, "it lies beside its worldline") for save in strays(forest))
    for name, key in load_tags(connection, conversation_id).items():
        if key not in stored:
            yield key, f"the tag {name!r} names it but it was never there"
