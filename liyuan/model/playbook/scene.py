"""Puts a reply together: a shape, the lines that fit what was said, and the style of the story. Pure and seeded.

The seed comes from the messages; `take` walks through shuffled pools, so that swipes of one turn differ and a
request that is put twice gets the same reply.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import cached_property
from itertools import chain
from random import Random
from string import Formatter
from typing import Final, Literal, TypeAlias

from liyuan.model.playbook.book import Lines, Mystery
from liyuan.model.playbook.reading import Reading
from liyuan.model.playbook.tense import told_now, told_then
from liyuan.model.playbook.words import thing_in

Beat: TypeAlias = Literal["reacts", "prop", "gesture", "notices", "says", "tagged", "more", "turn"]
Shape: TypeAlias = tuple[tuple[Beat, ...], ...]

# Paragraphs, each a row of beats. "more" is a second thing to say, "turn" moves the story on.
SHAPES: Final[tuple[Shape, ...]] = (
    (("reacts",), ("says",), ("notices",), ("turn",)),
    (("notices",), ("says", "gesture", "more"), ("turn",)),
    (("tagged",), ("prop", "more"), ("turn",)),
    (("reacts", "more"), ("says",), ("notices",), ("turn",)),
    (("gesture",), ("says", "prop"), ("turn",)),
    (("prop", "says"), ("notices", "more"), ("turn",)),
    (("says",), ("reacts", "notices"), ("more", "gesture"), ("turn",)),
)

_SPEECH: Final[frozenset[Beat]] = frozenset({"says", "tagged", "more"})
_ASKING: Final = ("why", "how", "when", "who_else", "how_many", "choice", "what", "yes_or_no", "where", "who")
_ECHOED: Final = ("tell", "weary", "joy", "sorry", "introduction", "move", "look", "seek", "agree", "refuse")
_HANDLING: Final = ("give", "take", "touch", "eat")
_BODILY: Final = (*_HANDLING, "look", "move", "joy")
_QUOTED: Final = re.compile(r"“[^”]*”")
_PRONOUNS: Final[Mapping[str, Mapping[str, str]]] = {
    "she": {"she": "she", "her": "her", "him": "her", "herself": "herself", "hers": "hers", "她": "她"},
    "he": {"she": "he", "her": "his", "him": "him", "herself": "himself", "hers": "his", "她": "他"},
    "they": {"she": "they", "her": "their", "him": "them", "herself": "themselves", "hers": "theirs"},
}


class Scene:
    """One reply in the making. `play`, `carry_on` and `as_the_reader` give its text."""

    def __init__(self, reading: Reading, seed: str, take: int) -> None:
        self._reading = reading
        self._seed = seed
        self._take = take
        self._book = reading.book
        self._used: set[str] = set()
        self._told = "\n".join(reading.replies)

    def play(self) -> str:
        """A reply to the reader's last words: two to four short paragraphs."""
        if self._reading.act.name == "what_are_you":
            return "".join(self._filled(line, speech=True) or "" for line in self._reading.act.says)
        order = self._shuffled(range(len(SHAPES)), "shape")
        shape = SHAPES[order[self._take % len(order)]]
        paragraphs = (self._paragraph(beats) for beats in shape)
        return "\n\n".join(paragraph for paragraph in paragraphs if paragraph)

    def carry_on(self) -> str:
        """What comes after the character's last words, joined on as it stands: mid-sentence, or a new paragraph."""
        told = self._reading.told.rstrip()
        inside = told.count("*") % 2 == 1
        whole = bool(re.search(r"[.!?…。！？][*”」』\"]*$", told))
        start = "" if whole else self._pick("completes", self._book.completes) + ("*" if inside else "")
        shape: Shape = ((("gesture", "says"), ("turn",)), (("goes_on", "more"), ("notices", "turn")))[self._take % 2]  # type: ignore[assignment]
        rest = [self._paragraph(beats) for beats in shape]
        return start + "".join(f"\n\n{paragraph}" for paragraph in rest if paragraph)

    def as_the_reader(self) -> str:
        """A line the reader might say, in the first person."""
        told = self._reading.told
        last = told.strip().rsplit("\n", 1)[-1]
        offers = re.search(
            r"递|推到你|放进你手里|给你|\b(?:hands|handed|pushes|pushed|offers|offered) (?:you|it|a|the)\b", told
        )
        mood = "question" if re.search(r"[?？]", last) else "offer" if offers else "other"
        thing = thing_in(told, self._book)[1]
        return self._dressed(self._pick(f"mine {mood}", self._book.mine[mood], {"thing": thing}, speech=True))

    def _paragraph(self, beats: tuple[Beat, ...]) -> str:
        parts = [part for part in (self._beat(beat) for beat in beats) if part]
        return self._dressed(self._gap.join(parts))

    @cached_property
    def _gap(self) -> str:
        return " " if self._book.tongue == "en" else ""

    def _beat(self, beat: Beat | Literal["goes_on"]) -> str:
        if beat == "turn":
            return self._turn()
        if beat == "tagged":
            return self._tagged()
        if beat in _SPEECH:
            return _quoted(self._said(beat))
        pools: dict[str, Lines] = {
            "reacts": self._reactions,
            "prop": self._reading.place.does + self._gestures,
            "gesture": self._gestures,
            "notices": self._noticed,
            "goes_on": self._book.goes_on,
        }
        return self._pick(beat, pools[beat])

    def _said(self, beat: str) -> str:
        if beat == "more":
            return self._more()
        asked = self._asked_about
        pool = asked.asked if asked else self._reading.act.says
        return self._pick("asked" if asked else "says", pool, speech=True)

    def _more(self) -> str:
        """Something about what was named, or the reader's own words, or something from earlier; or nothing."""
        reading = self._reading
        if reading.act.name == "tale":
            return ""
        kind, thing = reading.kind_and_thing
        pools = [("about", kind.says if kind else self._book.any_thing)] if thing else []
        if reading.echo and reading.act.name in _ECHOED:
            pools.append(("echo", self._book.echoes))
        if reading.before and len(reading.replies) > 2 and self._random("recall").random() < 0.4:
            pools.append(("recall", self._book.recalls))
        if not pools:
            return ""
        name, pool = pools[(self._take + self._random("more").randrange(len(pools))) % len(pools)]
        return self._pick(name, pool, speech=True)

    def _turn(self) -> str:
        """What moves the story on: the next beat of its mystery, something that happens, a fact, or a question."""
        if self._take % 3 == 0 and self._due and (beat := self._next_beat()):
            return beat
        if self._take % 2 == 0 and self._reading.fact and self._reading.act.name in _ASKING:
            return self._pick("fact", self._book.facts)
        happens = self._reading.place.events
        if happens and len(self._reading.replies) > 1 and self._random("event").random() < 0.25:
            return self._pick("event", happens)
        return _quoted(self._pick("hook", self._book.hooks, speech=True))

    def _tagged(self) -> str:
        said, tag = self._said("says"), self._pick("tag", self._book.tags)
        if not said or not tag:
            return _quoted(said)
        if self._book.tongue == "zh":
            return f"{tag}：“{said}”"
        first, rest = _first_sentence(said)
        first = first[:-1] + "," if first.endswith(".") else first
        return f"“{first}” {tag}." + (f" “{rest}”" if rest else "")

    @cached_property
    def _reactions(self) -> Lines:
        """What the act calls for; an act of the body shows even when the words are about something else."""
        reading = self._reading
        done = reading.done or reading.heard
        wanted = _BODILY if reading.done else _HANDLING
        bodily = next((act for act in self._book.acts if act.name in wanted and act.found.search(done)), None)
        return bodily.does if bodily and bodily is not reading.act else reading.act.does

    @cached_property
    def _gestures(self) -> Lines:
        """Those of the character's temper, and when they are used up those that anybody has."""
        return self._reading.manner.does + self._book.manners[-1].does

    @cached_property
    def _noticed(self) -> Lines:
        place = self._reading.place
        pools = [place.notices] + ([sky.notices for sky in self._reading.skies] if place.sky else [])
        return tuple(chain.from_iterable(pools))

    @cached_property
    def _mysteries(self) -> list[Mystery]:
        """The threads in this story's own order: it hangs on the character alone, so it holds while the story grows."""
        rng = Random(f"{self._reading.char}\n{self._reading.system[:400]}")
        age = "new" if self._reading.home.age == "new" else "old"
        fitting = [mystery for mystery in self._book.mysteries if mystery.age in (age, "any")]
        return rng.sample(fitting, len(fitting))

    def _heard_beats(self, mystery: Mystery) -> int:
        """How many beats the story holds, the last one that is found counting for those before it."""
        heard = [self._stands_in(beat, self._bare_told) for beat in mystery.beats]
        return len(heard) - heard[::-1].index(True) if True in heard else 0

    def _stands_in(self, beat: str, bare_text: str) -> bool:
        """Found in whatever tense and gender it was told."""
        tellings = (told_now(beat), told_then(beat)) if self._book.tongue == "en" else (beat,)
        genders = ({}, *_PRONOUNS.values()) if "{" in beat else ({},)
        return any(
            _bare(telling.format_map(self._slots | _with_capitals(gender))) in bare_text
            for telling in tellings
            for gender in genders
        )

    @cached_property
    def _due(self) -> bool:
        """From the second exchange on, but never two turns running."""
        last = _bare(self._reading.told)
        just_now = any(self._stands_in(beat, last) for mystery in self._mysteries for beat in mystery.beats)
        return len(self._reading.replies) >= 2 and not just_now

    def _next_beat(self) -> str:
        for mystery in self._mysteries:
            heard = self._heard_beats(mystery)
            if heard < len(mystery.beats):
                return self._filled(mystery.beats[heard]) or ""
        return ""

    @cached_property
    def _asked_about(self) -> Mystery | None:
        """The thread the reader asks about, once it has begun."""
        low = self._reading.heard.lower()
        return next(
            (
                mystery
                for mystery in self._mysteries
                if any(word in low for word in mystery.words) and 0 < self._heard_beats(mystery) < len(mystery.beats)
            ),
            None,
        )

    def _pick(self, name: str, pool: Lines, slots: Mapping[str, str] | None = None, *, speech: bool = False) -> str:
        """The next line of a pool that can be filled and is new to the story, else the one said longest ago."""
        order = self._shuffled(pool, name)
        start = self._take % len(order) if order else 0
        filled = [self._filled(line, slots, speech=speech) for line in order[start:] + order[:start]]
        open_lines = [line for line in filled if line and line not in self._used]
        if not open_lines:
            return ""
        chosen = min(open_lines, key=lambda line: self._bare_told.rfind(_bare(line)))
        self._used.add(chosen)
        return chosen

    @cached_property
    def _bare_told(self) -> str:
        return _bare(self._told)

    def _shuffled(self, pool: Iterator[object] | Lines | range, name: str) -> list:  # type: ignore[type-arg]
        items = list(pool)
        self._random(name).shuffle(items)
        return items

    def _random(self, name: str) -> Random:
        return Random(f"{self._seed}/{name}")

    def _filled(self, line: str, slots: Mapping[str, str] | None = None, *, speech: bool = False) -> str | None:
        """The line with its slots filled; None when there is nothing for one of them."""
        line = told_now(line) if self._reading.present and not speech else told_then(line)
        values = {**self._slots, **(slots or {})}
        wanted = {name for _, name, _, _ in Formatter().parse(line) if name}
        if not all(values.get(name) for name in wanted):
            return None
        filled = line.format_map(values)
        return re.sub(r"\b([Tt]hey) was\b", r"\1 were", filled) if self._reading.gender == "they" else filled

    @cached_property
    def _slots(self) -> dict[str, str]:
        reading = self._reading
        name = reading.char or {"en": "the other", "zh": "对方"}[self._book.tongue]
        slots = {
            "char": name,
            "you": reading.vocative,
            "thing": reading.thing,
            "held": reading.held,
            "echo": reading.echo,
            "before": reading.before,
            "place": reading.place.name,
            "role": reading.role,
            "fact": reading.fact,
            **({"她": name} | dict(_PRONOUNS[reading.gender])),
        }
        if reading.gender == "they" and reading.present:
            slots |= {"she": name}
        return _with_capitals(slots)

    def _spoken(self, said: str) -> str:
        return f"{self._reading.quotes[0]}{said}{self._reading.quotes[1]}"

    def _dressed(self, text: str) -> str:
        """Narration between asterisks when the story does so, speech in the story's quotation marks."""
        parts: list[str] = []
        end = 0
        for quoted in _QUOTED.finditer(text):
            parts += [self._narrated(text[end : quoted.start()]), self._spoken(quoted[0][1:-1])]
            end = quoted.end()
        return "".join([*parts, self._narrated(text[end:])])

    def _narrated(self, text: str) -> str:
        core = text.strip()
        if not core or not self._reading.starred:
            return text
        left, _, right = text.partition(core)
        return f"{left}*{core}*{right}"


def _with_capitals(slots: Mapping[str, str]) -> dict[str, str]:
    """Each slot also with a capital, for the beginning of a sentence."""
    return dict(slots) | {key[:1].upper() + key[1:]: value[:1].upper() + value[1:] for key, value in slots.items()}


def _quoted(said: str) -> str:
    return f"“{said}”" if said else ""


def _bare(text: str) -> str:
    return re.sub(r"[*\s“”「」\"]+", "", text)


def _first_sentence(said: str) -> tuple[str, str]:
    first = re.match(r".+?[.!?…](?=\s|$)", said)
    return (first[0], said[len(first[0]) :].strip()) if first else (said, "")
