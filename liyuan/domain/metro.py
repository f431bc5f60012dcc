"""Where the stations of the worldlines stand: a row is a save further on, a lane a line. No two tracks ever cross.

A line goes straight down its lane; what forks from it stands to its right. Of two forks the one that leaves further
down stands nearer, so the way to the other passes above it. Blocks are packed as close as their outlines allow.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import TypeAlias

Lanes: TypeAlias = dict[int, int]


@dataclass(frozen=True, slots=True)
class Stop:
    """A save as the picture needs it: the nearest one above it, None at the top, and the line it lies on."""

    id: str
    above_id: str | None
    line_id: str


@dataclass(frozen=True, slots=True)
class Station:
    """Where a stop stands. Both count from 0, rows downwards and lanes to the right."""

    id: str
    line_id: str
    row: int
    lane: int


@dataclass(frozen=True, slots=True)
class Track:
    """The way between two stations. `nth` counts the forks that leave one station, the nearest one first."""

    line_id: str
    start: Station
    end: Station
    nth: int = 0

    @property
    def is_fork(self) -> bool:
        return self.start.line_id != self.end.line_id


@dataclass(frozen=True, slots=True)
class Metro:
    """The whole picture, in rows and lanes. `stations` come in the order of the stops."""

    stations: tuple[Station, ...]
    tracks: tuple[Track, ...]
    rows: int
    lanes: int


@dataclass(slots=True)
class _Block:
    """A line and all that forks from it: the outermost lanes of each row, counted from the line's own."""

    left: Lanes = field(default_factory=dict)
    right: Lanes = field(default_factory=dict)

    def take(self, other: _Block) -> int:
        """Sets a block as close as it goes to the right of all that is here; tells how many lanes away."""
        gaps = [self.right[row] + 1 - lane for row, lane in other.left.items() if row in self.right]
        shift = max(1, *gaps) if gaps else 1
        for row, lane in other.right.items():
            self.right[row] = lane + shift
            self.left.setdefault(row, other.left[row] + shift)
        return shift


def lay_out(stops: Iterable[Stop]) -> Metro:
    """The stations of these stops. A stop comes after the one above it; the stops of a line lie on one path."""
    ordered = list(stops)
    rows = _rows(ordered)
    lines = _lines(ordered)
    lanes = _lanes(ordered, rows, lines)
    stations = {stop.id: Station(stop.id, stop.line_id, rows[stop.id], lanes[stop.line_id]) for stop in ordered}
    return Metro(
        stations=tuple(stations.values()),
        tracks=tuple(_tracks(lines, ordered, stations)),
        rows=max(rows.values(), default=-1) + 1,
        lanes=max(lanes.values(), default=-1) + 1,
    )


def _rows(stops: Iterable[Stop]) -> dict[str, int]:
    rows: dict[str, int] = {}
    for stop in stops:
        rows[stop.id] = rows[stop.above_id] + 1 if stop.above_id else 0
    return rows


def _lines(stops: Iterable[Stop]) -> dict[str, list[str]]:
    """The stops of each line, from the top down."""
    lines: dict[str, list[str]] = {}
    for stop in stops:
        lines.setdefault(stop.line_id, []).append(stop.id)
    return lines


def _sources(stops: Iterable[Stop], lines: Mapping[str, Sequence[str]]) -> dict[str, str | None]:
    """The stop that each line leaves from."""
    above = {stop.id: stop.above_id for stop in stops}
    return {line: above[ids[0]] for line, ids in lines.items()}


def _lanes(stops: Sequence[Stop], rows: Mapping[str, int], lines: Mapping[str, Sequence[str]]) -> dict[str | None, int]:
    """The lane of each line. The ground above all, None, stands left of the picture."""
    forks = _forks(stops, rows, lines)
    blocks: dict[str | None, _Block] = {line: _trunk(rows[ids[0]], rows[ids[-1]]) for line, ids in lines.items()}
    blocks[None] = _Block()
    downwards = _parents_first(forks)
    shifts = {child: blocks[line].take(blocks[child]) for line in reversed(downwards) for child in forks.get(line, ())}
    lanes: dict[str | None, int] = {None: -1}
    for line in downwards:
        lanes.update({child: lanes[line] + shifts[child] for child in forks.get(line, ())})
    return lanes


def _forks(
    stops: Sequence[Stop], rows: Mapping[str, int], lines: Mapping[str, Sequence[str]]
) -> dict[str | None, list[str]]:
    """The lines that leave each line, the one that leaves furthest down first."""
    line_of: dict[str | None, str] = {stop.id: stop.line_id for stop in stops}
    forks: dict[str | None, list[str]] = defaultdict(list)
    for line, source in _sources(stops, lines).items():
        forks[line_of.get(source)].append(line)
    for children in forks.values():
        children.sort(key=lambda line: -rows[lines[line][0]])
    return forks


def _trunk(first: int, last: int) -> _Block:
    straight = dict.fromkeys(range(first, last + 1), 0)
    return _Block(left=dict(straight), right=straight)


def _parents_first(forks: Mapping[str | None, Sequence[str]]) -> list[str | None]:
    ordered: list[str | None] = []
    waiting: list[str | None] = [None]
    while waiting:
        line = waiting.pop()
        ordered.append(line)
        waiting.extend(forks.get(line, ()))
    return ordered


def _tracks(
    lines: Mapping[str, Sequence[str]], stops: Sequence[Stop], stations: Mapping[str, Station]
) -> Iterable[Track]:
    leaving: dict[str, list[str]] = defaultdict(list)
    for line, source in _sources(stops, lines).items():
        if source:
            leaving[source].append(line)
    for source, forked in leaving.items():
        heads = sorted((stations[lines[line][0]] for line in forked), key=lambda station: station.lane)
        for nth, head in enumerate(heads):
            yield Track(head.line_id, stations[source], head, nth)
    for line, ids in lines.items():
        for one, other in pairwise(ids):
            yield Track(line, stations[one], stations[other])
