"""The world as the story model is told it: a short page of facts, in the story's language. Empty parts are left out."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final

from liyuan.domain.card import Language
from liyuan.domain.world import Character, Relationship, WorldState


@dataclass(frozen=True, slots=True, kw_only=True)
class _Words:
    title: str
    time: str
    location: str
    people: str
    inventory: str
    threads: str
    flags: str
    relationships: str
    affinity: str
    between: str
    colon: str


_WORDS: Final[Mapping[Language, _Words]] = {
    "en": _Words(
        title="[What is true now]",
        time="Time",
        location="Place",
        people="People",
        inventory="Carried",
        threads="Open threads",
        flags="Known facts",
        relationships="Relationships",
        affinity="affinity {value:+d} of 100",
        between="; ",
        colon=": ",
    ),
    "zh": _Words(
        title="【眼下的情形】",
        time="时间",
        location="地点",
        people="人物",
        inventory="随身物品",
        threads="未了之事",
        flags="已知之事",
        relationships="关系",
        affinity="好感 {value:+d}（满 100）",
        between="；",
        colon="：",
    ),
}


def ledger_note(world: WorldState, language: Language) -> str:
    """The page; empty when nothing is known yet."""
    words = _WORDS[language]
    lines = [line for line in _lines(world, words) if line]
    return "\n".join([words.title, *lines]) if lines else ""


def _lines(world: WorldState, words: _Words) -> Iterable[str]:
    yield _told(words.time, [world.time], words)
    yield _told(words.location, [world.location], words)
    yield _told(words.people, [_person(name, one, words) for name, one in world.characters.items()], words)
    yield _told(words.inventory, world.inventory, words)
    yield _told(words.threads, world.plot_threads, words)
    yield _told(words.flags, [f"{key} = {value}" for key, value in world.flags.items()], words)
    yield _told(words.relationships, [_pair(one, words) for one in world.relationships], words)
    for name, value in world.custom.items():
        shown = words.between.join(map(str, value)) if isinstance(value, list | tuple) else str(value)
        yield _told(name, [shown], words)


def _told(title: str, facts: Iterable[str], words: _Words) -> str:
    known = [fact for fact in facts if fact]
    return f"{title}{words.colon}{words.between.join(known)}" if known else ""


def _person(name: str, one: Character, words: _Words) -> str:
    parts = [words.affinity.format(value=one.affinity) if one.affinity else "", one.status, one.notes]
    known = [part for part in parts if part]
    return f"{name} ({', '.join(known)})" if known else name


def _pair(one: Relationship, words: _Words) -> str:
    parts = [one.relation, words.affinity.format(value=one.affinity) if one.affinity else "", one.note]
    return f"{one.a} – {one.b}{words.colon}{', '.join(part for part in parts if part)}"
