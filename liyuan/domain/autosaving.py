"""When the story saves by itself: what a person chose, read from their preferences, and whether a save is due."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

# The keys of the preferences.
CHAPTERS: Final = "autosave_chapters"
EVERY_TURNS: Final = "autosave_every_turns"
KEEP: Final = "autosave_keep"

KEPT: Final = 10
MOST_KEPT: Final = 100
#: What a form takes for `every`.
MOST_TURNS: Final = 999


@dataclass(frozen=True, slots=True, kw_only=True)
class Autosaving:
    """`chapters`: save where place or day changed. `every`: save after so many turns without a save, 0 for never.

    `keep` is how many living autosaves a story has at most; older ones are deleted and can be brought back.
    """

    chapters: bool = False
    every: int = 0
    keep: int = KEPT

    @property
    def is_on(self) -> bool:
        return self.chapters or self.every > 0

    def is_due(self, *, turns_since: int, is_new_chapter: bool) -> bool:
        """Whether to save now, `turns_since` the nearest save above. Never twice within one turn."""
        if turns_since <= 0:
            return False
        return (self.chapters and is_new_chapter) or 0 < self.every <= turns_since


def autosaving_of(preferences: Mapping[str, Any]) -> Autosaving:
    """What was chosen; what makes no sense counts as not chosen."""
    return Autosaving(
        chapters=preferences.get(CHAPTERS) is True,
        every=_number(preferences.get(EVERY_TURNS), 0, 0),
        keep=min(_number(preferences.get(KEEP), KEPT, 1), MOST_KEPT),
    )


def _number(value: object, otherwise: int, least: int) -> int:
    return value if isinstance(value, int) and not isinstance(value, bool) and value >= least else otherwise
