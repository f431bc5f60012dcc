"""Timing an act: the middle of many, by the wall clock and by the processor's, since other programs run beside us."""

from __future__ import annotations

import gc
import statistics
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Timed:
    """Seconds: the median and the 99th percentile by the wall clock, and the median of this thread's processor time."""

    median: float
    p99: float
    processor: float


def timed(acts: Sequence[Callable[[], object]], times: int, *, warm: int = 10, most: float = 20.0) -> list[Timed]:
    """Does each act `times` times, one after the other in turn, or as often as fits into `most` seconds in all.

    In turn, so that what else the machine does falls on all alike and their ratios stay true. At least five times.
    """
    for act in acts:
        for _ in range(warm):
            act()
    walls: list[list[float]] = [[] for _ in acts]
    processors: list[list[float]] = [[] for _ in acts]
    until = time.perf_counter() + most
    gc.collect()
    while len(walls[0]) < times and (len(walls[0]) < 5 or time.perf_counter() < until):
        for at, act in enumerate(acts):
            wall, processor = time.perf_counter(), time.thread_time()
            act()
            processors[at].append(time.thread_time() - processor)
            walls[at].append(time.perf_counter() - wall)
    return [
        Timed(statistics.median(wall), percentile(wall, 99), statistics.median(processor))
        for wall, processor in zip(walls, processors, strict=True)
    ]


def percentile(values: Sequence[float], percent: float) -> float:
    """The value that `percent` of all do not pass."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(len(ordered) * percent / 100))]
