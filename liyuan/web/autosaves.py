"""The form for saves that make themselves: what was typed, what of it cannot be kept, and what is kept."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from liyuan.domain.autosaving import CHAPTERS, EVERY_TURNS, KEEP, MOST_KEPT, MOST_TURNS, Autosaving
from liyuan.web.render import View


@dataclass(frozen=True, slots=True, kw_only=True)
class AutosavingForm:
    """As typed. `every` and `keep` are whole numbers from 0 and 1; an empty `every` counts as 0, for never."""

    most_turns: ClassVar[int] = MOST_TURNS
    most_kept: ClassVar[int] = MOST_KEPT
    chapters: bool
    every: str
    keep: str

    @property
    def every_is_wrong(self) -> bool:
        return _number(self.every or "0", 0, MOST_TURNS) is None

    @property
    def keep_is_wrong(self) -> bool:
        return _number(self.keep, 1, MOST_KEPT) is None

    @property
    def preferences(self) -> dict[str, Any] | None:
        """What to keep, by key; None while something is wrong."""
        every, keep = _number(self.every or "0", 0, MOST_TURNS), _number(self.keep, 1, MOST_KEPT)
        return None if every is None or keep is None else {CHAPTERS: self.chapters, EVERY_TURNS: every, KEEP: keep}


@dataclass(frozen=True)
class AutosavingView(View):
    """What came of sending the form: a word for each field that is wrong, or that it is kept."""

    template: ClassVar[str] = "settings/_autosaving_told.html"
    autosaving: AutosavingForm
    kept: bool


def form_of_autosaving(chosen: Autosaving) -> AutosavingForm:
    return AutosavingForm(chapters=chosen.chapters, every=str(chosen.every), keep=str(chosen.keep))


def _number(said: str, least: int, most: int) -> int | None:
    said = said.strip()
    number = int(said) if said.isdecimal() and len(said) <= len(str(most)) else -1
    return number if least <= number <= most else None
