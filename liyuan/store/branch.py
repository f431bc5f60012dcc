"""Reading a branch: a page of it, the whole of it, and what a message looks like from a leaf. Nothing here writes.

Whatever is read starts at a leaf and walks parent links upwards, so a page costs its own length, however
long the story.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, Integer, Select, bindparam, exists, func, literal, select

from liyuan.domain.entry import MESSAGE, ConversationId, Entry, EntryId, Place, Variants
from liyuan.domain.errors import NotFound
from liyuan.store.codec import ENTRY_COLUMNS, entry_from
from liyuan.store.stretches import is_above
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


def _walk_up() -> Select[Any]:
    start = select(entries.c.id, entries.c.parent_id, literal(1, Integer).label("n")).where(
        entries.c.id == bindparam("start")
    )
    walk = start.cte("walk", recursive=True)
    step = entries.alias("step")
    walk = walk.union_all(
        select(step.c.id, step.c.parent_id, walk.c.n + 1)
        .select_from(walk.join(step, step.c.id == walk.c.parent_id))
        .where(walk.c.n < bindparam("most"))
    )
    return select(*ENTRY_COLUMNS).select_from(walk.join(entries, entries.c.id == walk.c.id)).order_by(walk.c.n.desc())


_up = _walk_up()
_leaf = select(conversations.c.leaf_id).where(
    conversations.c.id == bindparam("conversation"), conversations.c.deleted_at.is_(None)
)
_WHOLE = 1 << 30


def load_path(connection: Connection, leaf: EntryId | None, *, most: int = _WHOLE) -> list[Entry]:
    """The entries from the root to `leaf`, or only the last `most` of them."""
    if leaf is None:
        return []
    return [entry_from(row) for row in connection.execute(_up, {"start": leaf, "most": most})]


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
    """The entries of a run as they are seen from `leaf`: revised, and with their variants. Three queries in all."""
    revisions = revisions_of(
        connection, conversation_id, [entry.id for entry in run if entry.kind == MESSAGE], leaf.place
    )
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


def revisions_of(
    connection: Connection, conversation_id: ConversationId, targets: Sequence[EntryId], leaf: Place
) -> dict[EntryId, Entry]:
    """The revision in force for each target on the path of `leaf`: the deepest one. Others are left out."""
    if not targets:
        return {}
    rows = connection.execute(
        select(*ENTRY_COLUMNS)
        .where(entries.c.target_id.in_(targets), entries.c.conversation_id == conversation_id)
        .order_by(entries.c.depth.desc())
    )
    found: dict[EntryId, Entry] = {}
    for revision in map(entry_from, rows):
        target = revision.target_id
        if target and target not in found and is_above(connection, revision.place, leaf):
            found[target] = revision
    return found


def load_variants(
    connection: Connection, conversation_id: ConversationId, messages: Iterable[Entry]
) -> dict[EntryId, Variants]:
    """The living siblings of each message: same parent, same kind, same role, in the order they were made."""
    messages = list(messages)
    parents = {entry.parent_id for entry in messages}
    siblings: dict[tuple[EntryId | None, str | None], list[EntryId]] = defaultdict(list)
    for row in connection.execute(_siblings(conversation_id, parents)):
        siblings[row.parent_id, row.role].append(row.id)
    return {
        entry.id: Variants(index=ids.index(entry.id), ids=tuple(ids))
        for entry in messages
        if entry.id in (ids := siblings[entry.parent_id, entry.role])
    }


def _siblings(conversation_id: ConversationId, parents: set[EntryId | None]) -> Select[Any]:
    below = entries.c.parent_id.in_([parent for parent in parents if parent])
    among = below | entries.c.parent_id.is_(None) if None in parents else below
    return (
        select(entries.c.id, entries.c.parent_id, entries.c.role)
        .where(
            entries.c.conversation_id == conversation_id,
            among,
            entries.c.kind == MESSAGE,
            ~exists().where(pruned.c.entry_id == entries.c.id),
        )
        .order_by(entries.c.seq)
    )


def count_children(connection: Connection, conversation_id: ConversationId, entry_id: EntryId) -> int:
    """How many entries grow from one, deleted ones too."""
    statement = select(func.count()).where(
        entries.c.conversation_id == conversation_id, entries.c.parent_id == entry_id
    )
    return connection.execute(statement).scalar_one()


def active_leaf(connection: Connection, conversation_id: ConversationId) -> EntryId | None:
    """Where the reader is. Raises NotFound for a story that is not there."""
    row = connection.execute(_leaf, {"conversation": conversation_id}).first()
    if row is None:
        raise NotFound(what="story", id=conversation_id)
    leaf: EntryId | None = row.leaf_id
    return leaf
