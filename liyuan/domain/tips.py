"""Where the reader last was on every side of every parting, told anew from the journal. The store keeps the same too.

Climbs by jump pointers (a node knows its parent and one entry far above), so a move costs the logarithm of the depth.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from liyuan.domain.entry import EntryId
from liyuan.domain.journal import GROWTH, Move
from liyuan.domain.tree import Node


@dataclass(frozen=True, slots=True)
class _Rung:
    id: EntryId
    depth: int
    parent: _Rung | None
    jump: _Rung | None


def tips_of(nodes: Iterable[Node], journal: Iterable[Move]) -> dict[EntryId, EntryId]:
    """The entry at the top of each side that was left → the leaf it was left from.

    `nodes` come parents first; every id in the journal is among them.
    """
    rungs = _ladder(nodes)
    tips: dict[EntryId, EntryId] = {}
    for move in journal:
        if move.from_id is None or move.to_id is None:
            continue
        left, entered = rungs[move.from_id], rungs[move.to_id]
        if move.cause == GROWTH and entered.parent is left:
            continue
        left_side, entered_side = _sides(left, entered)
        if left_side is not None:
            tips[left_side] = left.id
        _enter(tips, rungs, entered_side, entered)
    return tips


def _enter(tips: dict[EntryId, EntryId], rungs: Mapping[EntryId, _Rung], side: EntryId | None, entered: _Rung) -> None:
    """Takes up the notes on the way down to `entered`: each moves to where its own way parts from this one."""
    while side is not None and side in tips:
        noted = rungs[tips.pop(side)]
        noted_side, side = _sides(noted, entered)
        if noted_side is not None:
            tips[noted_side] = noted.id


def _ladder(nodes: Iterable[Node]) -> Mapping[EntryId, _Rung]:
    rungs: dict[EntryId, _Rung] = {}
    for node in nodes:
        parent = rungs[node.parent_id] if node.parent_id else None
        rungs[node.id] = _Rung(node.id, parent.depth + 1 if parent else 0, parent, _jump(parent))
    return rungs


def _jump(parent: _Rung | None) -> _Rung | None:
    """Where a child of `parent` jumps to. Two jumps of one length join into one (skew binary numbers, Myers 1983)."""
    near = parent and parent.jump
    far = near and near.jump
    if parent is None or near is None:
        return parent
    length = parent.depth - near.depth
    return far if far is not None and near.depth - far.depth == length else parent


def _sides(one: _Rung, other: _Rung) -> tuple[EntryId | None, EntryId | None]:
    """The first entry on each side below where two paths part; None where one entry is above the other."""
    if one.depth > other.depth:
        other_side, one_side = _sides(other, one)
        return one_side, other_side
    below = _at_depth(other, one.depth)
    if below is one:
        return None, _at_depth(other, one.depth + 1).id if other is not one else None
    left, right = one, below
    while left.parent is not right.parent:
        left, right = _up_together(left, right)
    return left.id, right.id


def _up_together(left: _Rung, right: _Rung) -> tuple[_Rung, _Rung]:
    """Both as far up as they can go without meeting. Entries of one depth jump equally far and reach roots together."""
    if left.jump is not right.jump and left.jump is not None and right.jump is not None:
        return left.jump, right.jump
    assert left.parent is not None and right.parent is not None
    return left.parent, right.parent


def _at_depth(rung: _Rung, depth: int) -> _Rung:
    """The rung at a depth at or above this one."""
    while rung.depth > depth:
        assert rung.jump is not None and rung.parent is not None
        rung = rung.jump if rung.jump.depth >= depth else rung.parent
    return rung
