"""What an understudy gathers from a request before it plays: language, names, place, what was said. Pure."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from functools import cache, cached_property
from typing import Final

from liyuan.model.chat import Request
from liyuan.model.playbook.book import Act, Book, Kind, Manner, Place
from liyuan.model.playbook.library import BOOKS
from liyuan.model.playbook.words import card_of, echo_of, fact_for, gender_of, role_of, spoken_part, thing_in
from liyuan.model.tongue import Tongue, tongue_of

_NAMELESS: Final = {"", "user", "you", "用户", "你", "旅人", "traveller", "traveler"}
_HAN = re.compile(r"[\u4e00-\u9fff]")
_LATIN = re.compile(r"[A-Za-z]{2,}")
_REMEMBERED: Final = ("letter", "weapon", "key", "money", "map", "music", "dream", "animal", "machine")
_CARRIED: Final = (
    "letter",
    "weapon",
    "drink",
    "food",
    "light",
    "clothes",
    "umbrella",
    "key",
    "money",
    "flower",
    "map",
    "machine",
    "wound",
)
_MOST_OF_ONE: Final = 3
_SET_APART = re.compile(r"\*([^*]+)\*|（([^）]+)）|\(([^)]+)\)")
_QUOTED = re.compile(r"[“\"][^”\"]*[”\"]")
_NOW = re.compile(
    r"\b(?:is|are|has|does|says|looks|turns|comes|goes|stands|sits|takes|gives|smiles|nods|leans|holds|puts)\b"
)
_THEN = re.compile(
    r"\b(?:was|were|had|did|said|looked|turned|came|went|stood|sat|took|gave|smiled|nodded|leaned|held)\b"
)


@dataclass(frozen=True)
class Reading:
    """One request, read. Texts are as they came; everything else is found when it is asked for."""

    system: str
    story: tuple[tuple[str, str], ...]
    """(role, text) of the messages that are not system texts, in order."""
    char: str
    user: str

    @cached_property
    def heard(self) -> str:
        """What the reader said last; empty when the story has not begun."""
        return next((text for role, text in reversed(self.story) if role == "user"), "")

    @cached_property
    def told(self) -> str:
        """What the character said last."""
        return next((text for role, text in reversed(self.story) if role == "assistant"), "")

    @cached_property
    def replies(self) -> tuple[str, ...]:
        return tuple(text for role, text in self.story if role == "assistant")

    @cached_property
    def tongue(self) -> Tongue:
        """The reader's language when the last words are enough to tell, else the story's, else the card's."""
        enough = len(_HAN.findall(self.heard)) >= 2 or len(_LATIN.findall(self.heard)) >= 3
        return tongue_of(*((self.heard,) if enough else ()), self.told, self.card, self.heard, self.char)

    @cached_property
    def book(self) -> Book:
        return BOOKS[self.tongue]

    @cached_property
    def card(self) -> str:
        """What the system text says of the character, without the instruction before and the reader after it."""
        return card_of(self.system, self.char, self.user)

    @cached_property
    def act(self) -> Act:
        """The first act of the book that the reader's words show; the last one is always there."""
        words = self.heard.strip()
        return next((act for act in self.book.acts[:-1] if act.found.search(words)), self.book.acts[-1])

    @cached_property
    def done(self) -> str:
        """What the reader does in these words, set apart with asterisks or brackets; empty when nothing is."""
        return " ".join("".join(found) for found in _SET_APART.findall(self.heard))

    @cached_property
    def kind_and_thing(self) -> tuple[Kind | None, str]:
        return thing_in(self.heard, self.book)

    @property
    def thing(self) -> str:
        return self.kind_and_thing[1]

    @cached_property
    def held(self) -> str:
        """The thing the reader handles: the last one of a kind that can be carried, or one that is not known."""
        kind, thing = thing_in(self.done or self.heard, self.book)
        return thing if kind is None or kind.name in _CARRIED else ""

    @cached_property
    def before(self) -> str:
        """A thing the reader spoke of earlier, and not again just now."""
        earlier = [text for role, text in self.story if role == "user"][:-1]
        named = (thing_in(text, self.book) for text in reversed(earlier[-6:]))
        things = (thing for kind, thing in named if kind and kind.name in _REMEMBERED)
        return next((thing for thing in things if thing != self.thing and thing not in self.heard), "")

    @cached_property
    def echo(self) -> str:
        return echo_of(spoken_part(self.heard), self.tongue)

    @cached_property
    def fact(self) -> str:
        """A sentence of the card that has to do with what the reader asks, and was not told yet."""
        card = self.card.replace(self.user, "{}") if self.user else self.card
        fact = fact_for(self.heard, card, self.tongue)
        return "" if any(fact and fact in reply for reply in self.replies) else fact

    @cached_property
    def role(self) -> str:
        return role_of(self.card, self.char, self.tongue)

    @cached_property
    def gender(self) -> str:
        """By the card, else by the greeting: later replies are our own and prove nothing."""
        by_card = gender_of(self.card, self.tongue)
        return by_card if by_card != "they" else gender_of(self.story[0][1] if self.story else "", self.tongue)

    @cached_property
    def place(self) -> Place:
        return next(iter(_ranked(self.book.places, self._scenery)), self.book.places[-1])

    @cached_property
    def home(self) -> Place:
        """Where the card is at home, wherever the story has gone since."""
        return next(iter(_ranked(self.book.places, ((self.card.lower(), 1),))), self.book.places[-1])

    @cached_property
    def skies(self) -> list[Place]:
        """Weather and time of day, the two that weigh most."""
        return _ranked(self.book.skies, self._scenery)[:2]

    @cached_property
    def manner(self) -> Manner:
        counts = [sum(self.card.lower().count(word) for word in manner.words) for manner in self.book.manners]
        best = max(range(len(counts)), key=counts.__getitem__)
        return self.book.manners[best] if counts[best] else self.book.manners[-1]

    @property
    def vocative(self) -> str:
        return "" if self.user.strip().lower() in _NAMELESS else self.user.strip()

    @cached_property
    def starred(self) -> bool:
        """Whether this story sets actions between asterisks; a story without a reply yet does."""
        return not self.replies or any("*" in reply for reply in self.replies[-4:])

    @cached_property
    def present(self) -> bool:
        """Whether an English story is told in the present tense; without a sign of either it is the past."""
        if self.tongue == "zh":
            return False
        told = _QUOTED.sub(" ", "\n".join(self.replies[-3:]) or self.card).lower()
        now, then = (len(pattern.findall(told)) for pattern in (_NOW, _THEN))
        return now > then

    @cached_property
    def quotes(self) -> tuple[str, str]:
        recent = "".join(self.replies[-4:])
        for pair in (("「", "」"), ("“", "”"), ('"', '"')):
            if pair[0] in recent:
                return pair
        return ("“", "”")

    @cached_property
    def _scenery(self) -> tuple[tuple[str, int], ...]:
        recent = " ".join(text for role, text in self.story[-6:] if role == "user")
        first = " ".join(text for _, text in self.story[:1])
        return ((recent.lower(), 2), (first.lower(), 2), (self.card.lower(), 1))


def read(request: Request) -> Reading:
    system = "\n\n".join(said.text for said in request.messages if said.role == "system")
    story = tuple((said.role, said.text) for said in request.messages if said.role != "system" and said.text.strip())
    return Reading(system, story, request.char.strip(), request.user.strip())


def _ranked(places: tuple[Place, ...], scenery: tuple[tuple[str, int], ...]) -> list[Place]:
    """The places whose words are found, the weightiest first."""
    counted = [(weight, Counter(_any_word(places).findall(text))) for text, weight in scenery]

    def weigh(place: Place) -> int:
        return sum(weight * min(_MOST_OF_ONE, count[word]) for weight, count in counted for word in place.words)

    return [place for place in sorted(places, key=weigh, reverse=True) if weigh(place)]


@cache
def _any_word(places: tuple[Place, ...]) -> re.Pattern[str]:
    known = sorted({word for place in places for word in place.words}, key=len, reverse=True)
    return re.compile("|".join(rf"\b{re.escape(word)}\b" if word.isascii() else word for word in known))
