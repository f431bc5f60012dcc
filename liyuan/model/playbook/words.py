"""Small readings of a text: a thing that is named, words turned round, a fact of the card. Pure, in both languages."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final, Literal, TypeAlias

from liyuan.model.playbook import words_en, words_zh
from liyuan.model.playbook.book import Book, Kind
from liyuan.model.tongue import Tongue

Gender: TypeAlias = Literal["she", "he", "they"]

_QUOTED = re.compile(r"[“\"「『]([^”\"」』]{1,400})[”\"」』]")
_SET_APART = re.compile(r"\*[^*]*\*|（[^）]*）|\([^)]*\)")
_SENTENCE = re.compile(r"[^。！？!?.…\n]+[。！？!?.…]+[”」』\"]?|[^。！？!?.…\n]+$", re.MULTILINE)
_WITH_SPEECH = re.compile(r"(?:“[^”]*”|「[^」]*」|\"[^\"]*\"|[^。！？!?.…\n])+[。！？!?.…]*")
_HEADING = re.compile(r"^\s*(?:\[[^\]\n]{1,60}\]|【[^】\n]{1,40}】)\s*$", re.MULTILINE)
_NO_FACT = re.compile(r"[{}<>|#\[\]:：“\"]|\b(?:you|your|must|never|always|user)\b|你|绝不|必须|从不替", re.IGNORECASE)

_THING: Final[dict[Tongue, Callable[[str, Book], tuple[Kind | None, str]]]] = {
    "zh": words_zh.thing_in,
    "en": words_en.thing_in,
}
_ECHO: Final[dict[Tongue, Callable[[str], str]]] = {"zh": words_zh.echo_of, "en": words_en.echo_of}
_TELLING: Final[dict[Tongue, Callable[[str], set[str]]]] = {"zh": words_zh.telling, "en": words_en.telling}
_ROLE: Final[dict[Tongue, Callable[[str, str], str]]] = {"zh": words_zh.role_of, "en": words_en.role_of}
_PRONOUNS: Final[dict[Tongue, tuple[re.Pattern[str], re.Pattern[str]]]] = {
    "zh": (re.compile(r"她|女子|姑娘|少女|女人"), re.compile(r"他(?!们)|男子|少年|男人")),
    "en": (re.compile(r"\b(?:she|her|hers|woman|girl)\b", re.I), re.compile(r"\b(?:he|him|his|man|boy)\b", re.I)),
}


def card_of(system: str, char: str, user: str) -> str:
    """The parts of a system text under headings that do not speak of the reader; all of it when there are none."""
    heads = [head.strip(" []【】\n") for head in _HEADING.findall(system)]
    if not heads:
        return system
    parts = zip(heads, _HEADING.split(system)[1:], strict=True)
    return "\n".join(body.strip() for head, body in parts if not (user and user in head and char not in head))


def spoken_part(text: str) -> str:
    """What is said aloud in a message: the quotations, else everything that is not set apart as an action."""
    quoted = _QUOTED.findall(text)
    return " ".join(quoted) if quoted else _SET_APART.sub(" ", text).strip()


def sentences(text: str) -> list[str]:
    plain = re.sub(r"[*_]+", "", text)
    return [sentence.strip() for sentence in _SENTENCE.findall(plain) if sentence.strip()]


def whole_sentences(text: str) -> list[str]:
    """Sentences with the speech inside them left in one piece."""
    plain = re.sub(r"[*_]+", "", text)
    return [sentence.strip() for sentence in _WITH_SPEECH.findall(plain) if sentence.strip()]


def thing_in(text: str, book: Book) -> tuple[Kind | None, str]:
    """The last thing a text names that the book knows, with its kind, else what looks like one, without."""
    return _THING[book.tongue](text, book)


def echo_of(said: str, tongue: Tongue) -> str:
    """The last short clause about the speaker, turned to the listener ("I have walked all night" → "You have …")."""
    return _ECHO[tongue](said)


def fact_for(asked: str, card: str, tongue: Tongue) -> str:
    """The sentence of the card that shares the most telling words with what is asked; empty when none does."""
    wanted = _TELLING[tongue](asked)
    usable = [text for text in sentences(card) if 8 <= len(text) <= 140 and not _NO_FACT.search(text)]
    scored = [(len(wanted & _TELLING[tongue](text)), text) for text in usable]
    best = max(scored, default=(0, ""), key=lambda found: found[0])
    return best[1] if best[0] else ""


def role_of(card: str, char: str, tongue: Tongue) -> str:
    """What the card says the character is ("the keeper of an inn"); empty when it does not say so plainly."""
    return _ROLE[tongue](card, re.escape(char)) if char else ""


def gender_of(text: str, tongue: Tongue) -> Gender:
    """By the pronouns of card and story."""
    her, him = (len(pattern.findall(text)) for pattern in _PRONOUNS[tongue])
    if her == him:
        return "they"
    return "she" if her > him else "he"
