"""Whether links add up to a tree. What is sound is kept in order; what is not is named, each with its reason.

Semantics §1. A line that hangs on a faulty one is faulty too, so that no path is ever read with a hole in it. Used for
files that come in and for what is stored.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from liyuan.domain.entry import MESSAGE, EntryId
from liyuan.domain.note import Note
from liyuan.domain.tree import Node

DUPLICATE: Final = "The id “{id}” is there already. An entry never changes, so the first one stands."
SELF_PARENT: Final = "The entry “{id}” names itself as its parent."
MISSING_PARENT: Final = "The parent “{parent_id}” of the entry “{id}” is not there."
CIRCLE: Final = "The parents of the entry “{id}” run in a circle."
SECOND_ROOT: Final = "The entry “{id}” begins a second story. Only messages may stand side by side at the beginning."
BELOW_A_FAULT: Final = "The entry “{id}” hangs on the entry “{parent_id}”, which was left out."


@dataclass(frozen=True, slots=True)
class Sifted:
    """`order` holds positions in the list that was given, every parent before its children and siblings as they came.

    `faults` holds the other positions, each with what is wrong there.
    """

    order: tuple[int, ...]
    faults: Mapping[int, Note]


def sift(nodes: Sequence[Node]) -> Sifted:
    """Parts a list of entries into the forest it holds and the faults. Looks at nothing but ids, parents and kinds.

    Several roots are sound when all are messages: greetings, and first messages written anew, are variants of each
    other. A root of another kind stands alone. Of two entries with one id the first is taken.
    """
    faults: dict[int, Note] = {}
    known: dict[EntryId, int] = {}
    for index, node in enumerate(nodes):
        if node.id in known:
            faults[index] = _says(DUPLICATE, node)
        else:
            known[node.id] = index
    for node_id, index in known.items():
        said = _link_fault(nodes[index], known)
        if said:
            faults[index] = Note(said, {"id": node_id, "parent_id": nodes[index].parent_id})
    faults |= {index: _says(SECOND_ROOT, nodes[index]) for index in _second_roots(nodes, faults)}
    order = _parents_first(nodes, [index for index in known.values() if index not in faults])
    return Sifted(tuple(order), faults | _cut_off(nodes, known, faults, set(order)))


def _says(template: str, node: Node) -> Note:
    return Note(template, {"id": node.id})


def _link_fault(node: Node, known: Mapping[EntryId, int]) -> str | None:
    if node.parent_id is None:
        return None
    if node.parent_id == node.id:
        return SELF_PARENT
    return None if node.parent_id in known else MISSING_PARENT


def _second_roots(nodes: Sequence[Node], faults: Mapping[int, Note]) -> list[int]:
    roots = [index for index, node in enumerate(nodes) if node.parent_id is None and index not in faults]
    if not roots or nodes[roots[0]].kind != MESSAGE:
        return roots[1:]
    return [index for index in roots if nodes[index].kind != MESSAGE]


def _parents_first(nodes: Sequence[Node], indices: Iterable[int]) -> list[int]:
    """The order given, but a child that comes early waits for its parent. Leaves out what hangs on nothing."""
    order: list[int] = []
    placed: set[EntryId] = set()
    waiting: dict[EntryId, list[int]] = defaultdict(list)
    for index in indices:
        parent_id = nodes[index].parent_id
        if parent_id is not None and parent_id not in placed:
            waiting[parent_id].append(index)
            continue
        ready = [index]
        while ready:
            index = ready.pop()
            order.append(index)
            placed.add(nodes[index].id)
            ready.extend(reversed(waiting.pop(nodes[index].id, ())))
    return order


def _cut_off(
    nodes: Sequence[Node], known: Mapping[EntryId, int], faults: Mapping[int, Note], sound: set[int]
) -> dict[int, Note]:
    """Why the rest is not sound: it runs in a circle, or hangs on something that is faulty."""
    said: dict[int, Note] = {}
    for start in known.values():
        climbed: dict[int, None] = {}
        index = start
        while index not in sound and index not in faults and index not in said and index not in climbed:
            climbed[index] = None
            index = known[nodes[index].parent_id or nodes[index].id]
        circle = _from(climbed, index)
        for here in climbed:
            node = nodes[here]
            template = CIRCLE if here in circle else BELOW_A_FAULT
            said[here] = Note(template, {"id": node.id, "parent_id": node.parent_id})
    return said


def _from(climbed: Mapping[int, None], start: int) -> set[int]:
    """The part of a climb that runs round; empty unless it came back to `start`."""
    steps = list(climbed)
    return set(steps[steps.index(start) :]) if start in climbed else set()
