"""The words of a text as memory looks for them: Latin words in a plain form, Chinese as characters and their pairs.

Chinese has no spaces, and most of its words are one or two characters: “怀表” is told by 怀, 怀表 and 表. One way for
what is stored and what is asked, and for SQLite and PostgreSQL, so that both find the same. Chosen by the question set
of `benchmarks/memory.py`: trigrams find a fifth as much in Chinese, pairs alone two thirds. Pure.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from typing import Final

_HAN = r"\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
_RUN = re.compile(rf"(?P<han>[{_HAN}]+)|(?P<word>[^\W_{_HAN}]+(?:['’][^\W_{_HAN}]+)?)")
# Words and characters that stand everywhere and so tell nothing. Only what is asked is sifted; what is stored is whole.
_EMPTY: Final = """
a an and are as at be been but by can could did do does for from had has have he her here him his how i if in into is it
its just me my no not now of on one or our out said say says she so some than that the their them then there they this
to up was we were what when where which who why will with would you your
"""
_FUNCTION: Final = "的了是在我你他她它们这那有个一不就也都什么怎吗呢哪谁为和与把被说道时候里"
_NOTHING: Final = frozenset([*_EMPTY.split(), *_FUNCTION])


def terms(text: str) -> list[str]:
    """Every term of a text in order, repeats kept."""
    return list(_terms(unicodedata.normalize("NFKC", text).lower()))


def telling_terms(text: str) -> list[str]:
    """The terms of a question that tell something, each once, in order."""
    return [term for term in dict.fromkeys(terms(text)) if term not in _NOTHING]


def _terms(text: str) -> Iterator[str]:
    for match in _RUN.finditer(text):
        if word := match["word"]:
            yield _plain(word)
        else:
            yield from _pairs(match["han"])


def _pairs(run: str) -> Iterator[str]:
    for at, character in enumerate(run):
        yield character
        if at + 1 < len(run):
            yield run[at : at + 2]


def _plain(word: str) -> str:
    """A word without what English adds for number and possession."""
    word = word.replace("’", "'").removesuffix("'s").replace("'", "")
    if len(word) > 4 and word.endswith("ies"):
        return word[:-3] + "y"
    if len(word) > 3 and word.endswith("s") and not word.endswith(("ss", "us", "is")):
        return word[:-1]
    return word
