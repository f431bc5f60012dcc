"""Single values of a patch, read strictly: what is refused leaves a note that says what to write instead."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Final
from unicodedata import normalize

from liyuan.domain.names import clean
from liyuan.domain.note import Note

NOT_TEXT = "“{field}” must be a text, not {value}. It stays as it was. Write it in quotes."
NOT_NUMBER = "“{field}” must be a number, not {value}. It stays as it was. Write the new value, such as 40."
NOT_LIST = "“{field}” must be a list of texts, not {value}. It stays as it was. Write all of it, such as [{example}]."
NOT_OBJECT = "“{field}” must be an object with names, not {value}. It stays as it was. Write {example}."
NOT_PLAIN = "“{field}” must be a text, a number, true or false, not {value}. It stays as it was."
ITEM_NOT_TEXT = "Item {number} of “{field}” is {value}, not a text. It was left out. Write {example}."
NO_ITEM_LEFT = "No item of “{field}” could be read. The list stays as it was. Write texts, such as [{example}]."
CLAMPED = "“{field}” must lie between {lowest} and {highest}. {value} was booked as {booked}."
ROUNDED = "“{field}” must be a whole number. {value} was booked as {booked}."
READ_AS_STEP = "“{field}” was written as the step {value} and booked as {booked}. Write the new value itself."
READ_AS_NUMBER = "“{field}” was written as a text and booked as {booked}. Write the number without quotes."
NUMBER_TOO_LARGE = "“{field}” is a number of endless size. It stays as it was."

LARGEST: Final = 2**53
"""What every reader of JSON takes exactly."""

SHOWN: Final = 60
_NUMBER = re.compile(r"([+\-−–])?\s*(\d{1,9}(?:\.\d{1,6})?)%?")


class Notes:
    """Gathers what is to be said about a patch; the same thing is said once."""

    def __init__(self) -> None:
        self.all: list[Note] = []

    def add(self, template: str, **fields: object) -> None:
        said = Note(template, fields)
        if said not in self.all:
            self.all.append(said)


def shown(value: object) -> str:
    """The value as a note can quote it: short, never failing."""
    if isinstance(value, Mapping):
        return "{…}"
    if isinstance(value, list | tuple):
        return "[…]"
    if isinstance(value, str):
        text = clean(value)
        return f'"{text}"' if len(text) <= SHOWN else f'"{text[:SHOWN]}…"'
    if value is None or isinstance(value, bool):
        return {None: "null", True: "true", False: "false"}[value]
    return str(value) if isinstance(value, float) or abs(value) <= LARGEST else "…"  # type: ignore[arg-type]


def text(value: object, field: str, notes: Notes) -> str | None:
    """A text, or None and a note."""
    if isinstance(value, str):
        return clean(value)
    notes.add(NOT_TEXT, field=field, value=shown(value))
    return None


def mapping(value: object, field: str, example: str, notes: Notes) -> Mapping[str, Any] | None:
    """An object, or None and a note."""
    if isinstance(value, Mapping):
        return value
    notes.add(NOT_OBJECT, field=field, value=shown(value), example=example)
    return None


def texts(value: object, field: str, notes: Notes, example: str = '"…", "…"') -> list[str] | None:
    """A list of texts, items that are none left out; None when nothing of it could be read."""
    if not isinstance(value, list | tuple):
        notes.add(NOT_LIST, field=field, value=shown(value), example=example)
        return None
    kept = []
    for number, item in enumerate(value, start=1):
        if isinstance(item, str) and clean(item):
            kept.append(clean(item))
        else:
            notes.add(ITEM_NOT_TEXT, field=field, number=number, value=shown(item), example=_as_text(item))
    if value and not kept:
        notes.add(NO_ITEM_LEFT, field=field, example=example)
        return None
    return kept


def plain(value: object, field: str, notes: Notes) -> str | int | float | bool | None:
    """A text, a number or a yes or no; None and a note for anything else."""
    if isinstance(value, str):
        return clean(value)
    if isinstance(value, bool):
        return value
    if isinstance(value, int | float):
        return _sound(value, field, notes)
    notes.add(NOT_PLAIN, field=field, value=shown(value))
    return None


def number(
    value: object,
    field: str,
    notes: Notes,
    *,
    now: float,
    limits: tuple[float | None, float | None],
) -> float | None:
    """A number within its limits. A text with a sign, "+5" or "-3", is a step from `now`; the note says so."""
    read = _written(value, field, notes, now) if isinstance(value, str) else _plain_number(value, field, notes)
    if read is None:
        return None
    lowest, highest = limits
    held = read if lowest is None else max(read, lowest)
    held = _trimmed(held if highest is None else min(held, highest))
    if held != read:
        notes.add(
            CLAMPED, field=field, value=neat(read), lowest=_limit(lowest), highest=_limit(highest), booked=neat(held)
        )
    return held


def whole(value: float, field: str, notes: Notes) -> int:
    """The number as a whole one, with a note when that changed it."""
    if round(value) != value:
        notes.add(ROUNDED, field=field, value=neat(value), booked=round(value))
    return round(value)


def neat(value: float) -> str:
    """A number as people write it: 40, not 40.0."""
    return str(int(value)) if value == int(value) else str(value)


def _plain_number(value: object, field: str, notes: Notes) -> float | None:
    if isinstance(value, int | float) and not isinstance(value, bool):
        return _sound(value, field, notes)
    notes.add(NOT_NUMBER, field=field, value=shown(value))
    return None


def _written(value: str, field: str, notes: Notes, now: float) -> float | None:
    found = _NUMBER.fullmatch(normalize("NFKC", value).strip())
    if not found:
        notes.add(NOT_NUMBER, field=field, value=shown(value))
        return None
    sign, amount = found[1], float(found[2])
    if sign is None:
        notes.add(READ_AS_NUMBER, field=field, booked=neat(amount))
        return amount
    booked = now + amount if sign == "+" else now - amount
    notes.add(READ_AS_STEP, field=field, value=shown(value), booked=neat(booked))
    return booked


def _sound(value: float, field: str, notes: Notes) -> float | None:
    if -LARGEST <= value <= LARGEST:
        return _trimmed(value)
    notes.add(NUMBER_TOO_LARGE, field=field)
    return None


def _trimmed(value: float) -> float:
    """40 for 40.0, so that a number is equal to itself however it was written."""
    return int(value) if value == int(value) else value


def _limit(value: float | None) -> str:
    return "…" if value is None else neat(value)


def _as_text(item: object) -> str:
    """What the item was probably meant to be: its name, or its value in quotes."""
    if isinstance(item, Mapping):
        item = item.get("name") or next((inner for inner in item.values() if isinstance(inner, str)), None)
    if isinstance(item, str) and clean(item):
        return shown(item)
    if isinstance(item, int | float) and not isinstance(item, bool):
        return f'"{shown(item)}"'
    return '"…"'
