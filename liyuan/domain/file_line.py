"""One line of a conversation file: from bytes to a JSON object, and from its keys to values. Nothing is guessed.

A line that cannot be read, or that no store could hold, is told apart with the reason; it never raises.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Final

from liyuan.domain.note import Note
from liyuan.domain.tolerant import DEEPEST, Json

BYTE_ORDER_MARK: Final = b"\xef\xbb\xbf"

#: A line holds a card, or what an entry tells, inside an object of its own.
DEEPEST_LINE: Final = DEEPEST + 8

MARKED: Final = "A byte-order mark stood before the first line. It was skipped; nothing was lost by it."
NUL: Final = "The line holds zero bytes, as a disk leaves them after a crash."
NOT_UTF8: Final = "The line is not UTF-8 text."
NOT_JSON: Final = "The line is not JSON: something is wrong at column {column}."
BAD_NUMBER: Final = "The line holds a number that cannot be read."
TWICE: Final = "One object of the line has the same key twice."
CUT_OFF: Final = "The last line is cut off."
NO_OBJECT: Final = "The line is not a JSON object."
HALF_CHARACTER: Final = "The line holds half of a character."
TOO_DEEP: Final = "The line nests more than {limit} lists in each other."
MISSING: Final = "“{key}” is missing."


class Unreadable(Exception):
    """Carries the reason up to whoever reads the file; never leaves `domain`."""

    def __init__(self, template: str, /, **fields: object) -> None:
        self.note = Note(template, fields)
        super().__init__(template)


def read_line(raw: bytes) -> Json | None:
    """The object on a line; None for a blank one. `raw` may end in CR LF, LF or nothing. Raises Unreadable."""
    if b"\0" in raw:
        raise Unreadable(NUL)
    try:
        text = raw.decode("utf-8").strip()
    except UnicodeDecodeError as error:
        raise Unreadable(NOT_UTF8) from error
    if not text:
        return None
    value = _parse(text, whole=raw.endswith(b"\n"))
    if not isinstance(value, dict):
        raise Unreadable(NO_OBJECT)
    return value


def _parse(text: str, *, whole: bool) -> object:
    if text.count("[") + text.count("{") > DEEPEST_LINE and _depth(text) > DEEPEST_LINE:
        raise Unreadable(TOO_DEEP, limit=DEEPEST_LINE)
    try:
        value: object = _decoder.decode(text)
    except json.JSONDecodeError as error:
        raise Unreadable(NOT_JSON if whole else CUT_OFF, column=error.colno) from error
    except ValueError as error:  # A number of thousands of digits.
        raise Unreadable(BAD_NUMBER) from error
    except RecursionError as error:
        raise Unreadable(TOO_DEEP, limit=DEEPEST_LINE) from error
    if "\\u" in text:
        _check_escapes(text)
    return value


_STRINGS = re.compile(r'"(?:[^"\\]|\\.)*"')


def _depth(text: str) -> int:
    depth = deepest = 0
    for sign in _STRINGS.sub("", text):
        if sign in "[{":
            depth += 1
            deepest = max(deepest, depth)
        elif sign in "]}":
            depth -= 1
    return deepest


_ESCAPES = re.compile(r"\\(?:u([0-9a-fA-F]{4})|.)", re.DOTALL)
_PAIR = re.compile(r"\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}")


def _check_escapes(text: str) -> None:
    """Refuses escaped zero bytes and halves of characters, which databases cannot hold."""
    for match in _ESCAPES.finditer(_PAIR.sub(" ", text.replace("\\\\", " "))):
        code = int(match[1] or "20", 16)
        if code == 0:
            raise Unreadable(NUL)
        if 0xD800 <= code <= 0xDFFF:
            raise Unreadable(HALF_CHARACTER)


def _finite(digits: str) -> float:
    number = float(digits)
    if math.isinf(number):
        raise Unreadable(BAD_NUMBER)
    return number


def _refuse_constant(_name: str) -> float:
    """NaN and Infinity, which Python would take."""
    raise Unreadable(BAD_NUMBER)


def _without_doubles(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """A key that is written twice has two meanings; neither is chosen."""
    value = dict(pairs)
    if len(value) < len(pairs):
        raise Unreadable(TWICE)
    return value


_decoder = json.JSONDecoder(parse_float=_finite, parse_constant=_refuse_constant, object_pairs_hook=_without_doubles)


def write_line(value: Mapping[str, Any]) -> str:
    """An object as a line: UTF-8 text, no spaces, keys in the order given."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")) + "\n"


@dataclass(frozen=True, slots=True)
class Shape:
    """What a key's value must be: `holds` checks it, `told` says what is wrong where it does not."""

    holds: Callable[[object], bool]
    told: str


def _is_text(value: object) -> bool:
    return isinstance(value, str)


def _is_object(value: object) -> bool:
    return isinstance(value, dict)


def _is_number(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


TEXT: Final = Shape(_is_text, "“{key}” is not text.")
TEXT_OR_NULL: Final = Shape(lambda value: value is None or _is_text(value), "“{key}” is neither text nor null.")
ID: Final = Shape(lambda value: _is_text(value) and value != "", "“{key}” is not an id.")
ID_OR_NULL: Final = Shape(lambda value: value is None or ID.holds(value), "“{key}” is neither an id nor null.")
OBJECT: Final = Shape(_is_object, "“{key}” is not an object.")
OBJECT_OR_NULL: Final = Shape(
    lambda value: value is None or _is_object(value), "“{key}” is neither an object nor null."
)
NUMBER: Final = Shape(_is_number, "“{key}” is not a whole number.")
NO_MOMENT: Final = "“{key}” is not a moment such as 2026-01-31T12:00:00Z."

_REQUIRED: Final = object()


def take(line: Json, key: str, shape: Shape, default: Any = _REQUIRED) -> Any:
    """The value of a key, or `default` where the key is absent. Raises Unreadable for any other shape."""
    value = line.get(key, default)
    if value is _REQUIRED:
        raise Unreadable(MISSING, key=key)
    if key in line and not shape.holds(value):
        raise Unreadable(shape.told, key=key)
    return value


def take_time(line: Json, key: str) -> str:
    """A moment in UTC; empty where the key is absent."""
    if key not in line:
        return ""
    moment = utc(line[key])
    if moment is None:
        raise Unreadable(NO_MOMENT, key=key)
    return moment


def rest(line: Json, known: frozenset[str]) -> Json:
    """The keys we do not know, to be kept."""
    return {} if line.keys() <= known else {key: value for key, value in line.items() if key not in known}


_WRITTEN = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,6})?Z")


def utc(stamp: object) -> str | None:
    """An ISO 8601 moment in UTC, as it was written where it is so already; None for anything else.

    A moment without a zone is taken for UTC.
    """
    try:
        moment = datetime.fromisoformat(stamp) if isinstance(stamp, str) else None
        if moment is None or _WRITTEN.fullmatch(str(stamp)):
            return str(stamp) if moment else None
        zoned = moment if moment.tzinfo else moment.replace(tzinfo=UTC)
        return zoned.astimezone(UTC).isoformat().replace("+00:00", "Z")
    except (ValueError, OverflowError):
        return None
