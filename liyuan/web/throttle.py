"""Guesses become slow: each wrong one makes the next wait longer, for its address and, less strictly, for everybody."""

from __future__ import annotations

import math
import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from ipaddress import IPv6Address, ip_address
from typing import Any

from liyuan.domain.errors import Throttled

EVERYBODY = "*"
ADDRESSES = 10_000


@dataclass(frozen=True, slots=True)
class Pace:
    """So many tries cost nothing; then the wait doubles from a second up to the longest; quiet makes it forgotten."""

    free: int
    longest: float
    forgotten_after: float

    def wait(self, tries: int) -> float:
        """Seconds from this try to the next."""
        return 0.0 if tries < self.free else min(self.longest, 2.0 ** min(tries - self.free, 30))


PER_ADDRESS = Pace(free=5, longest=900, forgotten_after=3600)
FOR_ALL = Pace(free=40, longest=30, forgotten_after=600)


@dataclass(slots=True)
class _Tries:
    count: int
    last: float
    until: float


class Throttle:
    """Counts tries in this process. A try is counted before its answer is known, so that many at once gain nothing."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._tries: OrderedDict[str, _Tries] = OrderedDict()
        self._trusted: OrderedDict[str, None] = OrderedDict()

    def check(self, address: str) -> None:
        """Raises Throttled, with the seconds to wait, when a try from this address would come too early."""
        now = self._clock()
        early = max(self._until(key, pace, now) - now for key, pace in self._paces(address))
        if early > 0:
            raise Throttled(seconds=math.ceil(early))

    def count(self, address: str) -> None:
        """One try from this address."""
        for key, pace in self._paces(address):
            self._count(key, pace, self._clock())

    def forgive(self, address: str) -> None:
        """The try was right: this address starts anew, and the guesses of others no longer hold it up."""
        self._tries.pop(_net(address), None)
        if everybody := self._tries.get(EVERYBODY):
            everybody.count = max(0, everybody.count - 1)
        self._trusted[_net(address)] = None
        _shorten(self._trusted)

    def _paces(self, address: str) -> list[tuple[str, Pace]]:
        net = _net(address)
        return [(net, PER_ADDRESS)] if net in self._trusted else [(net, PER_ADDRESS), (EVERYBODY, FOR_ALL)]

    def _until(self, key: str, pace: Pace, now: float) -> float:
        tries = self._tries.get(key)
        if tries and now - tries.last > max(pace.forgotten_after, pace.longest):
            del self._tries[key]
            return 0.0
        return tries.until if tries else 0.0

    def _count(self, key: str, pace: Pace, now: float) -> None:
        count = self._tries[key].count + 1 if key in self._tries else 1
        self._tries[key] = _Tries(count, now, now + pace.wait(count))
        self._tries.move_to_end(key)
        _shorten(self._tries)


def _shorten(kept: OrderedDict[str, Any]) -> None:
    while len(kept) > ADDRESSES:
        kept.popitem(last=False)


def _net(address: str) -> str:
    """The address, or of IPv6 the network of 64 bits: one household has as many addresses as it likes."""
    try:
        parsed = ip_address(address)
    except ValueError:
        return address
    if isinstance(parsed, IPv6Address):
        return str(parsed.ipv4_mapped or parsed.exploded[:19])
    return address
