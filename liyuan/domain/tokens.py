"""Token counts made right: what we count, corrected by what the model's server reports. Pure values."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Final

PER_MESSAGE: Final = 4
"""Tokens that a chat format spends on each message beside its text: who speaks, where it begins and ends."""

PER_REQUEST: Final = 3
"""Tokens that open the reply, once a request."""

LOWEST: Final = 0.5
HIGHEST: Final = 3.0
"""What one report may teach. Beyond this the server counts something else (pictures, tools, nothing)."""

CAUTION: Final = 1.15
"""The ratio before a model has reported anything: rather a little too much than a request that is refused."""

TELLING: Final = 200
"""Below this many tokens a request is mostly format, and its report teaches nothing."""

WEIGHT: Final = 0.3
"""How far one report moves a ratio that is already known."""


@dataclass(frozen=True, slots=True)
class Correction:
    """How many tokens a model reports for each that we count. `reports` tells how often it has been learnt."""

    ratio: float = CAUTION
    reports: int = 0

    def correct(self, tokens: int) -> int:
        """Our count as this model would count it, rounded up."""
        return math.ceil(tokens * self.ratio)

    def learn(self, counted: int, reported: int | None) -> Correction:
        """The correction after one request; the first report replaces the cautious guess.

        `counted` is our own count, uncorrected; `reported` the server's input tokens, cached ones included.
        """
        if reported is None or reported <= 0 or counted < TELLING:
            return self
        seen = min(max(reported / counted, LOWEST), HIGHEST)
        ratio = self.ratio + WEIGHT * (seen - self.ratio) if self.reports else seen
        return Correction(ratio=ratio, reports=self.reports + 1)


def request_tokens(texts: Iterable[str], count: Callable[[str], int]) -> int:
    """What a request of these messages costs by our own count, the chat format included."""
    return sum(count(text) + PER_MESSAGE for text in texts) + PER_REQUEST


def correction_data(correction: Correction) -> dict[str, Any]:
    """The correction as JSON."""
    return {"ratio": round(correction.ratio, 4), "reports": correction.reports}


def parse_correction(data: object) -> Correction:
    """The correction from its JSON; what cannot be read is as if the model had never reported."""
    found = data if isinstance(data, Mapping) else {}
    ratio, reports = found.get("ratio"), found.get("reports")
    if not isinstance(ratio, int | float) or not isinstance(reports, int) or reports < 1:
        return Correction()
    if not LOWEST <= ratio <= HIGHEST:
        return Correction()
    return Correction(ratio=float(ratio), reports=reports)
