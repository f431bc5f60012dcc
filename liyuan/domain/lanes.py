"""The tree as boxes from the top down: what is told in one go is one box, and only a real fork steps in by one.

At a fork the way that is told on stays in its lane, below the others, which are stepped in. So a thousand turns with a
hundred go-backs are a straight column with a hundred side steps, and not a staircase.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias


@dataclass(frozen=True, slots=True)
class Part:
    """A part of a stored run: the entries of `run_id` from depth `first` to depth `last`."""

    run_id: int
    first: int
    last: int

    @property
    def length(self) -> int:
        return self.last - self.first + 1


@dataclass(frozen=True, slots=True)
class Growth(Part):
    """A whole stored run, with the run that it grew from; None for one that begins the story."""

    above: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Box:
    """What is told between two forks. `tellings` are single messages from which nobody went on, one a part.

    `indent` counts the forks above where this is not the way that goes on: so many lanes pass to its left. `ways` is
    how many leave from its end, 0 where the story ends.
    """

    kind: Literal["line", "tellings"]
    parts: tuple[Part, ...]
    indent: int
    ways: int = 0
    is_on_way: bool = False
    is_pruned: bool = False

    @property
    def length(self) -> int:
        return sum(part.length for part in self.parts)

    def holds(self, run_id: int, depth: int) -> bool:
        return any(part.run_id == run_id and part.first <= depth <= part.last for part in self.parts)


#: Where a part of the tree begins: a run and a depth on it.
Start: TypeAlias = tuple[int, int]


@dataclass(slots=True)
class Forest:
    """The runs of a tree, as they are drawn. `way` tells for each run how deep the reader's path follows it.

    `cuts` tells for each run from which depth on it was deleted, with all that grows there.
    """

    runs: Mapping[int, Growth]
    way: Mapping[int, int]
    cuts: Mapping[int, int]
    children: Mapping[int, Mapping[int, Sequence[int]]]
    forks: Mapping[int, Sequence[int]]

    def fork_below(self, start: Start) -> int | None:
        """The depth of the next entry from which something grows."""
        run, depth = start
        depths = self.forks.get(run, ())
        at = bisect_left(depths, depth)
        return depths[at] if at < len(depths) else None

    def starts_below(self, run_id: int, depth: int) -> list[Start]:
        """All ways on below an entry, in the order they were made."""
        goes_on = [(run_id, depth + 1)] if self.runs[run_id].last > depth else []
        return goes_on + [(child, depth + 1) for child in self.children.get(run_id, {}).get(depth, ())]

    def is_on_way(self, start: Start) -> bool:
        return self.way.get(start[0], -1) >= start[1]

    def cut_within(self, part: Part) -> int | None:
        """The depth at which a deletion begins inside a part, if not with its first entry."""
        at = self.cuts.get(part.run_id)
        return at if at is not None and part.first < at <= part.last else None

    def is_cut(self, start: Start) -> bool:
        return self.cuts.get(start[0], start[1] + 1) <= start[1]


@dataclass(frozen=True, slots=True)
class _Waiting:
    start: Start
    indent: int
    is_pruned: bool


def boxes_of(runs: Iterable[Growth], way: Mapping[int, int], cuts: Mapping[int, int] | None = None) -> tuple[Box, ...]:
    """Every box, those above before those below. Takes as long as the tree has runs, however long they are."""
    forest = _forest(runs, way, cuts or {})
    roots = [(run.run_id, run.first) for run in forest.runs.values() if run.above is None]
    return tuple(_drawn(forest, [_Waiting(root, 0, False) for root in reversed(roots)]))


def _forest(runs: Iterable[Growth], way: Mapping[int, int], cuts: Mapping[int, int]) -> Forest:
    known = {run.run_id: run for run in sorted(runs, key=lambda one: one.run_id)}
    children: dict[int, dict[int, list[int]]] = defaultdict(lambda: defaultdict(list))
    for run in known.values():
        if run.above is not None:
            children[run.above][run.first - 1].append(run.run_id)
    return Forest(known, way, cuts, children, {run: sorted(below) for run, below in children.items()})


def _drawn(forest: Forest, waiting: list[_Waiting]) -> Iterator[Box]:
    while waiting:
        now = waiting.pop()
        is_pruned = now.is_pruned or forest.is_cut(now.start)
        parts, below = _followed(forest, now.start, is_pruned)
        yield Box(
            kind="line",
            parts=tuple(parts),
            indent=now.indent,
            ways=len(below),
            is_on_way=forest.is_on_way(now.start),
            is_pruned=is_pruned,
        )
        if below:
            on = _goes_on(forest, below)
            waiting.append(_Waiting(on, now.indent, is_pruned))
            aside = [start for start in below if start != on]
            tellings = {start for start in aside if _is_telling(forest, start, is_pruned)}
            others = (start for start in reversed(aside) if start not in tellings)
            waiting.extend(_Waiting(start, now.indent + 1, is_pruned) for start in others)
            if tellings:
                yield _told_otherwise(sorted(tellings), now.indent + 1, is_pruned)


def _followed(forest: Forest, start: Start, is_pruned: bool) -> tuple[list[Part], list[Start]]:
    """What is told from `start` in one go, and the ways on from its end. A deletion ends it, too."""
    parts: list[Part] = []
    while True:
        run_id, depth = start
        fork = forest.fork_below(start)
        part = Part(run_id, depth, forest.runs[run_id].last if fork is None else fork)
        cut = None if is_pruned else forest.cut_within(part)
        if cut is not None:
            return [*parts, Part(run_id, depth, cut - 1)], [(run_id, cut)]
        parts.append(part)
        below = [] if fork is None else forest.starts_below(run_id, fork)
        if len(below) != 1 or (not is_pruned and forest.is_cut(below[0])):
            return parts, below
        start = below[0]


def _goes_on(forest: Forest, below: Sequence[Start]) -> Start:
    """The way that keeps its lane: the reader's, else one that was not deleted, else the one that was told first."""
    return next(
        (start for start in below if forest.is_on_way(start)),
        next((start for start in below if not forest.is_cut(start)), below[0]),
    )


def _is_telling(forest: Forest, start: Start, is_pruned: bool) -> bool:
    run_id, depth = start
    ends = forest.runs[run_id].last == depth and not forest.children.get(run_id, {}).get(depth)
    return ends and (is_pruned or not forest.is_cut(start))


def _told_otherwise(starts: Sequence[Start], indent: int, is_pruned: bool) -> Box:
    parts = tuple(Part(run_id, depth, depth) for run_id, depth in starts)
    return Box(kind="tellings", parts=parts, indent=indent, is_pruned=is_pruned)
