"""What can be found in English words without a grammar: by our own lists, then by articles and possessives."""

from __future__ import annotations

import re
from functools import cache
from typing import Final

from liyuan.model.playbook.book import Book, Kind, words

_STOP: Final = frozenset(
    words("""
        a an the my your his her its our their this that these those some any and or but of to in on at by for with
        from into onto over under about as is are was were be been am i you he she it we they who what where when why
        how not there here then than so if because while before after again just very too also still only
    """)
)
_DULL: Final = frozenset(
    words("""
        way time thing things moment bit lot kind sort one day night place side end point part while word words hand
        hands eyes head face voice smile step room chair same other first last next little long good question answer
        matter deep small more most few hour minute second world man woman person people idea reason
    """)
)
_GRAMMAR: Final = frozenset(
    words("""
        there their these those where which while would could should about really think thing other after before never
        always still might again every being because under until about seems want wants come comes tell please maybe
    """)
)
_NOUNISH = re.compile(
    r"\b(?:the|my|your|this|that|a|an|his|her|some|these|those)\s+((?:[a-z]+(?:-[a-z]+)?\s+){0,2}[a-z]+(?:-[a-z]+)?)",
    re.IGNORECASE,
)
_TURNED: Final = dict(
    pair.split(":")
    for pair in words("""
        i:you me:you my:your mine:yours am:are i'm:you're i've:you've i'd:you'd i'll:you'll was:were myself:yourself
        we:you our:your us:you
    """)
)
_NO_ECHO = re.compile(r"\byou|\bplease\b", re.IGNORECASE)


def thing_in(text: str, book: Book) -> tuple[Kind | None, str]:
    low = text.lower()
    kinds, known = _known(book.kinds)
    found = known.findall(low)
    if found:
        kind = kinds[found[-1]]
        return kind, f"{'your' if kind.name == 'family' else 'the'} {found[-1]}"
    nouns = (_noun(phrase) for phrase in reversed(_NOUNISH.findall(low)))
    return None, next((f"the {noun}" for noun in nouns if noun), "")


@cache
def _known(kinds: tuple[Kind, ...]) -> tuple[dict[str, Kind], re.Pattern[str]]:
    by_word = {word: kind for kind in reversed(kinds) for word in kind.words}
    either = "|".join(map(re.escape, sorted(by_word, key=len, reverse=True)))
    return by_word, re.compile(rf"\b(?:{either})\b" if either else r"(?!)")


def echo_of(said: str) -> str:
    for clause in reversed(re.split(r"[.,;!?…\n]+|\bbut\b|\bbecause\b|\band\b", said.replace("’", "'"))):
        spoken = clause.split()
        begins = bool(spoken) and spoken[0].lower() in ("i", "i'm", "i've", "we", "my")
        if begins and 3 <= len(spoken) <= 11 and not _NO_ECHO.search(clause):
            return " ".join(_TURNED.get(word.lower(), word) for word in spoken)
    return ""


def telling(text: str) -> set[str]:
    """Longer words that are not mere grammar, without their plural."""
    found = re.findall(r"[a-z]{5,}", text.lower())
    return {word.rstrip("s") for word in found if word not in _GRAMMAR and not word.endswith("ing")}


def role_of(card: str, name: str) -> str:
    found = re.search(rf"{name}[^.\n]{{0,40}}? (?:is|,) ?((?:an?|the) [^.,;\n(]{{3,60}})", card)
    return found[1].strip() if found else ""


def _noun(phrase: str) -> str:
    kept: list[str] = []
    for word in phrase.split():
        if word in _STOP or (kept and re.search(r"(?:ed|ing|ly)$", word)):
            break
        kept.append(word)
    return " ".join(kept) if kept and kept[-1] not in _DULL and len(kept[-1]) > 2 else ""
