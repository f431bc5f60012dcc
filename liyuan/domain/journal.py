"""Undo and redo over the journal of moves. The journal is only ever read; taking back a move is one more move."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final, TypeVar

from liyuan.domain.entry import EntryId

T = TypeVar("T")

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
    undo, redo = _open((cause, cause) for cause in causes)
    return Possible(bool(undo), bool(redo))


def steps(journal: Iterable[Move]) -> Steps:
    """What undo and redo would do now: each goes to where that move came from; a new move ends the redos."""
    undo, redo = _open((move.cause, move) for move in journal)
    return Steps(tuple(undo), tuple(redo))


def _open(journal: Iterable[tuple[str, T]]) -> tuple[list[T], list[T]]:
    """What can be taken back and played again, the next one last, of moves that come with their causes."""
    undo: list[T] = []
    redo: list[T] = []
    for cause, move in journal:
        if cause in (GROWTH, GREETING):
            continue
        if cause == UNDO and undo:
            undo.pop()
            redo.append(move)
        elif cause == REDO and redo:
            redo.pop()
            undo.append(move)
        else:
            undo.append(move)
            redo.clear()
    return undo, redo
