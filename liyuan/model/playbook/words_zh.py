"""What can be found in Chinese words without a dictionary of the language: by our own lists, then by measure words."""

from __future__ import annotations

import re
from functools import cache
from typing import Final

from liyuan.model.playbook.book import Book, Kind, words

_MEASURES: Final = "把盏封只块杯壶本张条件柄枚朵座碗支匹幅串盒包瓶根颗扇顶盘坛面首段枝卷场"
_END: Final = r"(?=[，。！？、；：…”」』\s]|[放递给交在到的了着里上下中是有和与从向往被就把也都还]|$)"
_MEASURED = re.compile(rf"(?:[一二两三四五六七八九十几这那])[{_MEASURES}]([\u4e00-\u9fff]{{1,4}}?){_END}")
_TAKEN = re.compile(
    r"(?:把|将|拿着|拿起|举起|提着|打开|推开|看着|望着|听着|听见|问起|提起|说起|关于|寻找|找)"
    rf"(?:[你我]的|[那这][{_MEASURES}]?)?([\u4e00-\u9fff]{{2,4}}?){_END}"
)
_DULL: Final = frozenset(
    words("什么 怎么 自己 我们 你们 他们 东西 时候 地方 事情 一下 一点 这里 那里 一个 身子 目光 声音 眼睛")
)
_NO_ECHO = re.compile(r"吗|呢|吧|什么|怎么|请|你|我们")
_GRAMMAR = re.compile(
    r"什么|怎么|为何|为什么|这里|那里|自己|一个|可以|知道|没有|时候|我们|你们|现在|是不是|能不能|[的了吗呢着过吧啊呀是在有我你]"
)


def thing_in(text: str, book: Book) -> tuple[Kind | None, str]:
    kinds, long_words, single = _known(book.kinds)
    found = long_words.findall(text) or [one or other for one, other in single.findall(text)]
    if found:
        return kinds[found[-1]], found[-1]
    return None, _looks_like_a_thing(text)


@cache
def _known(kinds: tuple[Kind, ...]) -> tuple[dict[str, Kind], re.Pattern[str], re.Pattern[str]]:
    """A word of one character counts where it stands by itself: after a measure word or verb, or before a pause."""
    by_word = {word: kind for kind in reversed(kinds) for word in kind.words}
    long_words = "|".join(sorted((word for word in by_word if len(word) > 1), key=len, reverse=True))
    single = "".join(word for word in by_word if len(word) == 1)
    alone = rf"(?:[一这那几][{_MEASURES}]|[喝看听拿点吃开])([{single}])|([{single}])(?=[，。！？、…”」呢吗])"
    never = re.compile(r"(?!)()()")
    return by_word, re.compile(long_words or r"(?!)"), re.compile(alone) if single else never


def echo_of(said: str) -> str:
    for clause in reversed(re.split(r"[，。！？!?；…\s]+", said)):
        if 4 <= len(clause) <= 16 and clause.startswith("我") and not _NO_ECHO.search(clause):
            return clause.replace("我", "你")
    return ""


def telling(text: str) -> set[str]:
    """Pairs of characters that are not mere grammar."""
    runs = re.findall(r"[\u4e00-\u9fff]{2,}", _GRAMMAR.sub(" ", text))
    return {run[i : i + 2] for run in runs for i in range(len(run) - 1)}


def role_of(card: str, name: str) -> str:
    found = re.search(rf"{name}(?:，|,|是|：)(?:一[个位名])?([\u4e00-\u9fff]{{2,12}})(?=[，。；、,;\n])", card)
    if not found or found[1][0] in "在有会很从不" or re.search(r"\d|岁", found[1]):
        return ""
    return found[1]


def _looks_like_a_thing(text: str) -> str:
    for pattern in (_MEASURED, _TAKEN):
        for found in reversed(pattern.findall(text)):
            if len(found) > 1 and found not in _DULL and found[0] not in "人时样":
                return str(found)
    return ""
