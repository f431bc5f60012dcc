"""The fields a card adds to the world (`extensions.liyuan.fields`). Read with tolerance; each oddity leaves a note."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Final, Literal, TypeAlias, cast, get_args

from liyuan.domain.names import clean, fold, one_line
from liyuan.domain.note import Note
from liyuan.domain.world import FIELDS

FieldType: TypeAlias = Literal["text", "number", "bar", "list"]
Show: TypeAlias = Literal["text", "number", "bar", "list", "hidden"]

MOST: Final = 40

FIELDS_NOT_A_LIST = "The card's own fields are not written as a list. None was taken."
FIELD_NOT_AN_OBJECT = "Field {number} of the card is not written as an object with a name. It was left aside."
FIELD_NAME_TAKEN = "The card declares the field “{field}”, whose name is taken already. It was left aside."
FIELD_TYPE_UNKNOWN = "The field “{field}” is of an unknown type, “{type}”. It was taken as a text."
FIELD_LIMIT_UNREADABLE = "A limit of the field “{field}” is not a number. It was left aside."
FIELD_LIMITS_CROSSED = "The limits of the field “{field}” are the wrong way round. They were exchanged."
FIELD_SHOW_UNKNOWN = "How to show the field “{field}” is unknown: “{show}”. It is shown by its type."
TOO_MANY_FIELDS = "The card declares {count} fields. The first {limit} were taken."


@dataclass(frozen=True, slots=True, kw_only=True)
class Field:
    """One declared field. A bar is a number with both limits, 0 to 100 unless told; `show` is how it is drawn."""

    name: str
    type: FieldType = "text"
    label: str = ""
    min: float | None = None
    max: float | None = None
    show: Show = "text"
    about: str = ""

    @property
    def is_number(self) -> bool:
        return self.type in ("number", "bar")


def parse_fields(extensions: Mapping[str, Any]) -> tuple[tuple[Field, ...], tuple[Note, ...]]:
    """The fields that a card's extensions declare, and what was odd about them.

    A list of objects {name, type, label?, min?, max?, show?, about?}, or an object of those by name.
    """
    declared = declared_by(extensions).get("fields")
    if isinstance(declared, Mapping):
        declared = [{"name": name, **_object(body)} for name, body in declared.items()]
    if declared is None:
        return (), ()
    if not isinstance(declared, list):
        return (), (Note(FIELDS_NOT_A_LIST),)
    reading = _Reading()
    fields = reading.all(declared[:MOST])
    if len(declared) > MOST:
        reading.note(TOO_MANY_FIELDS, count=len(declared), limit=MOST)
    return fields, tuple(reading.notes)


def declared_by(extensions: Mapping[str, Any]) -> Mapping[str, Any]:
    """What the card keeps for us in its extensions; empty when it keeps nothing readable."""
    return _object(extensions.get("liyuan"))


def _object(value: object) -> Mapping[str, Any]:
    return value if isinstance(value, Mapping) else {}


class _Reading:
    def __init__(self) -> None:
        self.notes: list[Note] = []
        self._taken = {fold(name) for name in FIELDS}

    def note(self, template: str, **fields: object) -> None:
        self.notes.append(Note(template, fields))

    def all(self, declared: Iterable[object]) -> tuple[Field, ...]:
        read = [self._field(value, number) for number, value in enumerate(declared, start=1)]
        return tuple(field for field in read if field is not None)

    def _field(self, value: object, number: int) -> Field | None:
        raw = _object(value)
        name = raw.get("name")
        if not isinstance(name, str) or not clean(name):
            self.note(FIELD_NOT_AN_OBJECT, number=number)
            return None
        name = one_line(name)
        if fold(name) in self._taken:
            self.note(FIELD_NAME_TAKEN, field=name)
            return None
        self._taken.add(fold(name))
        return self._described(name, raw)

    def _described(self, name: str, raw: Mapping[str, Any]) -> Field:
        kind = self._type(name, raw.get("type"))
        lowest, highest = self._limits(name, kind, raw)
        label, about = raw.get("label"), raw.get("about")
        return Field(
            name=name,
            type=kind,
            label=one_line(label) if isinstance(label, str) and clean(label) else name,
            min=lowest,
            max=highest,
            show=self._show(name, kind, raw.get("show")),
            about=one_line(about) if isinstance(about, str) else "",
        )

    def _type(self, name: str, told: object) -> FieldType:
        if told in get_args(FieldType):
            return cast(FieldType, told)
        if told is not None:
            self.note(FIELD_TYPE_UNKNOWN, field=name, type=str(told)[:40])
        return "text"

    def _show(self, name: str, kind: FieldType, told: object) -> Show:
        if told is False:
            return "hidden"
        if isinstance(told, str) and told in get_args(Show):
            return cast(Show, told)
        if told not in (None, True):
            self.note(FIELD_SHOW_UNKNOWN, field=name, show=str(told)[:40])
        return kind

    def _limits(self, name: str, kind: FieldType, raw: Mapping[str, Any]) -> tuple[float | None, float | None]:
        lowest, highest = self._limit(name, raw.get("min")), self._limit(name, raw.get("max"))
        if kind == "bar":
            lowest = 0 if lowest is None else lowest
            highest = max(100, lowest + 1) if highest is None else highest
        if lowest is not None and highest is not None and lowest > highest:
            self.note(FIELD_LIMITS_CROSSED, field=name)
            lowest, highest = highest, lowest
        return lowest, highest

    def _limit(self, name: str, told: object) -> float | None:
        if told is None:
            return None
        if isinstance(told, int | float) and not isinstance(told, bool) and -1e15 < told < 1e15 and math.isfinite(told):
            return told
        self.note(FIELD_LIMIT_UNREADABLE, field=name)
        return None
