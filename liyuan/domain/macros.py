"""Macros such as {{char}} in the texts of a card. A text is expanded once: what came out of a macro is left alone.

Macros may be nested and go inside out. An unknown macro stays as it is written, `\\{\\{` is a literal `{{`, and chance
is drawn from a given seed and the place in the text, so that reading a text again gives the same. The time taken grows
with the length of the text, also when the text is hostile.

Sources: "Curly Braced Syntaxes" of Character Card V3, and the macros in SillyTavern's documentation.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Literal, TypeAlias

from liyuan.domain.card import Card
from liyuan.domain.clock_words import date_in, time_in, weekday_in
from liyuan.domain.dice import choose, roll
from liyuan.domain.persona import Persona

DEEPEST = 24
"""How many macros may lie in each other; beyond that, braces are only braces."""

LONGEST = 1_000_000
"""Characters that the macros of one text may bring in; beyond that, they stay as they are written."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Scope:
    """What macros become. A text that is None is not known at this place, and its macro stays as it is written.

    `persona`, `description`, `personality` and `scenario` are already expanded (see `scope_of`). `original` is the text
    that a card's own prompt replaces. `seed` tells the entry, and with it what `random` and `roll` give; `pick_seed`
    tells the story, for `pick`, which then holds through all of it; without one, `pick` goes by `seed`. `now` is the
    reader's local time.
    """

    char: str
    user: str
    persona: str | None = None
    description: str | None = None
    personality: str | None = None
    scenario: str | None = None
    original: str = ""
    last_message: str = ""
    last_user_message: str = ""
    last_char_message: str = ""
    input: str = ""
    model: str = ""
    seed: str = ""
    pick_seed: str | None = None
    now: datetime | None = None
    language: Literal["zh", "en"] = "en"


def scope_of(
    card: Card, persona: Persona, *, seed: str, pick_seed: str | None = None, now: datetime | None = None
) -> Scope:
    """The scope in which a card's texts are read. Add the last messages and the rest with `dataclasses.replace`."""
    names = Scope(
        char=card.char,
        user=persona.name,
        seed=seed,
        pick_seed=pick_seed,
        now=now,
        language=card.language,
    )
    me = replace(names, persona=expand(persona.description, names))
    return replace(
        me,
        description=expand(card.description, me),
        personality=expand(card.personality, me),
        scenario=expand(card.scenario, me),
    )


def expand(text: str, scope: Scope) -> str:
    """The text with its macros replaced. Never raises."""
    return _Walk(scope).through(text)


def unknown_macros(text: str) -> tuple[str, ...]:
    """The names of macros that stay as they are written wherever the text is read, in order, each once."""
    walk = _Walk(_EVERYTHING)
    walk.through(text)
    return tuple(dict.fromkeys(walk.unknown))


_EVERYTHING = Scope(char="", user="", persona="", description="", personality="", scenario="", now=datetime.min)

_TOKEN = re.compile(
    r"(?P<escaped>\\\{\\\{|\\\}\\\})|(?P<open>\{\{(?!\{))|(?P<close>\}\})|<(?P<mark>user|char|bot)>",
    re.IGNORECASE,
)
_NAME = re.compile(r"\s*([a-z]\w*)\s*(?:(::?)|(?<=\s)|$)", re.IGNORECASE)


class _Value(str):
    """Text that came out of a macro, or was escaped: never read as a part of one."""

    __slots__ = ()


_Parts: TypeAlias = list[str]
_TRIM = _Value()
"""Stands where {{trim}} stood until the text around it is known."""


class _Walk:
    """One walk over one text. `open` holds the text itself and the parts of each macro that has not ended yet."""

    def __init__(self, scope: Scope) -> None:
        self.scope = scope
        self.open: list[_Parts] = [[]]
        self.places = 0
        self.brought_in = 0
        self.unknown: list[str] = []

    def through(self, text: str) -> str:
        at = 0
        for token in _TOKEN.finditer(text):
            self.open[-1].append(text[at : token.start()])
            self._take(token)
            at = token.end()
        self.open[-1].append(text[at:])
        unclosed = [part for parts in self.open[1:] for part in ("{{", *parts)]
        return _joined(self.open[0] + unclosed)

    def place(self) -> int:
        """The number of the next drawing of lots in this text."""
        self.places += 1
        return self.places

    def _take(self, token: re.Match[str]) -> None:
        if token["escaped"]:
            self.open[-1].append(_Value(token[0].replace("\\", "")))
        elif token["mark"]:
            self.open[-1].append(_Value(self.scope.user if token["mark"].lower() == "user" else self.scope.char))
        elif token["open"] and len(self.open) <= DEEPEST:
            self.open.append([])
        elif token["close"] and len(self.open) > 1:
            parts = self.open.pop()
            self.open[-1] += self._become(parts)
        else:
            self.open[-1].append(token[0])

    def _become(self, parts: _Parts) -> _Parts:
        """What stands in for one closed macro."""
        if _literal(parts[0]).lstrip().startswith("//"):
            return []
        named = _NAME.match(_literal(parts[0]))
        if named:
            value = self._value(named[1].lower(), [parts[0][named.end() :], *parts[1:]], bool(named[2]))
            if value is not None and self.brought_in + len(value) <= LONGEST:
                self.brought_in += len(value)
                return [value]
            self.unknown.append(named[1])
        return ["{{", *parts, "}}"]

    def _value(self, name: str, rest: _Parts, separated: bool) -> _Value | None:
        """What a macro becomes; None when it is to stay. `rest` is what follows the name and its separator."""
        alone = not separated and not any(rest)
        if name == "trim" and alone:
            return _TRIM
        said = _ALONE[name](self.scope) if alone and name in _ALONE else None
        if name in _WITH_REST and (name in _MAY_BE_BARE or not alone):
            said = _WITH_REST[name](self, rest)
        return None if said is None else _Value(said)


def _literal(part: str) -> str:
    return "" if type(part) is _Value else part


def _joined(parts: _Parts) -> str:
    """One text, with the line ends around each {{trim}} gone."""
    joined: _Parts = []
    trimming = False
    for part in parts:
        if part is _TRIM:
            trimming = True
            _strip_end(joined)
        else:
            kept = part.lstrip("\r\n") if trimming else part
            trimming = trimming and not kept
            joined.append(kept)
    return "".join(joined)


def _strip_end(joined: _Parts) -> None:
    while joined:
        if kept := joined.pop().rstrip("\r\n"):
            joined.append(kept)
            return


def _options(rest: _Parts) -> list[str]:
    """What `random` and `pick` choose from. Only text that was written here is split, never what a macro became."""
    doubled = any("::" in _literal(part) for part in rest)
    between = re.compile("::" if doubled else r"(?<!\\),")
    options: list[_Parts] = [[]]
    for part in rest:
        first, *others = [part] if type(part) is _Value else between.split(part)
        options[-1].append(first)
        options += [[other] for other in others]
    texts = [_joined(option).strip() for option in options]
    return texts if doubled else [text.replace("\\,", ",") for text in texts]


def _random(walk: _Walk, rest: _Parts) -> str:
    return choose(f"random {walk.scope.seed} {walk.place()}", _options(rest))


def _pick(walk: _Walk, rest: _Parts) -> str:
    seed = walk.scope.seed if walk.scope.pick_seed is None else walk.scope.pick_seed
    return choose(f"pick {seed} {walk.place()}", _options(rest))


def _roll(walk: _Walk, rest: _Parts) -> str | None:
    rolled = roll(f"roll {walk.scope.seed} {walk.place()}", _joined(rest))
    return None if rolled is None else str(rolled)


def _newline(walk: _Walk, rest: _Parts) -> str | None:
    count = _joined(rest).strip() or "1"
    return "\n" * int(count) if re.fullmatch("[0-9]{1,2}", count) else None


def _at(words: Callable[[datetime, Literal["zh", "en"]], str]) -> Callable[[Scope], str | None]:
    return lambda scope: words(scope.now, scope.language) if scope.now else None


_ALONE: Mapping[str, Callable[[Scope], str | None]] = {
    "char": lambda scope: scope.char,
    "user": lambda scope: scope.user,
    "persona": lambda scope: scope.persona,
    "description": lambda scope: scope.description,
    "personality": lambda scope: scope.personality,
    "scenario": lambda scope: scope.scenario,
    "original": lambda scope: scope.original,
    "lastmessage": lambda scope: scope.last_message,
    "lastusermessage": lambda scope: scope.last_user_message,
    "lastcharmessage": lambda scope: scope.last_char_message,
    "input": lambda scope: scope.input,
    "model": lambda scope: scope.model,
    "noop": lambda scope: "",
    "time": _at(time_in),
    "date": _at(date_in),
    "weekday": _at(weekday_in),
    "isodate": _at(lambda moment, language: moment.date().isoformat()),
    "isotime": _at(lambda moment, language: f"{moment:%H:%M}"),
}

_WITH_REST: Mapping[str, Callable[[_Walk, _Parts], str | None]] = {
    "random": _random,
    "pick": _pick,
    "roll": _roll,
    "newline": _newline,
    "reverse": lambda walk, rest: _joined(rest)[::-1],
    "comment": lambda walk, rest: "",
    "hidden_key": lambda walk, rest: "",
}

_MAY_BE_BARE = frozenset({"newline", "comment", "hidden_key"})
