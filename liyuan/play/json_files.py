"""A JSON file's bytes as one object. Whatever is wrong with them is told in words, and nothing is guessed."""

from __future__ import annotations

import json
from typing import Any

from liyuan.domain.errors import Invalid
from liyuan.domain.note import Note

EMPTY = "This file is empty. Choose the character's PNG or JSON file."
NEITHER = "This is neither a PNG picture nor a JSON file. Characters come in one of these two."
OTHER_PICTURE = (
    "This is a {kind} picture, and characters travel inside PNG pictures. Download the original PNG, or the JSON file."
)
ARCHIVE = "This is an archive (CharX or zip), which cannot be read yet. Export the character as PNG or JSON instead."
NOT_JSON = "This is not readable as JSON: line {line}, column {column}. Nothing was taken in."
LINE_BY_LINE = "This file holds one JSON object a line, as chats do, and not a character. Nothing was taken in."
NOT_TEXT = "This is neither a PNG picture nor text in UTF-8; it may be damaged. Download it again, or save it as UTF-8."
TOO_NESTED = "This file has lists inside lists without end. Nothing was taken in."
TOO_LONG_A_NUMBER = "This file holds a number with thousands of digits. Nothing was taken in."
NOT_AN_OBJECT = "This JSON file holds a list or a single value, where a character is an object. Nothing was taken in."

NOT_UTF8 = "The file is written in an older Chinese encoding (GB 18030). It was read as that."

_OTHER_PICTURES = {b"\xff\xd8\xff": "JPEG", b"GIF8": "GIF", b"RIFF": "WebP", b"BM": "BMP"}


def object_in(content: bytes, notes: list[Note]) -> dict[str, Any]:
    """The JSON object that a file's bytes spell, with or without a byte-order mark. Raises Invalid."""
    _refuse_other_kinds(content)
    text = _text_in(content, notes)
    if not text.lstrip().startswith(("{", "[")):
        raise Invalid(NEITHER)
    try:
        value = json.loads(text)
    except json.JSONDecodeError as error:
        told = Invalid(LINE_BY_LINE) if _is_an_object_a_line(text) else None
        raise told or Invalid(NOT_JSON, line=error.lineno, column=error.colno) from error
    except RecursionError as error:
        raise Invalid(TOO_NESTED) from error
    except ValueError as error:
        raise Invalid(TOO_LONG_A_NUMBER) from error
    if not isinstance(value, dict):
        raise Invalid(NOT_AN_OBJECT)
    return value


def _refuse_other_kinds(content: bytes) -> None:
    if not content.strip(b"\0 \r\n\t"):
        raise Invalid(EMPTY)
    for start, kind in _OTHER_PICTURES.items():
        if content.startswith(start):
            raise Invalid(OTHER_PICTURE, kind=kind)
    if content.startswith(b"PK\3\4"):
        raise Invalid(ARCHIVE)


def _text_in(content: bytes, notes: list[Note]) -> str:
    wide = content[:2] in (b"\xff\xfe", b"\xfe\xff")
    try:
        return content.decode("utf-16" if wide else "utf-8-sig")
    except UnicodeDecodeError:
        pass
    try:
        text = content.decode("gb18030")
    except UnicodeDecodeError as error:
        raise Invalid(NOT_TEXT) from error
    notes.append(Note(NOT_UTF8))
    return text


def _is_an_object_a_line(text: str) -> bool:
    try:
        return isinstance(json.loads(text.lstrip().splitlines()[0]), dict)
    except (ValueError, RecursionError):
        return False
