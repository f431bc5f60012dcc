"""Where was I: what a reader needs after weeks away, from what is written already. No model is asked."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Final

from liyuan.domain.card import Language
from liyuan.domain.entry import EntryId
from liyuan.domain.fields import Field
from liyuan.domain.history import History, Line
from liyuan.domain.ledger import ledger_text
from liyuan.domain.placeholders import Cast
from liyuan.domain.saves import shortened
from liyuan.domain.world import WorldState

# How many of the last messages are told, how long each, and how many saves of the way here.
LINES: Final = 4
LINE: Final = 280
SAVES: Final = 8


@dataclass(frozen=True, slots=True, kw_only=True)
class Spoken:
    """What somebody said; `speaker` is empty for what nobody said."""

    entry_id: EntryId
    speaker: str
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Recap:
    """`summary` is the one in force, empty where there is none: then `beginning` tells how the story began.

    `stations` are the names of the saves on the way here, from the top; `ledger` is what is true now, in lines.
    """

    summary: str
    beginning: tuple[Spoken, ...]
    stations: tuple[str, ...]
    time: str
    location: str
    ledger: str
    threads: tuple[str, ...]
    last: tuple[Spoken, ...]
    turn: int

    @property
    def is_empty(self) -> bool:
        return not self.last and not self.summary


def recap(
    history: History,
    world: WorldState,
    *,
    beginning: Sequence[Line] = (),
    stations: Sequence[str] = (),
    cast: Cast,
    fields: Collection[Field] = (),
    language: Language = "en",
    turn: int = 0,
) -> Recap:
    """Puts a recap together. `history` may be the end of a path only; `beginning` are the first lines of it."""
    last = _spoken([line for line in history.lines if line.role != "system"][-LINES:], cast)
    told = {line.entry_id for line in last}
    first = [line for line in beginning if line.entry_id not in told] if not history.summary else []
    return Recap(
        summary=history.summary.strip(),
        beginning=_spoken(first, cast),
        stations=tuple(stations[-SAVES:]),
        time=world.time,
        location=world.location,
        ledger=ledger_text(world, fields=fields, language=language),
        threads=tuple(world.plot_threads),
        last=last,
        turn=turn,
    )


def _spoken(lines: Sequence[Line], cast: Cast) -> tuple[Spoken, ...]:
    names = {"assistant": cast.char, "user": cast.user}
    return tuple(
        Spoken(entry_id=line.entry_id, speaker=names.get(line.role, ""), text=shortened(line.text, LINE))
        for line in lines
        if line.text.strip()
    )
