"""Walking segments instead of entries: is one entry above another, and where do two paths part. Costs forks, not depth.

A query that climbs keeps its stop condition on its own side of the join; on the inner table SQLite 3.40 would build a
Bloom filter over every segment first (numbers.md, "Found on the way", b).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, bindparam, literal, select
from sqlalchemy.sql import Select

from liyuan.domain.entry import EntryId, Place
from liyuan.store.tables import entries, segments

# How many stretches are read at first; most paths part close to the leaf.
NEAR = 16


@dataclass(frozen=True, slots=True)
class Stretch:
    """A segment from its first entry (`first`, a depth) down to `last`, the depth up to which this path follows it."""

    segment_id: int
    first: int
    last: int

    def holds(self, place: Place) -> bool:
        return place.segment_id == self.segment_id and place.depth <= self.last


def _climb() -> Select[*tuple[Any, ...]]:
    """(segment_id, fork_depth, last, parent) from a place up to the root or to `stop`, a depth; nearest first."""
    start = select(
        segments.c.id,
        segments.c.fork_depth.label("fork"),
        bindparam("last_depth", type_=segments.c.fork_depth.type).label("last"),
        segments.c.parent_segment_id.label("parent"),
    ).where(segments.c.id == bindparam("from_segment"))
    up = start.cte("up", recursive=True)
    above = segments.alias("above")
    up = up.union_all(
        select(above.c.id, above.c.fork_depth, up.c.fork, above.c.parent_segment_id)
        .select_from(up.join(above, above.c.id == up.c.parent))
        .where(up.c.fork >= bindparam("stop"))
    )
    return select(up.c.id, up.c.fork, up.c.last, up.c.parent)


_up = _climb()
_up_some = _up.limit(bindparam("some"))
_at = select(entries.c.id).where(entries.c.segment_id == bindparam("segment"), entries.c.depth == bindparam("deep"))


def stretches(connection: Connection, leaf: Place, *, some: int | None = None) -> list[Stretch]:
    """The branch of a leaf as stretches, nearest first; only the first `some` of them if told."""
    values = {"from_segment": leaf.segment_id, "last_depth": leaf.depth, "stop": 0}
    statement = _up if some is None else _up_some
    rows = connection.execute(statement, values if some is None else {**values, "some": some})
    return [Stretch(segment_id=row[0], first=row[1] + 1, last=row[2]) for row in rows]


def is_above(connection: Connection, place: Place, leaf: Place) -> bool:
    """Whether `place` is on the path of `leaf` (an entry is above itself). One query; steps as forks between."""
    if place.depth > leaf.depth:
        return False
    found = _up.subquery()
    statement = select(literal(1)).select_from(found).where(found.c.id == place.segment_id, found.c.last >= place.depth)
    values = {"from_segment": leaf.segment_id, "last_depth": leaf.depth, "stop": place.depth}
    return connection.execute(statement, values).first() is not None


def entry_at(connection: Connection, branch: list[Stretch], depth: int) -> EntryId | None:
    """The id of the entry at `depth` on a branch given as stretches; None where the list does not reach."""
    for stretch in branch:
        if stretch.first <= depth <= stretch.last:
            found: EntryId | None = connection.execute(
                _at, {"segment": stretch.segment_id, "deep": depth}
            ).scalar_one_or_none()
            return found
    return None


@dataclass(frozen=True, slots=True)
class Parting:
    """Where two paths part: the depth of their deepest common entry (-1 for none) and each side's first entry."""

    depth: int
    left: EntryId | None
    right: EntryId | None


def parting(connection: Connection, left: Place, right: Place) -> Parting:
    """Where the paths of two entries part. `left` or `right` is None where that entry is above the other."""
    for some in (NEAR, None):
        ours, theirs = stretches(connection, left, some=some), stretches(connection, right, some=some)
        depth = _common_depth(ours, theirs)
        if depth is not None:
            break
    else:
        depth = -1
    return Parting(
        depth=depth,
        left=entry_at(connection, ours, depth + 1),
        right=entry_at(connection, theirs, depth + 1),
    )


def _common_depth(ours: list[Stretch], theirs: list[Stretch]) -> int | None:
    lasts = {stretch.segment_id: stretch.last for stretch in ours}
    for stretch in theirs:
        if stretch.segment_id in lasts:
            return min(lasts[stretch.segment_id], stretch.last)
    return None
