"""Undo and redo over the journal of moves. The journal is only ever read; taking back a move is one more move."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from liyuan.domain.entry import EntryId

# What `undo` does not take back: the story growing at its end, and the laying out of its openings.
GROWTH: Final = "append"
GREETING: Final = "greeting"
UNDO: Final = "undo"
REDO: Final = "redo"


@dataclass(frozen=True, slots=True)
class Move:
    """The leaf went from one entry to another, for a cause."""

    from_id: EntryId | None
    to_id: EntryId | None
    cause: str
    at: str = ""


@dataclass(frozen=True, slots=True)
class Steps:
    """The moves that can be taken back and played again, the next one last."""

    undo: tuple[Move, ...]
    redo: tuple[Move, ...]


@dataclass(frozen=True, slots=True)
class Possible:
    """Whether there is a move to take back, and one to play again."""

    undo: bool
    redo: bool


def possible(causes: Iterable[str]) -> Possible:
    """The same as `steps` says, from the causes alone."""
    undo = redo = 0
    for cause in causes:
        if cause in (GROWTH, GREETING):
            continue
        if cause == UNDO and undo:
            undo, redo = undo - 1, redo + 1
        elif cause == REDO and redo:
            undo, redo = undo + 1, redo - 1
        else:
            undo, redo = undo + 1, 0
    return Possible(undo > 0, redo > 0)


def steps(journal: Iterable[Move]) -> Steps:
    """What undo and redo would do now: each goes to where that move came from; a new move ends the redos."""
    undo: list[Move] = []
    redo: list[Move] = []
    for move in journal:
        if move.cause in (GROWTH, GREETING):
            continue
        if move.cause == UNDO and undo:
            undo.pop()
            redo.append(move)
        elif move.cause == REDO and redo:
            redo.pop()
            undo.append(move)
        else:
            undo.append(move)
            redo.clear()
    return Steps(tuple(undo), tuple(redo))
