"""A branch as the list of the segments it follows: what is on it, told by segment and depth. Costs forks, not depth.

A query that climbs keeps its stop condition on its own side of the join; on the inner table SQLite 3.40 would build a
Bloom filter over every segment first (numbers.md, "Found on the way", b).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, bindparam, select
from sqlalchemy.sql import Select

from liyuan.domain.entry import EntryId, Place
from liyuan.store.tables import entries, segments


@dataclass(frozen=True, slots=True)
class Stretch:
    """A segment from its first entry (`first`, a depth) down to `last`, the depth up to which this path follows it."""

    segment_id: int
    first: int
    last: int

    def holds(self, place: Place) -> bool:
        return place.segment_id == self.segment_id and place.depth <= self.last


def _climb() -> Select[*tuple[Any, ...]]:
    """(segment_id, fork_depth, last) from a place up to the root, nearest first."""
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
        .where(up.c.fork >= 0)
    )
    return select(up.c.id, up.c.fork, up.c.last)


_up = _climb()
# The same as a table to join: its columns are `id`, `fork` and `last`, its values those of `up_from`.
BRANCH = _up.subquery("branch")
_at = select(entries.c.id).where(entries.c.segment_id == bindparam("segment"), entries.c.depth == bindparam("deep"))


def stretches(connection: Connection, leaf: Place) -> list[Stretch]:
    """The branch of a leaf as stretches, nearest first."""
    rows = connection.execute(_up, up_from(leaf))
    return [Stretch(segment_id=row[0], first=row[1] + 1, last=row[2]) for row in rows]


def lasts(connection: Connection, leaf: Place) -> dict[int, int]:
    """How far down the branch of a leaf follows each of its segments: a depth by segment."""
    return {stretch.segment_id: stretch.last for stretch in stretches(connection, leaf)}


def up_from(leaf: Place) -> dict[str, int]:
    """The values of BRANCH for the branch of a leaf."""
    return {"from_segment": leaf.segment_id, "last_depth": leaf.depth}


def entry_at(connection: Connection, branch: list[Stretch], depth: int) -> EntryId | None:
    """The id of the entry at `depth` on a branch given as stretches; None where the list does not reach."""
    for stretch in branch:
        if stretch.first <= depth <= stretch.last:
            found: EntryId | None = connection.execute(
                _at, {"segment": stretch.segment_id, "deep": depth}
            ).scalar_one_or_none()
            return found
    return None
