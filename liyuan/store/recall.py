"""What a path may recall: the numbers of the memories on it, told by its stretches, without what was revised away.

Computed at every question and kept nowhere, so a branch that one leaves or comes back to needs no switching.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, Row, Text, bindparam, cast, func, literal_column, select

from liyuan.domain.entry import ConversationId, EntryId, Place
from liyuan.domain.recall import Memory
from liyuan.store.memories import load_memories, story_shelf
from liyuan.store.pruning import in_sight
from liyuan.store.stretches import BRANCH, lasts, up_from
from liyuan.store.tables import entries, memories
from liyuan.store.tree import load_entry
from liyuan.store.words import search_path


@dataclass(frozen=True, slots=True, kw_only=True)
class Field:
    """Where one question may look. `embedded` are the numbers (as text) of memories that have a vector, `worded` those
    found by their words, best first, `pinned` those that always come. `is_cut` says that more have a vector."""

    embedded: Sequence[str] = ()
    is_cut: bool = False
    worded: Sequence[int] = ()
    pinned: Sequence[int] = ()

    @property
    def is_empty(self) -> bool:
        return not (self.has_meanings or self.worded or self.pinned)

    @property
    def has_meanings(self) -> bool:
        """Whether there is a vector to look at. Of a cut field all that are named may be hidden, and others not."""
        return self.is_cut or bool(self.embedded)


@dataclass(frozen=True, slots=True)
class Wording:
    """How messages were revised on a path. `replaced` entries are not to be recalled: their words are not those in
    force. `in_force` names, for each revised message, the revision that is."""

    replaced: frozenset[EntryId] = frozenset()
    in_force: tuple[tuple[EntryId, EntryId], ...] = ()

    def entries_of(self, messages: Collection[EntryId]) -> frozenset[EntryId]:
        """The entries that hold what these messages say on this path."""
        return frozenset(messages) | {revision for message, revision in self.in_force if message in messages}


_on_path = (memories.c.segment_id == BRANCH.c.id) & (memories.c.depth <= BRANCH.c.last)
_with_vector = (
    select(memories.c.seq)
    .select_from(BRANCH.join(memories, _on_path))
    .where(memories.c.vector_of == bindparam("model"))
)
_few = _with_vector.limit(bindparam("few")).subquery()
_every = _with_vector.subquery()


def _joined(dialect: str, numbers: Any) -> Any:
    """One row, the numbers joined by the database: a row a memory takes twice as long, and sorting three times."""
    if dialect == "sqlite":
        return select(func.group_concat(numbers.c.seq))
    return select(func.string_agg(cast(numbers.c.seq, Text), literal_column("','")))


_embedded = {
    (dialect, is_cut): _joined(dialect, _few if is_cut else _every)
    for dialect in ("sqlite", "postgresql")
    for is_cut in (True, False)
}
_places = select(memories.c.seq, memories.c.entry_id, memories.c.segment_id, memories.c.depth).where(
    memories.c.seq.in_(bindparam("seqs", expanding=True)),
    memories.c.vector_of == bindparam("model"),
    memories.c.mark != literal_column("'hidden'"),
)
_in_words = memories.c.entry_id.not_in(bindparam("gone", expanding=True))
_latest = (
    select(memories.c.seq)
    .select_from(BRANCH.join(memories, _on_path))
    .where(_in_words)
    .order_by(memories.c.depth.desc(), memories.c.part.desc())
    .limit(bindparam("most"))
)
_counted = select(func.count()).select_from(BRANCH.join(memories, _on_path)).where(_in_words)
_marked = (
    select(memories.c.seq, memories.c.mark, memories.c.entry_id, memories.c.segment_id, memories.c.depth)
    .where(memories.c.shelf == bindparam("shelf"), memories.c.mark != literal_column("''"))
    .order_by(memories.c.seq)
)
_revisions = (
    select(entries.c.id, entries.c.target_id, entries.c.segment_id, entries.c.depth)
    .where(entries.c.conversation_id == bindparam("conversation"), entries.c.target_id.is_not(None))
    .order_by(entries.c.depth)
)
_of_entries = select(memories.c.seq).where(memories.c.entry_id.in_(bindparam("ids", expanding=True)))


def load_field(
    connection: Connection,
    conversation_id: ConversationId,
    leaf_id: EntryId,
    *,
    model: str | None,
    asked: Sequence[str],
    told: Collection[EntryId] = (),
    most: int,
    few: int | None = None,
) -> Field:
    """Where a question from `leaf_id` may look: its path, but not hidden memories, replaced words, or `told` messages.

    Of a path with more than `few` memories that have a vector, no more than these are named. A leaf in a deleted part
    sees what that part grew from. Raises NotFound.
    """
    leaf, gone = _unsaid(connection, conversation_id, leaf_id, told)
    marked = _load_marked(connection, conversation_id, leaf)
    hidden = {row.seq for row in marked if row.mark == "hidden"} | _numbers(connection, gone)
    embedded = load_embedded(connection, leaf, model, few=few) if model else []
    return Field(
        embedded=_without(embedded, hidden),
        is_cut=few is not None and len(embedded) > few,
        worded=search_path(connection, leaf, asked, gone=gone, most=most),
        pinned=[row.seq for row in marked if row.mark == "pinned" and row.entry_id not in gone],
    )


def load_seen(
    connection: Connection,
    conversation_id: ConversationId,
    leaf_id: EntryId,
    seqs: Collection[int],
    *,
    model: str,
    told: Collection[EntryId] = (),
) -> set[int]:
    """Those of some memories that a question from `leaf_id` may see by their vector, as `load_field` has it."""
    leaf, gone = _unsaid(connection, conversation_id, leaf_id, told)
    last = lasts(connection, leaf)
    rows = connection.execute(_places, {"seqs": list(seqs), "model": model})
    return {row.seq for row in rows if row.depth <= last.get(row.segment_id, -1) and row.entry_id not in gone}


def _unsaid(
    connection: Connection, conversation_id: ConversationId, leaf_id: EntryId, told: Collection[EntryId]
) -> tuple[Place, frozenset[EntryId]]:
    """Where a question stands, and the entries whose words it must not find: replaced ones, and those told anyway."""
    leaf = load_entry(connection, conversation_id, in_sight(connection, conversation_id, leaf_id)).place
    wording = load_wording(connection, conversation_id, leaf)
    return leaf, wording.replaced | wording.entries_of(told)


def load_embedded(connection: Connection, leaf: Place, model: str, *, few: int | None = None) -> list[str]:
    """The numbers, as text, of the memories on a path that have a vector of this model; with `few`, of one more."""
    values = {**up_from(leaf), "model": model, **({} if few is None else {"few": few + 1})}
    statement = _embedded[connection.dialect.name, few is not None]
    joined: str | None = connection.execute(statement, values).scalar_one()
    return joined.split(",") if joined else []


def load_latest(
    connection: Connection, conversation_id: ConversationId, leaf_id: EntryId, *, most: int
) -> list[Memory]:
    """The latest memories on a path as it is worded there, hidden ones too. Raises NotFound."""
    leaf, gone = _seen_from(connection, conversation_id, leaf_id)
    seqs = list(connection.execute(_latest, {**up_from(leaf), "gone": list(gone), "most": most}).scalars())
    found = load_memories(connection, seqs)
    return [found[seq] for seq in seqs]


def count_path(connection: Connection, conversation_id: ConversationId, leaf_id: EntryId) -> int:
    """How many memories a path holds as it is worded there. Raises NotFound."""
    leaf, gone = _seen_from(connection, conversation_id, leaf_id)
    return connection.execute(_counted, {**up_from(leaf), "gone": list(gone)}).scalar_one()


def _seen_from(
    connection: Connection, conversation_id: ConversationId, leaf_id: EntryId
) -> tuple[Place, frozenset[EntryId]]:
    leaf = load_entry(connection, conversation_id, in_sight(connection, conversation_id, leaf_id)).place
    return leaf, load_wording(connection, conversation_id, leaf).replaced


def load_wording(connection: Connection, conversation_id: ConversationId, leaf: Place) -> Wording:
    """What was revised on a path, and by what: the deepest revision of a message is in force."""
    rows = connection.execute(_revisions, {"conversation": conversation_id}).all()
    if not rows:
        return Wording()
    last = lasts(connection, leaf)
    in_force: dict[EntryId, EntryId] = {}
    replaced: set[EntryId] = set()
    for row in rows:
        if row.depth <= last.get(row.segment_id, -1):
            replaced.add(in_force.get(row.target_id, row.target_id))
            in_force[row.target_id] = row.id
    return Wording(frozenset(replaced), tuple(in_force.items()))


def _load_marked(
    connection: Connection, conversation_id: ConversationId, leaf: Place
) -> Sequence[Row[*tuple[Any, ...]]]:
    """The pinned and hidden memories on a path."""
    rows = connection.execute(_marked, {"shelf": story_shelf(conversation_id)}).all()
    if not rows:
        return rows
    last = lasts(connection, leaf)
    return [row for row in rows if row.depth <= last.get(row.segment_id, -1)]


def _numbers(connection: Connection, gone: Collection[EntryId]) -> set[int]:
    return set(connection.execute(_of_entries, {"ids": list(gone)}).scalars()) if gone else set()


def _without(numbers: list[str], hidden: Collection[int]) -> list[str]:
    gone = set(map(str, hidden))
    return [number for number in numbers if number not in gone] if gone else numbers
