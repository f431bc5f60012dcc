"""What an understudy's part is written in: pools of sentences with slots, one Book a language. Values only.

Slots: `{char}` the character, `{you}` the reader's name, `{thing}` what the reader spoke of, `{held}` what the reader
handles, `{before}` a thing from earlier, `{echo}` the reader's own words turned round, `{place}` where it happens,
`{role}` what the card says the character is, `{fact}` a sentence of the card. English has `{she} {her} {him} {herself}`
in any of three genders and with a capital as well, Chinese has `{她}`. A line with a slot that has nothing to fill it
is passed over. English narration is written in the past; `{a|b}` gives past and present where a rule would fail.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from textwrap import dedent
from typing import Literal, TypeAlias

from liyuan.model.tongue import Tongue

Lines: TypeAlias = tuple[str, ...]
Age: TypeAlias = Literal["old", "new", "any"]
"""Lamplight or electric light, or either."""


def lines(text: str) -> Lines:
    """One entry a row; a row that is set in further goes on with the one before."""
    entries: list[str] = []
    for row in dedent(text).splitlines():
        if row[:1].isspace() and row.strip():
            entries[-1] += (" " if entries[-1][-1].isascii() else "") + row.strip()
        elif row.strip():
            entries.append(row.strip())
    return tuple(entries)


def words(text: str) -> Lines:
    """Words apart by white space; `_` stands for a space inside one."""
    return tuple(word.replace("_", " ") for word in text.split())


@dataclass(frozen=True, kw_only=True, eq=False)
class Act:
    """Something the reader may do, known by a pattern: what the character does about it, and says."""

    name: str
    pattern: str
    does: Lines = ()
    says: Lines = ()

    @cached_property
    def found(self) -> re.Pattern[str]:
        return re.compile(self.pattern, re.IGNORECASE)


@dataclass(frozen=True, kw_only=True, eq=False)
class Kind:
    """A kind of thing one may speak of, known by its words, and what there is to say about one."""

    name: str
    words: Lines
    says: Lines


@dataclass(frozen=True, kw_only=True, eq=False)
class Place:
    """A kind of place, known by its words: what one notices there, what one does there, what happens there."""

    name: str
    words: Lines
    notices: Lines
    does: Lines = ()
    events: Lines = ()
    age: Age = "any"
    sky: bool = True
    """Whether one notices the weather here."""


@dataclass(frozen=True, kw_only=True, eq=False)
class Manner:
    """A temper, known by words of the card, and the gestures that go with it."""

    name: str
    words: Lines
    does: Lines


@dataclass(frozen=True, kw_only=True, eq=False)
class Mystery:
    """A small thread that runs through a story, a beat every other turn, each beat only after the one before."""

    name: str
    beats: Lines
    asked: Lines
    """What the character says when the reader asks about it."""
    words: Lines
    age: Age = "any"


@dataclass(frozen=True, kw_only=True, eq=False)
class Book:
    """Everything an understudy knows in one language."""

    tongue: Tongue
    acts: tuple[Act, ...]
    kinds: tuple[Kind, ...]
    any_thing: Lines
    places: tuple[Place, ...]
    skies: tuple[Place, ...]
    manners: tuple[Manner, ...]
    mysteries: tuple[Mystery, ...]
    hooks: Lines
    echoes: Lines
    facts: Lines
    recalls: Lines
    tags: Lines
    goes_on: Lines
    completes: Lines
    mine: Mapping[str, Lines]
    """What the reader might say, by the act of the character's last words."""
