"""Chance without a source of chance: everything is drawn from a seed, and the same seed gives the same."""

from __future__ import annotations

import re
from collections.abc import Sequence
from hashlib import blake2b, shake_128
from typing import TypeVar

Thing = TypeVar("Thing")

MOST_DICE = 100

_DICE = re.compile(r"\s*(?:([0-9]{1,3})?d)?([0-9]{1,6})\s*(?:([+-])\s*([0-9]{1,6}))?\s*", re.IGNORECASE)


def choose(seed: str, things: Sequence[Thing]) -> Thing:
    """One of `things`, of which there is at least one."""
    drawn = int.from_bytes(blake2b(seed.encode("utf-8", "replace"), digest_size=16).digest())
    return things[drawn % len(things)]


def roll(seed: str, dice: str) -> int | None:
    """The sum of a roll such as `2d6+1`, `d20` or `6` (one die); None when this is no roll, or one of too many dice."""
    read = _DICE.fullmatch(dice)
    if not read:
        return None
    count, sides, bonus = int(read[1] or 1), int(read[2]), int(read[4] or 0)
    if not (1 <= count <= MOST_DICE and sides >= 1):
        return None
    drawn = shake_128(seed.encode("utf-8", "replace")).digest(8 * count)
    total = sum(int.from_bytes(drawn[at : at + 8]) % sides + 1 for at in range(0, len(drawn), 8))
    return total - bonus if read[3] == "-" else total + bonus
