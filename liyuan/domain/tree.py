"""What parent links alone say about a tree. Nothing stored is trusted: `verify` and import derive it anew."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Final, TypeAlias

from liyuan.domain.entry import ASSISTANT, MESSAGE, SAVE, SETTING, STATE, SUMMARY, USER, Draft, EntryId, Place


@dataclass(frozen=True, slots=True)
class Node:
    """An entry without its body."""

    id: EntryId
    parent_id: EntryId | None
    kind: str = MESSAGE
    role: str | None = None


Skeleton: TypeAlias = Mapping[EntryId, Node]

# Where a jump leads: an entry and its depth.
Jump: TypeAlias = tuple[EntryId | None, int]
OUT: Final[Jump] = (None, -1)


def place_below(parent: Place | None, draft: Draft | Node, segment_id: int, far: Jump = OUT) -> Place:
    """The place of a child of `parent`: one deeper, one turn on if the reader speaks, itself its nearest pointer.

    `far` is the jump of the entry that the parent jumps to; OUT where the parent's own jump leads out of the tree.
    """
    kind = draft.kind
    jump_id, jump_depth = _jump(parent, draft.parent_id, far)
    return Place(
        segment_id=segment_id,
        depth=parent.depth + 1 if parent else 0,
        turn=(parent.turn if parent else 0) + (kind == MESSAGE and draft.role == USER),
        state_id=draft.id if kind == STATE else parent.state_id if parent else None,
        summary_id=draft.id if kind == SUMMARY else parent.summary_id if parent else None,
        save_id=draft.id if kind == SAVE else parent.save_id if parent else None,
        setting_id=draft.id if kind == SETTING else parent.setting_id if parent else None,
        jump_id=jump_id,
        jump_depth=jump_depth,
    )


def _jump(parent: Place | None, parent_id: EntryId | None, far: Jump) -> Jump:
    """Where a child jumps. Two jumps of one length join into one (skew binary numbers, Myers 1983)."""
    if parent is None:
        return OUT
    if parent.depth - parent.jump_depth == parent.jump_depth - far[1]:
        return far
    return parent_id, parent.depth


def opens_a_segment(draft: Draft | Node) -> bool:
    """A reply waits in a segment of its own until the story goes on from it.

    So the swipes that nobody follows cost the played path nothing: a thousand turns with 2 % go-backs lie on a dozen
    segments, not on hundreds (numbers.md, "Found on the way", a).
    """
    return draft.kind == MESSAGE and draft.role == ASSISTANT


def goes_on(draft: Draft | Node) -> bool:
    """Whether this entry settles which reply the story follows."""
    return draft.kind == MESSAGE and draft.role == USER


def walk_up(skeleton: Skeleton, leaf: EntryId | None) -> Iterator[Node]:
    """The nodes from `leaf` to its root."""
    while leaf is not None:
        node = skeleton[leaf]
        yield node
        leaf = node.parent_id


def path_to(skeleton: Skeleton, leaf: EntryId | None) -> list[EntryId]:
    """The ids from the root to `leaf`."""
    return [node.id for node in walk_up(skeleton, leaf)][::-1]


def children_of(nodes: Iterable[Node]) -> dict[EntryId | None, list[Node]]:
    """Children by parent id, in the order the nodes are given; roots stand under None."""
    children: dict[EntryId | None, list[Node]] = defaultdict(list)
    for node in nodes:
        children[node.parent_id].append(node)
    return children


def in_order(nodes: Iterable[Node]) -> list[Node]:
    """The nodes with every parent before its children; siblings keep their order. Without recursion: trees are deep."""
    children = children_of(nodes)
    ordered: list[Node] = []
    waiting = children[None][::-1]
    while waiting:
        node = waiting.pop()
        ordered.append(node)
        waiting.extend(reversed(children.get(node.id, ())))
    return ordered


def derive(nodes: Iterable[Node]) -> dict[EntryId, Place]:
    """Every entry's place from parent links alone. Segments are numbered from 1; the longest line goes on in
    its parent's.

    Expects a sound forest (see `soundness.py`); entries that hang on nothing are left out.
    """
    ordered = in_order(nodes)
    heir = _heirs(ordered)
    places: dict[EntryId, Place] = {}
    segments = 0
    for node in ordered:
        parent = places[node.parent_id] if node.parent_id else None
        if parent is not None and heir.get(node.parent_id) == node.id:
            segment = parent.segment_id
        else:
            segments += 1
            segment = segments
        places[node.id] = place_below(parent, node, segment, _far(places, parent))
    return places


def _far(places: Mapping[EntryId, Place], parent: Place | None) -> Jump:
    near = places[parent.jump_id] if parent and parent.jump_id else None
    return (near.jump_id, near.jump_depth) if near else OUT


def _heirs(ordered: list[Node]) -> dict[EntryId | None, EntryId]:
    """For each parent the child whose line is longest (the first of equals): it inherits the parent's segment."""
    height: dict[EntryId, int] = defaultdict(int)
    heir: dict[EntryId | None, EntryId] = {}
    for node in reversed(ordered):
        height[node.id] += 1
        if node.parent_id and height[node.id] >= height[node.parent_id]:
            height[node.parent_id] = height[node.id]
            heir[node.parent_id] = node.id
    return heir


def common_ancestor(skeleton: Skeleton, one: EntryId | None, other: EntryId | None) -> EntryId | None:
    """The deepest entry on both paths; None where the two share not even a root."""
    above = {node.id for node in walk_up(skeleton, one)}
    return next((node.id for node in walk_up(skeleton, other) if node.id in above), None)


def neighbour(ids: list[EntryId], gone: EntryId) -> EntryId | None:
    """Which variant takes the stage when `gone` leaves: the one before it, for the first the next; None if alone.

    1/2→1/1, 1/9→1/8, 6/9→5/8, 9/9→8/8 (SillyTavern#2749).
    """
    index = ids.index(gone)
    rest = ids[:index] + ids[index + 1 :]
    return rest[max(index - 1, 0)] if rest else None
