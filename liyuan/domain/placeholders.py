"""Filling an instruction with what the work needs. What its text leaves out is told beneath it, never lost."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

from liyuan.domain.card import Language
from liyuan.domain.history import Line
from liyuan.domain.phrases import as_told

Messages: TypeAlias = tuple[tuple[Literal["system", "user", "assistant"], str], ...]
"""What a model is asked: who speaks, and what."""

_THOUGHT = re.compile(r"<think(?:ing)?>.*?(?:</think(?:ing)?>|\Z)", re.DOTALL | re.IGNORECASE)
_PLACEHOLDER = re.compile(r"\{\{\s*(\w+)\s*\}\}")


@dataclass(frozen=True, slots=True)
class Cast:
    """The two names every story has: whom the model plays, and the reader's character."""

    char: str
    user: str


def fill(text: str, values: Mapping[str, str]) -> str:
    """The text with each {{name}} replaced once; unknown names and names inside the values stay as they are."""
    return _PLACEHOLDER.sub(lambda found: values.get(found[1].casefold(), found[0]), text)


def named_in(text: str) -> frozenset[str]:
    """The placeholders a text uses."""
    return frozenset(name.casefold() for name in _PLACEHOLDER.findall(text))


def beneath(sections: Sequence[tuple[str, str, str]], used: frozenset[str]) -> str:
    """The sections (name, title, text) that the instruction did not place itself, empty ones left out."""
    told = (f"{title}\n{text.strip()}" for name, title, text in sections if name not in used and text.strip())
    return "\n\n".join(told)


def asked(own: str | None, usual: str, sections: Sequence[tuple[str, str, str]], go: str, cast: Cast) -> Messages:
    """A person's own instruction, or the usual one, filled; beneath it what it left out, and the word to begin."""
    instruction = own if own and own.strip() else usual
    values = {"char": cast.char, "user": cast.user, **{name: text for name, _, text in sections}}
    work = "\n\n".join(part for part in (beneath(sections, named_in(instruction)), go) if part)
    return (("system", fill(instruction, values).strip()), ("user", work))


def told(lines: Sequence[Line], cast: Cast, language: Language = "en") -> str:
    """The story as a script: each message under the name of who said it, a note of another branch under what it is."""
    names = {"assistant": cast.char, "user": cast.user}
    spoken = [(names.get(line.role), as_told(line, language).strip()) for line in lines if line.text.strip()]
    return "\n\n".join(f"{name}: {text}" if name else text for name, text in spoken)


def without_thoughts(answer: str) -> str:
    """What a model said, without the thinking that some servers leave in the text."""
    return _THOUGHT.sub("", answer).strip()
