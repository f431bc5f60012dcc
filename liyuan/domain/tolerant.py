"""Reading loosely written JSON. Every reading a person could have meant is taken, and every oddity leaves one note."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping
from typing import Any, TypeAlias

from liyuan.domain.errors import Invalid
from liyuan.domain.note import Note

Json: TypeAlias = dict[str, Any]

DEEPEST = 100
"""How many objects and lists may lie inside each other. The deepest honest card seen has about ten."""

TOO_DEEP = "This file nests more than {limit} lists in each other, which no card needs. Nothing was taken in."

READ_AS_TEXT = "“{field}” is not written as text. It was read as text."
LEFT_ASIDE = "“{field}” is written in a way that cannot be read. It was left aside; the card keeps it as it is."
LIST_OF_ONE = "“{field}” is one text where a list is expected. It was read as a list of one."
SPLIT_AT_COMMAS = "“{field}” is one text where a list is expected. It was split at its commas."
PARTS_LEFT_ASIDE = "“{field}” holds {count} parts that are not text. They were left aside."
UNSTORABLE = "{count} characters that no file should hold (zero bytes, halves of characters) were taken out."

_UNSTORABLE = re.compile("[\x00\ud800-\udfff]")


class Reader:
    """Reads single values and gathers the notes. `field` is the name the person finds in the file."""

    def __init__(self) -> None:
        self.notes: list[Note] = []

    def note(self, template: str, **fields: object) -> None:
        said = Note(template, fields)
        if said not in self.notes:
            self.notes.append(said)

    def text(self, value: object, field: str) -> str:
        """The value as text: null is empty, numbers are spelled out, lists of text are joined by lines."""
        if isinstance(value, str):
            return value
        if value is None:
            return ""
        if isinstance(value, bool | int | float):
            self.note(READ_AS_TEXT, field=field)
            return str(value).lower() if isinstance(value, bool) else _number(value)
        if isinstance(value, list) and all(isinstance(part, str) for part in value):
            self.note(READ_AS_TEXT, field=field)
            return "\n".join(value)
        self.note(LEFT_ASIDE, field=field)
        return ""

    def texts(self, value: object, field: str, *, commas: bool = False) -> tuple[str, ...]:
        """The value as texts that are not blank. One text is a list of one; with `commas` it is split."""
        if isinstance(value, str):
            return self._one_text(value, field, commas)
        if isinstance(value, Mapping):
            value = list(value.values())
        if value is None or isinstance(value, list):
            return self._texts_in(value or [], field)
        self.note(LEFT_ASIDE, field=field)
        return ()

    def mapping(self, value: object, field: str) -> Json:
        """The value as an object; null is an empty one."""
        if isinstance(value, dict):
            return value
        if value is not None:
            self.note(LEFT_ASIDE, field=field)
        return {}

    def _one_text(self, value: str, field: str, commas: bool) -> tuple[str, ...]:
        if not value.strip():
            return ()
        self.note(SPLIT_AT_COMMAS if commas else LIST_OF_ONE, field=field)
        parts = re.split("[,;\uff0c\u3001\uff1b]", value) if commas else [value]
        return tuple(part.strip() if commas else part for part in parts if part.strip())

    def _texts_in(self, parts: Iterable[object], field: str) -> tuple[str, ...]:
        known = [_number(part) if _is_number(part) else part for part in parts if part is not None]
        texts = [part for part in known if isinstance(part, str)]
        if len(texts) < len(known):
            self.note(PARTS_LEFT_ASIDE, field=field, count=len(known) - len(texts))
        return tuple(text for text in texts if text.strip())


def storable(raw: Mapping[str, Any], reader: Reader) -> Json:
    """A deep copy any database and JSON reader can hold: no NUL, lone surrogate, NaN or endless depth.

    Raises Invalid when lists and objects lie more than `DEEPEST` inside each other.
    """
    lost = [0]
    copy = {_sound(str(key), lost): _copied(value, 1, lost) for key, value in raw.items()}
    if lost[0]:
        reader.note(UNSTORABLE, count=lost[0])
    return copy


def _copied(value: object, depth: int, lost: list[int]) -> object:
    if depth > DEEPEST:
        raise Invalid(TOO_DEEP, limit=DEEPEST)
    if isinstance(value, str):
        return _sound(value, lost)
    if isinstance(value, Mapping):
        return {_sound(str(key), lost): _copied(inner, depth + 1, lost) for key, inner in value.items()}
    if isinstance(value, list | tuple):
        return [_copied(inner, depth + 1, lost) for inner in value]
    if isinstance(value, float) and not math.isfinite(value):
        return None
    return value


def _sound(text: str, lost: list[int]) -> str:
    sound, count = _UNSTORABLE.subn("", text)
    lost[0] += count
    return sound


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _number(value: object) -> str:
    return str(int(value)) if isinstance(value, float) and value.is_integer() else str(value)
