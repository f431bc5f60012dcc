"""Reads the JSON objects in what a model wrote. Slips of the pen are forgiven; what was cut off is never guessed.

Forgiven: prose and fences around, trailing and missing commas, comments, single, curly and full-width marks, Python's
words for true, false and null, line breaks in texts, "+5" without quotes. Cut off: the members that were complete are
kept, at any depth of objects; a list that was cut is left out whole, since lists replace whole.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Any, Final

from liyuan.domain.world import Json

DEEPEST: Final = 60
MOST_TRIES: Final = 1000

_SPACE = re.compile(r"(?:[\s\ufeff\u3000]+|//[^\n]*|/\*.*?\*/)*", re.DOTALL)
_NUMBER = re.compile(r"-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?")
_STEP = re.compile(r"\+\d+(?:\.\d+)?")
_WORD = re.compile(r"[A-Za-z]+")
_WORDS: Final[dict[str, bool | None]] = {
    "true": True,
    "false": False,
    "null": None,
    "True": True,
    "False": False,
    "None": None,
}
_QUOTES: Final = {'"': '"', "'": "'", "“": "”", "＂": "＂"}
_INSIDE = {close: re.compile(rf"[^\\{close}]*") for close in _QUOTES.values()}
_ESCAPES: Final = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f"}
_BRACES = re.compile(r'"(?:[^"\\]|\\.)*"|[{}]', re.DOTALL)
_UNFINISHED = re.compile(r"[.eE+-]*")
_FENCE: Final = "```"


@dataclass(frozen=True, slots=True)
class Found:
    """One object, where it ends, and whether it was closed. `begun` tells that at least one key was read."""

    value: Json
    end: int
    whole: bool
    begun: bool


@dataclass(slots=True)
class Search:
    """The objects found, in order; the last may be cut off. `trouble` is where an object, once begun, made no sense."""

    objects: list[Found] = field(default_factory=list)
    trouble: Malformed | None = None


class Malformed(Exception):
    """This is no JSON, however kindly it is read; `near` quotes the place."""

    def __init__(self, text: str, at: int) -> None:
        super().__init__()
        self.at = at
        self.near = text[max(at - 20, 0) : at + 20].strip()


class _Cut(Exception):
    """The text ended within a value that cannot be kept in part."""


def search(text: str) -> Search:
    """Every object that lies in no other, tried from each opening brace. One that was begun and not closed is the last.

    What lies inside an object that makes no sense is never taken for an answer of its own.
    """
    result, at = Search(), text.find("{")
    for _ in range(MOST_TRIES):
        if at < 0:
            break
        reading = _Reading(text, at)
        try:
            found = reading.found()
        except Malformed as trouble:
            if reading.begun:
                result.trouble = max(result.trouble or trouble, trouble, key=lambda one: one.at)
            at = text.find("{", _closed(text, at) if reading.begun else at + 1)
            continue
        if found.whole or found.begun:
            result.objects.append(found)
        if not found.whole and found.begun:
            break
        at = text.find("{", found.end if found.whole else at + 1)
    return result


def _closed(text: str, at: int) -> int:
    """Where the braces opened at `at` are closed again, texts left out of account; the end when they never are."""
    open_braces = 0
    for token in _BRACES.finditer(text, at):
        open_braces += {"{": 1, "}": -1}.get(token[0], 0)
        if open_braces == 0:
            return token.end()
    return len(text)


class _Reading:
    def __init__(self, text: str, at: int) -> None:
        self._text = text
        self._at = at
        self._whole = True
        self.begun = False

    def found(self) -> Found:
        value = self._object(0)
        return Found(value, self._at, self._whole, self.begun)

    def _object(self, depth: int) -> Json:
        """The members up to the closing brace, or those that were complete when the text ended."""
        if depth > DEEPEST:
            raise Malformed(self._text, self._at)
        self._at += 1
        members: Json = {}
        try:
            while self._next() != "}":
                key = self._key()
                value = self._value(depth)
                if self._whole or value:
                    members[key] = _joined(members.get(key), value)
                if not self._whole:
                    return members
                self._separator("}")
        except _Cut:
            self._whole = False
            return members
        self._at += 1
        return members

    def _key(self) -> str:
        if self._next() not in _QUOTES:
            raise Malformed(self._text, self._at)
        key = self._string()
        if self._next() not in (":", "："):
            raise Malformed(self._text, self._at)
        self._at += 1
        self.begun = True
        return key

    def _value(self, depth: int) -> Any:
        first = self._next()
        if first == "{":
            return self._object(depth + 1)
        if first == "[":
            return self._list(depth + 1)
        return self._string() if first in _QUOTES else self._scalar(first)

    def _list(self, depth: int) -> list[Any]:
        if depth > DEEPEST:
            raise Malformed(self._text, self._at)
        self._at += 1
        items = []
        while self._next() != "]":
            items.append(self._value(depth))
            if not self._whole:
                raise _Cut
            self._separator("]")
        self._at += 1
        return items

    def _separator(self, close: str) -> None:
        """A comma, or what may stand without one: the end, or another text on a new line."""
        before = self._at
        first = self._next()
        if first in (",", "，"):
            self._at += 1
        elif first != close and not (first in _QUOTES and "\n" in self._text[before : self._at]):
            raise Malformed(self._text, self._at)

    def _string(self) -> str:
        close = _QUOTES[self._text[self._at]]
        self._at += 1
        parts = []
        while True:
            inside = _INSIDE[close].match(self._text, self._at)
            parts.append(inside[0] if inside else "")
            self._at += len(parts[-1])
            mark = self._text[self._at : self._at + 1]
            self._at += 1
            if mark == close:
                return _paired("".join(parts))
            if not mark:
                raise _Cut
            parts.append(self._escape())

    def _escape(self) -> str:
        letter = self._text[self._at : self._at + 1]
        if not letter:
            raise _Cut
        self._at += 1
        if letter != "u":
            return _ESCAPES.get(letter, letter)
        digits = self._text[self._at : self._at + 4]
        if len(digits) < 4:
            raise _Cut
        if not re.fullmatch("[0-9a-fA-F]{4}", digits):
            raise Malformed(self._text, self._at)
        self._at += 4
        return chr(int(digits, 16))

    def _scalar(self, first: str) -> Any:
        """A word, a number, or a step such as +5, which stays a text."""
        if first.isalpha():
            return self._word()
        found = (_STEP if first == "+" else _NUMBER).match(self._text, self._at)
        rest = self._text[found.end() if found else self._at :]
        if _UNFINISHED.fullmatch(rest):
            raise _Cut
        if found is None:
            raise Malformed(self._text, self._at)
        self._at = found.end()
        return found[0] if first == "+" else _number(found[0])

    def _word(self) -> bool | None:
        found = _WORD.match(self._text, self._at)
        word = found[0] if found else ""
        if word in _WORDS:
            self._at += len(word)
            return _WORDS[word]
        if word and self._at + len(word) == len(self._text) and any(known.startswith(word) for known in _WORDS):
            raise _Cut
        raise Malformed(self._text, self._at)

    def _next(self) -> str:
        """The next character that matters. Raises _Cut at the end, for which a closing fence stands too."""
        space = _SPACE.match(self._text, self._at)
        self._at = space.end() if space else self._at
        if self._at >= len(self._text) or self._text.startswith(_FENCE, self._at):
            raise _Cut
        return self._text[self._at]


def _joined(old: Any, new: Any) -> Any:
    """A key told twice: objects are laid together, of anything else the later one stands."""
    return {**old, **new} if isinstance(old, dict) and isinstance(new, dict) else new


def _number(written: str) -> int | float:
    if written.lstrip("-").isdecimal() and len(written) <= 400:
        return int(written)
    return float(written)


def _paired(text: str) -> str:
    """Escaped halves of a character joined; a half on its own becomes a replacement mark."""
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
