"""What a save may be called when nobody names it, and which moments are worth keeping: place and day in the ledger."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

from liyuan.domain.card import Language
from liyuan.domain.names import fold, one_line
from liyuan.domain.saves import shortened
from liyuan.domain.world import WorldState

# How long a name from the story may be: in the ledger's words, and in the first words of a reply.
LEDGER_WORDS: Final = 60
FIRST_WORDS: Final = 32
# A name shorter than this is in a text by chance, unless it is its first words.
QUOTED: Final = 12

_BETWEEN: Final[Mapping[Language, str]] = {"en": ", ", "zh": " · "}
_TURN: Final[Mapping[Language, str]] = {"en": "Turn {turn}", "zh": "第 {turn} 回合"}
_MARKS = re.compile(r"[*_`#>~\[\]]+|^[\s“”\"「」『』'‘’—…·-]+")
_SENTENCE = re.compile(r"(?<=[。！？!?…])|(?<=\.)\s")
# A day as people write it: a date, a numbered or counted day, a day of the week. The hour is left out.
_DAYS = re.compile(
    r"\d{4}[-/.年]\s?\d{1,2}[-/.月]\s?\d{1,2}"
    r"|\d{1,2}月\d{1,2}[日号]?|[正一二三四五六七八九十冬腊]+月(?:初|廿|二十|三十|十)?[一二三四五六七八九十]*"
    r"|第\s?[\d零一二三四五六七八九十百]+\s?[天日夜晚]|(?:星期|周|礼拜)[一二三四五六日天]|次日|翌日|初[一二三四五六七八九十]"
    r"|\b(?:day|night)\s+(?:\d+|one|two|three|four|five|six|seven|eight|nine|ten)\b"
    r"|\b(?:first|second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth|\d+(?:st|nd|rd|th)|next)\s+(?:day|night)\b"
    r"|\b(?:mon|tues|wednes|thurs|fri|satur|sun)day\b"
    r"|\b(?:january|february|march|april|may|june|july|august|september|october|november|december)\s+\d{1,2}\b"
    r"|\b\d{1,2}\s+(?:january|february|march|april|may|june|july|august|september|october|november|december)\b",
    re.IGNORECASE,
)


def proposed_name(world: WorldState, last_reply: str, turn: int, language: Language) -> str:
    """Place and time of the ledger; without them the first words of the last reply; else the number of the turn."""
    known = [part for part in (world.location.strip(), world.time.strip()) if part]
    if known:
        return shortened(_BETWEEN[language].join(known), LEDGER_WORDS)
    return shortened(first_words(last_reply), FIRST_WORDS) or turn_name(turn, language)


def turn_name(turn: int, language: Language) -> str:
    """The name that says nothing of the story."""
    return _TURN[language].format(turn=turn)


def quotes(name: str, text: str) -> bool:
    """Whether a name repeats a text: its first words, or a longer stretch of it, cut off or not."""
    if name == shortened(first_words(text), FIRST_WORDS):
        return True
    stem = name.removesuffix("…")
    return len(stem) >= QUOTED and stem in one_line(_MARKS.sub("", text))


def first_words(text: str) -> str:
    """The first sentence that says something, without marks of emphasis and quotation at its beginning."""
    plain = _MARKS.sub("", " ".join(text.split()))
    sentences = (part.strip(" ”\"」』’'") for part in _SENTENCE.split(_MARKS.sub("", plain)))
    return next((part for part in sentences if any(map(str.isalnum, part))), "")


def is_new_chapter(before: WorldState, after: WorldState) -> bool:
    """Whether the story has come to another place or day since `before`. What was unknown then has not changed."""
    moved = bool(before.location.strip() and after.location.strip()) and fold(before.location) != fold(after.location)
    earlier, later = day_of(before.time), day_of(after.time)
    return moved or bool(earlier and later and earlier != later)


def day_of(time: str) -> str:
    """The day within a time as it is written in the ledger, folded; empty where it names none."""
    return " ".join(fold(found) for found in _DAYS.findall(time))
