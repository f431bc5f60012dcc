"""Climbing by jumps: is one entry above another, and where do two paths part. Costs the logarithm of the depth.

An entry knows its parent and one entry far above (`Place.jump_id`), both fixed when it was written. No number of forks
between two entries makes a climb longer; the stretches of a branch, by which it is listed, grow with them.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, Integer, Text, bindparam, case, literal, select
from sqlalchemy.sql import Select

from liyuan.domain.entry import Entry, EntryId
from liyuan.store.tables import entries


def _climb() -> Select[*tuple[Any, ...]]:
    """The id of what lies at the depth `deep` above an entry given as `start` and `depth`, and its parent's."""
    up = select(bindparam("start", type_=Text).label("id"), bindparam("depth", type_=Integer).label("depth")).cte(
        "up", recursive=True
    )
    here = entries.alias("here")
    jumps = here.c.jump_depth >= bindparam("deep", type_=Integer)
    up = up.union_all(
        select(
            case((jumps, here.c.jump_id), else_=here.c.parent_id),
            case((jumps, here.c.jump_depth), else_=here.c.depth - 1),
        )
        .select_from(up.join(here, here.c.id == up.c.id))
        .where(up.c.depth > bindparam("deep", type_=Integer))
    )
    found = entries.alias("found")
    return (
        select(found.c.id, found.c.parent_id)
        .select_from(up.join(found, found.c.id == up.c.id))
        .where(up.c.depth == bindparam("deep", type_=Integer))
    )


def _climb_together() -> Select[*tuple[Any, ...]]:
    """From two entries of one depth, `left` and `right`, as far up as they can go without meeting: the two there."""
    pair = select(
        bindparam("left", type_=Text).label("left"),
        bindparam("right", type_=Text).label("right"),
        literal(0, Integer).label("n"),
    ).cte("pair", recursive=True)
    one, other = entries.alias("one"), entries.alias("other")
    apart = one.c.jump_id.is_distinct_from(other.c.jump_id)
    pair = pair.union_all(
        select(
            case((apart, one.c.jump_id), else_=one.c.parent_id),
            case((apart, other.c.jump_id), else_=other.c.parent_id),
            pair.c.n + 1,
        )
        .select_from(pair.join(one, one.c.id == pair.c.left).join(other, other.c.id == pair.c.right))
        .where(one.c.parent_id.is_distinct_from(other.c.parent_id))
    )
    return select(pair.c.left, pair.c.right).order_by(pair.c.n.desc()).limit(1)


_up = _climb()
_up_together = _climb_together()


@dataclass(frozen=True, slots=True)
class Parting:
    """The first entry on each side below where two paths part. None on the side that ends there."""

    left: EntryId | None
    right: EntryId | None


def is_above(connection: Connection, entry: Entry, leaf: Entry) -> bool:
    """Whether `entry` is on the path of `leaf` (an entry is above itself)."""
    if entry.depth >= leaf.depth:
        return entry.id == leaf.id
    _, above = _at_depth(connection, leaf, entry.depth + 1)
    return above == entry.id


def parting(connection: Connection, left: Entry, right: Entry) -> Parting:
    """Where the paths of two entries of one conversation part; the root of each where they share nothing."""
    if left.depth > right.depth:
        turned = parting(connection, right, left)
        return Parting(left=turned.right, right=turned.left)
    below: EntryId | None = right.id
    if left.depth < right.depth:
        first, below = _at_depth(connection, right, left.depth + 1)
        if below == left.id:
            return Parting(left=None, right=first)
    if below == left.id:
        return Parting(left=None, right=None)
    row = connection.execute(_up_together, {"left": left.id, "right": below}).one()
    return Parting(left=row[0], right=row[1])


def _at_depth(connection: Connection, entry: Entry, depth: int) -> tuple[EntryId, EntryId | None]:
    """The entry at a depth at or above `entry`, and its parent."""
    if entry.depth == depth:
        return entry.id, entry.parent_id
    row = connection.execute(_up, {"start": entry.id, "depth": entry.depth, "deep": depth}).one()
    return row[0], row[1]
