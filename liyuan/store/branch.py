"""Reading a branch: a page of it, the whole of it, and what a message looks like from a leaf. Nothing here writes.

Whatever is read starts at a leaf and walks parent links upwards, so a page costs its own length, however
long the story.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from operator import attrgetter
from typing import Any

from sqlalchemy import (
    JSON,
    ColumnElement,
    Connection,
    Integer,
    Select,
    bindparam,
    case,
    exists,
    func,
    literal,
    select,
    type_coerce,
)

from liyuan.domain.entry import MESSAGE, STATE, ConversationId, Entry, EntryId, Variants
from liyuan.domain.errors import NotFound
from liyuan.store.climb import is_above
from liyuan.store.codec import ENTRY_COLUMNS, entry_from
from liyuan.store.tables import conversations, entries, pruned
from liyuan.store.tree import load_entry

PAGE = 50


@dataclass(frozen=True, slots=True, kw_only=True)
class Shown:
    """An entry as it is seen from one leaf: `text` and `status` are those of the last revision on that path."""

    entry: Entry
    text: str
    status: str
    variants: Variants | None = None
    revision_id: EntryId | None = None

    @property
    def id(self) -> EntryId:
        return self.entry.id

    @property
    def revised(self) -> bool:
        return self.revision_id is not None


@dataclass(frozen=True, slots=True, kw_only=True)
class Page:
    """A run of a branch, root → leaf. `prev` is what to pass as `before` for the run above; None at the root."""

    leaf_id: EntryId | None
    items: tuple[Shown, ...]
    prev: EntryId | None


def _walk_up(columns: Sequence[ColumnElement[Any]]) -> Select[Any]:
    start = select(entries.c.seq, entries.c.parent_id, literal(1, Integer).label("n")).where(
        entries.c.id == bindparam("start")
    )
    walk = start.cte("walk", recursive=True)
    step = entries.alias("step")
    walk = walk.union_all(
        select(step.c.seq, step.c.parent_id, walk.c.n + 1)
        .select_from(walk.join(step, step.c.id == walk.c.parent_id))
        .where(walk.c.n < bindparam("most"))
    )
    return select(*columns).select_from(walk.join(entries, entries.c.seq == walk.c.seq))


_untold = case((entries.c.kind.in_([MESSAGE, STATE]), literal({}, JSON)), else_=entries.c.data)
_up = _walk_up(ENTRY_COLUMNS)
_up_told = _walk_up([type_coerce(_untold, JSON) if column is entries.c.data else column for column in ENTRY_COLUMNS])
_revisions = (
    select(*ENTRY_COLUMNS)
    .where(entries.c.target_id.in_(bindparam("targets", expanding=True)))
    .order_by(entries.c.depth.desc())
)
_siblings_where = (
    select(entries.c.id, entries.c.parent_id, entries.c.role)
    .where(
        entries.c.conversation_id == bindparam("conversation"),
        entries.c.kind == MESSAGE,
        ~exists().where(pruned.c.entry_id == entries.c.id),
    )
    .order_by(entries.c.seq)
)
_below = _siblings_where.where(entries.c.parent_id.in_(bindparam("parents", expanding=True)))
_roots = _siblings_where.where(entries.c.parent_id.is_(None))
_children = select(func.count()).where(
    entries.c.conversation_id == bindparam("conversation"), entries.c.parent_id == bindparam("parent")
)
_leaf = select(conversations.c.leaf_id).where(
    conversations.c.id == bindparam("conversation"), conversations.c.deleted_at.is_(None)
)
_WHOLE = 1 << 30


def load_path(connection: Connection, leaf: EntryId | None, *, most: int = _WHOLE) -> list[Entry]:
    """The entries from the root to `leaf`, or only the last `most` of them."""
    if leaf is None:
        return []
    return _walked(connection, _up, leaf, most)


def load_told(connection: Connection, leaf: EntryId, *, most: int) -> list[Entry]:
    """The last `most` entries of a path as a model is told them: the data of messages and snapshots is left unread.

    A snapshot's data is a whole world, and a long prompt passes over hundreds of them.
    """
    return _walked(connection, _up_told, leaf, most)


def _walked(connection: Connection, up: Select[Any], leaf: EntryId, most: int) -> list[Entry]:
    """Sorted here: for a few hundred rows that come in the opposite order, SQLite would build a tree."""
    run = [entry_from(row) for row in connection.execute(up, {"start": leaf, "most": most}).all()]
    return sorted(run[::-1], key=attrgetter("depth"))


def load_page(
    connection: Connection,
    conversation_id: ConversationId,
    leaf: EntryId | None = None,
    *,
    limit: int = PAGE,
    before: EntryId | None = None,
) -> Page:
    """The last `limit` entries of a branch, or the `limit` entries above `before`. Without `leaf`, the active branch.

    Raises NotFound for entries of other conversations.
    """
    leaf = leaf or active_leaf(connection, conversation_id)
    if leaf is None:
        return Page(leaf_id=None, items=(), prev=None)
    end = load_entry(connection, conversation_id, leaf)
    start = load_entry(connection, conversation_id, before).parent_id if before else leaf
    run = load_path(connection, start, most=limit)
    prev = run[0].id if run and run[0].parent_id else None
    return Page(leaf_id=leaf, items=tuple(shown(connection, conversation_id, run, end)), prev=prev)


def shown(connection: Connection, conversation_id: ConversationId, run: Sequence[Entry], leaf: Entry) -> list[Shown]:
    """The entries of a run as they are seen from `leaf`: revised, and with their variants."""
    targets = [entry.id for entry in run if entry.kind == MESSAGE]
    revisions = revisions_in(run) if run and run[-1].id == leaf.id else revisions_of(connection, targets, leaf)
    variants = load_variants(connection, conversation_id, [entry for entry in run if entry.kind == MESSAGE])
    return [_shown(entry, revisions.get(entry.id), variants.get(entry.id)) for entry in run]


def _shown(entry: Entry, revision: Entry | None, variants: Variants | None) -> Shown:
    source = revision or entry
    return Shown(
        entry=entry,
        text=source.text or "",
        status=source.status,
        variants=variants,
        revision_id=revision.id if revision else None,
    )


def load_shown(
    connection: Connection, conversation_id: ConversationId, entry_id: EntryId, leaf: EntryId | None = None
) -> Shown:
    """One entry as it is seen from `leaf`, by default from the active one (which may lie on another branch)."""
    entry = load_entry(connection, conversation_id, entry_id)
    leaf = leaf or active_leaf(connection, conversation_id)
    end = load_entry(connection, conversation_id, leaf) if leaf else entry
    return shown(connection, conversation_id, [entry], end)[0]


def revisions_in(run: Iterable[Entry]) -> dict[EntryId, Entry]:
    """The last revision in a run of each message that has one. Where the run ends at the leaf there are no others."""
    return {target: entry for entry in run if (target := entry.target_id)}


def revisions_of(connection: Connection, targets: Sequence[EntryId], leaf: Entry) -> dict[EntryId, Entry]:
    """The revision in force for each target on the path of `leaf`: the deepest one. Others are left out.

    Targets are ids of one conversation, the leaf's. Not said in the query: of two indexes SQLite takes the longer one.
    """
    if not targets:
        return {}
    found: dict[EntryId, Entry] = {}
    for revision in map(entry_from, connection.execute(_revisions, {"targets": targets})):
        target = revision.target_id
        if target and target not in found and is_above(connection, revision, leaf):
            found[target] = revision
    return found


def load_variants(
    connection: Connection, conversation_id: ConversationId, messages: Iterable[Entry]
) -> dict[EntryId, Variants]:
    """The living siblings of each message: same parent, same kind, same role, in the order they were made."""
    messages = list(messages)
    siblings: dict[tuple[EntryId | None, str | None], list[EntryId]] = defaultdict(list)
    for key, parent_id, role in _siblings(connection, conversation_id, {entry.parent_id for entry in messages}):
        siblings[parent_id, role].append(key)
    return {
        entry.id: Variants(index=ids.index(entry.id), ids=tuple(ids))
        for entry in messages
        if entry.id in (ids := siblings[entry.parent_id, entry.role])
    }


def _siblings(
    connection: Connection, conversation_id: ConversationId, parents: set[EntryId | None]
) -> Iterator[tuple[EntryId, EntryId | None, str | None]]:
    """Two queries, since SQLite reads a whole conversation where one asks for some parents or none."""
    below = [parent for parent in parents if parent]
    if below:
        for row in connection.execute(_below, {"conversation": conversation_id, "parents": below}).all():
            yield row[0], row[1], row[2]
    if None in parents:
        for row in connection.execute(_roots, {"conversation": conversation_id}):
            yield row[0], row[1], row[2]


def count_children(connection: Connection, conversation_id: ConversationId, entry_id: EntryId) -> int:
    """How many entries grow from one, deleted ones too."""
    return connection.execute(_children, {"conversation": conversation_id, "parent": entry_id}).scalar_one()


def active_leaf(connection: Connection, conversation_id: ConversationId) -> EntryId | None:
    """Where the reader is. Raises NotFound for a story that is not there."""
    row = connection.execute(_leaf, {"conversation": conversation_id}).first()
    if row is None:
        raise NotFound(what="story", id=conversation_id)
    leaf: EntryId | None = row.leaf_id
    return leaf
