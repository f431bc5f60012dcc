"""How a name from a foreign file is shown: one line, no invisible characters, not endless, and never a path."""

from __future__ import annotations

import re
import unicodedata

from liyuan.domain.tolerant import Reader

LONGEST_NAME = 120
"""Characters of a name that are shown. The card keeps the whole of it."""

NAMELESS = "The card has no name. It is called “{name}” until you give it one."
NAME_CUT = "The name is {length} characters long. The first {limit} are shown, and the card keeps the rest."
NAME_CLEANED = "The name holds line breaks or invisible characters. They are not shown, and the card keeps them."
NAME_LIKE_A_PATH = "The name looks like the path of a file. It is only ever used as a name."

_JOINERS = "\u200c\u200d"
"""Invisible, and yet part of how emoji and several scripts are written."""


def shown_name(written: str) -> str:
    """The name as people see it; empty when nothing of it can be seen."""
    line = one_line(written)
    return line if len(line) <= LONGEST_NAME else line[: LONGEST_NAME - 1].rstrip() + "…"


def one_line(text: str) -> str:
    """The text without control characters, line ends, and format characters that could turn it around."""
    line = " ".join("".join(_visible(letter) for letter in text).split())
    return line if line.strip(_JOINERS + " ") else ""


def note_the_name(written: str, shown: str, reader: Reader) -> None:
    """Tell what is odd about a name that is shown as `shown`."""
    line = one_line(written)
    if not line:
        reader.note(NAMELESS, name=shown)
        return
    if line != " ".join(written.split(" ")).strip():
        reader.note(NAME_CLEANED)
    if len(line) > LONGEST_NAME:
        reader.note(NAME_CUT, length=len(written), limit=LONGEST_NAME)
    if re.search(r"\.\.[\\/]|^[\\/~]|^[A-Za-z]:[\\/]", written.strip()):
        reader.note(NAME_LIKE_A_PATH)


def _visible(letter: str) -> str:
    category = unicodedata.category(letter)
    if category in ("Cc", "Zl", "Zp"):
        return " "
    return "" if category in ("Cf", "Cs") and letter not in _JOINERS else letter
