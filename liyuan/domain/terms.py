"""The words of a text as memory looks for them: Latin words in a plain form, Chinese as pairs of characters. Pure.

Chinese has no spaces, and most of its words are two characters: “黄铜怀表” is told by 黄铜, 铜怀 and 怀表. One way for
what is stored and what is asked, and for SQLite and PostgreSQL, so that both find the same (docs/decisions/0014).
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from typing import Final

_HAN = r"\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
_RUN = re.compile(rf"(?P<han>[{_HAN}]+)|(?P<word>[^\W_{_HAN}]+(?:['’][^\W_{_HAN}]+)?)")
# Words and pairs that stand everywhere and so tell nothing. Only what is asked is sifted; what is stored is whole.
_EMPTY: Final = """
a an and are as at be been but by can could did do does for from had has have he her here him his how i if in
into is it its just me my no not now of on one or our out said say says she so some than that the their them then
there they this to up was we were what when where which who why will with would you your
什么 怎么 为什 这个 那个 这里 那里 自己 一个 我们 你们 他们 她们 没有 不是 就是 还是 知道 时候 现在 可以
的时 了一 是什 么时 么样 怎样 哪里 谁的 我的 你的 他的 她的 说道 一下 一声
"""
_NOTHING: Final = frozenset(_EMPTY.split())


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
    if len(run) == 1:
        yield run
    for at in range(len(run) - 1):
        yield run[at : at + 2]


def _plain(word: str) -> str:
    """A word without what English adds for number and possession."""
    word = word.replace("’", "'").removesuffix("'s").replace("'", "")
    if len(word) > 4 and word.endswith("ies"):
        return word[:-3] + "y"
    if len(word) > 3 and word.endswith("s") and not word.endswith(("ss", "us", "is")):
        return word[:-1]
    return word
