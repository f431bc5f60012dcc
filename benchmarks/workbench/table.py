"""Tables for people: a figure with its unit, how it grew, and beside it what it was meant to be."""

from __future__ import annotations

import os
import platform
import sqlite3
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass, field


@dataclass
class Table:
    """Rows of text under a title. `note` lines stand below."""

    title: str
    columns: Sequence[str]
    rows: list[Sequence[str]] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)

    def row(self, *cells: object) -> None:
        self.rows.append([str(cell) for cell in cells])

    def note(self, text: str) -> None:
        self.notes.append(text)

    def show(self) -> None:
        widths = [max(_width(row[at]) for row in (self.columns, *self.rows)) for at in range(len(self.columns))]
        print(f"\n{self.title}")
        print(_line(self.columns, widths))
        print("  ".join("-" * width for width in widths))
        for row in self.rows:
            print(_line(row, widths))
        for note in self.notes:
            print(f"  {note}")


def ms(seconds: float) -> str:
    """Milliseconds with as many digits as mean something."""
    value = seconds * 1000
    return f"{value:.3f}" if value < 1 else f"{value:.2f}" if value < 100 else f"{value:.0f}"


def ratio(larger: float, smaller: float) -> str:
    return f"×{larger / smaller:.2f}" if smaller else "–"


def verdict(value: float, target: float, *, at_least: bool = False) -> str:
    """Whether a figure is what it was meant to be."""
    return "met" if (value >= target if at_least else value <= target) else "MISSED"


def machine() -> str:
    """One line on where this ran, and how busy it was with other things."""
    load = " ".join(f"{value:.1f}" for value in os.getloadavg())
    return (
        f"{os.cpu_count()} cores, load {load}; Python {platform.python_version()}, SQLite {sqlite3.sqlite_version}, "
        f"{platform.system()} {platform.release()}"
    )


def _line(cells: Sequence[str], widths: Sequence[int]) -> str:
    padded = [
        cell + " " * (width - _width(cell)) if at == 0 else " " * (width - _width(cell)) + cell
        for at, (cell, width) in enumerate(zip(cells, widths, strict=True))
    ]
    return "  ".join(padded).rstrip()


def _width(text: str) -> int:
    return sum(2 if unicodedata.east_asian_width(letter) in "WF" else 1 for letter in text)
