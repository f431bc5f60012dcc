"""The boxes of a tree, and what is read of each: how it begins and ends, and what marks lie in it.

Boxes cost the runs of the tree; what is read of them costs the boxes that are seen.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal, TypeAlias

from sqlalchemy import Connection, bindparam, or_, select, tuple_

from liyuan.domain.entry import BRANCH_SUMMARY, MESSAGE, REVISION, SUMMARY, USER, ConversationId, Entry, EntryId
from liyuan.domain.lanes import Box, Growth, Part, boxes_of
from liyuan.store.branch import active_leaf, revisions_of
from liyuan.store.climb import is_above
from liyuan.store.codec import ENTRY_COLUMNS, entry_from
from liyuan.store.outline import load_cuts, load_runs
from liyuan.store.pruning import out_of_sight
from liyuan.store.saves import load_stood
from liyuan.store.stretches import stretches
from liyuan.store.tables import entries, tags
from liyuan.store.tree import load_entry

#: Within so many entries of an end of a box lies its first, or its last, message.
NEAR = 6
_place = (entries.c.id, entries.c.segment_id, entries.c.depth)
# One part at a time: several in one question would be answered by reading the whole tree.
_notes = select(*_place, entries.c.kind, entries.c.data).where(
    entries.c.segment_id == bindparam("run"),
    entries.c.depth.between(bindparam("first"), bindparam("last")),
    entries.c.kind.in_((SUMMARY, BRANCH_SUMMARY)),
)

MarkKind: TypeAlias = Literal["save", "tag", "summary", "note"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Mark:
    """Something that stands out at an entry. `text` is its name, or the beginning of what it says."""

    kind: MarkKind
    entry_id: EntryId
    run_id: int
    depth: int
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Told:
    """A box and what was read of it. `first` and `last` are messages, the same one where there is only one.

    `end` is the very last entry, to which one goes. `tellings` has one message a part.
    """

    box: Box
    first: Entry | None
    last: Entry | None
    end: Entry | None
    tellings: tuple[Entry, ...]
    marks: tuple[Mark, ...]


def load_boxes(connection: Connection, conversation_id: ConversationId, *, pruned: bool = False) -> tuple[Box, ...]:
    """Every box of a tree; what was deleted only on request. Raises NotFound."""
    leaf_id = active_leaf(connection, conversation_id)
    leaf = load_entry(connection, conversation_id, leaf_id) if leaf_id else None
    way = {one.segment_id: one.last for one in stretches(connection, leaf.place)} if leaf else {}
    runs = (Growth(run.id, run.first, run.last, run.above) for run in load_runs(connection, conversation_id))
    boxes = boxes_of(runs, way, load_cuts(connection, conversation_id))
    return boxes if pruned else tuple(box for box in boxes if not box.is_pruned)


def load_told(
    connection: Connection, boxes: Sequence[Box], marks: Mapping[int, Sequence[Mark]], leaf: Entry | None
) -> Iterator[Told]:
    """What is read of these boxes, in their order, as it is seen from `leaf`; `marks` are those that people made."""
    notes = load_notes(connection, boxes)
    read = _entries_at(connection, {place for box in boxes for place in _places(box)})
    read |= {(entry.place.segment_id, entry.depth): entry for entry in as_told(connection, read.values(), leaf)}
    for box in boxes:
        head = [read[place] for place in _head(box) if place in read]
        tail = [read[place] for place in _tail(box) if place in read]
        said = [entry for entry in (*head, *tail) if entry.kind == MESSAGE]
        yield Told(
            box=box,
            first=said[0] if said else None,
            last=max(said, key=lambda entry: entry.depth) if said else None,
            end=tail[0] if tail else None,
            tellings=tuple(read[place] for place in _places(box) if place in read) if box.kind == "tellings" else (),
            marks=tuple((*marks_in(box, marks), *marks_in(box, notes))),
        )


def as_told(connection: Connection, messages: Iterable[Entry], leaf: Entry | None) -> Iterator[Entry]:
    """Those of these entries that were revised, with the words they have now.

    On the way to the reader that is the revision in force there; elsewhere the newest one.
    """
    known = {entry.id: entry for entry in messages if entry.kind == MESSAGE}
    revised = select(*ENTRY_COLUMNS).where(entries.c.target_id.in_(known)).order_by(entries.c.seq)
    newest = {row.target_id: row for row in map(entry_from, connection.execute(revised).all())}
    in_force = revisions_of(connection, list(map(EntryId, filter(None, newest))), leaf) if leaf else {}
    for key, revision in newest.items():
        entry = known[EntryId(str(key))]
        told = in_force.get(entry.id) if leaf and is_above(connection, entry, leaf) else revision
        if told:
            yield replace(entry, text=told.text, status=told.status)


def marks_in(box: Box, marks: Mapping[int, Sequence[Mark]]) -> Iterator[Mark]:
    """The marks on the entries of a box, from the top down."""
    for part in box.parts:
        yield from (mark for mark in marks.get(part.run_id, ()) if part.first <= mark.depth <= part.last)


def load_marks(connection: Connection, conversation_id: ConversationId) -> dict[int, list[Mark]]:
    """The marks that people made, by run and from the top down: living saves and tags."""
    return _by_run((*_saves(connection, conversation_id), *_tags(connection, conversation_id)))


def load_notes(connection: Connection, boxes: Iterable[Box]) -> dict[int, list[Mark]]:
    """The summaries and the notes from other lines that lie in these boxes. Reads their entries only."""
    parts = [{"run": part.run_id, "first": part.first, "last": part.last} for box in boxes for part in box.parts]
    return _by_run(
        Mark(
            kind="note" if kind == BRANCH_SUMMARY else "summary",
            entry_id=key,
            run_id=run_id,
            depth=depth,
            text=str(data.get("text", "")),
        )
        for part in parts
        for key, run_id, depth, kind, data in connection.execute(_notes, part).all()
    )


def _by_run(marks: Iterable[Mark]) -> dict[int, list[Mark]]:
    found: dict[int, list[Mark]] = defaultdict(list)
    for mark in sorted(marks, key=lambda mark: mark.depth):
        found[mark.run_id].append(mark)
    return found


def _saves(connection: Connection, conversation_id: ConversationId) -> Iterator[Mark]:
    for key, one in load_stood(connection, conversation_id).items():
        if one.save.is_live:
            yield Mark(kind="save", entry_id=key, run_id=one.place[0], depth=one.place[1], text=one.save.name)


def _tags(connection: Connection, conversation_id: ConversationId) -> Iterator[Mark]:
    named = select(*_place, tags.c.name).join(tags, tags.c.entry_id == entries.c.id)
    for key, run_id, depth, name in connection.execute(named.where(tags.c.conversation_id == conversation_id)):
        yield Mark(kind="tag", entry_id=key, run_id=run_id, depth=depth, text=name)


def search_tree(
    connection: Connection, conversation_id: ConversationId, query: str, *, mine: bool = False, limit: int = 60
) -> list[Entry]:
    """The messages of all branches that hold these words, the latest first; with `mine` the reader's only.

    Words that a message was revised to are found at that message.
    """
    kinds = (MESSAGE, REVISION) if query else (MESSAGE,)
    wanted = select(*ENTRY_COLUMNS).where(entries.c.conversation_id == conversation_id, entries.c.kind.in_(kinds))
    if query:
        wanted = wanted.where(entries.c.text.icontains(query, autoescape=True))
    if mine:
        wanted = wanted.where(or_(entries.c.role == USER, entries.c.kind == REVISION))
    rows = connection.execute(wanted.order_by(entries.c.seq.desc()).limit(limit)).all()
    spoken = _spoken(connection, conversation_id, [entry_from(row) for row in rows])
    found = [entry for entry in spoken if entry.is_user or not mine]
    places = {entry.id: (entry.place.segment_id, entry.depth) for entry in found}
    hidden = out_of_sight(connection, conversation_id, places)
    return [entry for entry in found if entry.id not in hidden]


def _spoken(connection: Connection, conversation_id: ConversationId, found: Sequence[Entry]) -> list[Entry]:
    """Each message once: itself, or with the words of the first revision of it that was found."""
    named = select(*ENTRY_COLUMNS).where(
        entries.c.conversation_id == conversation_id,
        entries.c.kind == MESSAGE,
        entries.c.id.in_([entry.target_id for entry in found if entry.target_id]),
    )
    targets = {entry.id: entry for entry in map(entry_from, connection.execute(named).all())}
    spoken: dict[EntryId, Entry] = {}
    for entry in found:
        if entry.target_id is None:
            spoken.setdefault(entry.id, entry)
        elif target := targets.get(entry.target_id):
            spoken.setdefault(target.id, replace(target, text=entry.text, status=entry.status))
    return list(spoken.values())


def box_of(boxes: Iterable[Box], place: tuple[int, int]) -> int | None:
    """Which box, counted from 0, holds a place given as run and depth."""
    return next((at for at, box in enumerate(boxes) if box.holds(*place)), None)


def _places(box: Box) -> Iterator[tuple[int, int]]:
    if box.kind == "tellings":
        yield from ((part.run_id, part.first) for part in box.parts)
    else:
        yield from _head(box)
        yield from _tail(box)


def _head(box: Box) -> list[tuple[int, int]]:
    return _walk(box.parts, 1)


def _tail(box: Box) -> list[tuple[int, int]]:
    return _walk(box.parts[::-1], -1)


def _walk(parts: Sequence[Part], step: int) -> list[tuple[int, int]]:
    """The first places of a box, or from its end the last ones."""
    places: list[tuple[int, int]] = []
    for part in parts:
        depths = range(part.first, part.last + 1)[::step]
        places += [(part.run_id, depth) for depth in depths[: NEAR - len(places)]]
        if len(places) >= NEAR:
            break
    return places


def _entries_at(connection: Connection, places: set[tuple[int, int]]) -> dict[tuple[int, int], Entry]:
    if not places:
        return {}
    wanted = select(*ENTRY_COLUMNS).where(tuple_(entries.c.segment_id, entries.c.depth).in_(sorted(places)))
    found = [entry_from(row) for row in connection.execute(wanted).all()]
    return {(entry.place.segment_id, entry.depth): entry for entry in found}
