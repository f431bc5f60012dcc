"""Which of our two languages a text is in. Pure; the answer is a language code, never a guess left open."""

from __future__ import annotations

import re
from typing import Literal, TypeAlias

Tongue: TypeAlias = Literal["zh", "en"]

_HAN = re.compile(r"[\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff]")
_LATIN_WORD = re.compile(r"[A-Za-z]+(?:['’][a-z]+)?")


def tongue_of(*texts: str) -> Tongue:
    """The language most of the texts is in: a Han character weighs as much as a Latin word.

    The first text that holds either decides, so put the most telling one first.
    """
    for text in texts:
        han, latin = len(_HAN.findall(text)), len(_LATIN_WORD.findall(text))
        if han or latin:
            return "zh" if han >= latin else "en"
    return "en"
