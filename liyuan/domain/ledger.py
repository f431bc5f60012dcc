"""The world as the story's model reads it: a few lines in the story's language, the same for the same world."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from liyuan.domain.card import Language
from liyuan.domain.fields import Field
from liyuan.domain.values import neat
from liyuan.domain.world import Character, Relationship, WorldState


@dataclass(frozen=True, slots=True, kw_only=True)
class LedgerPhrases:
    """`title` stands above; the others name their field. `between` parts items, `after` a name from what is told."""

    title: str
    time: str
    location: str
    characters: str
    affinity: str
    inventory: str
    plot_threads: str
    flags: str
    relationships: str
    yes: str
    no: str
    between: str
    after: str


LEDGER_PHRASES: Final[Mapping[Language, LedgerPhrases]] = {
    "en": LedgerPhrases(
        title="[What is true now]",
        time="Time",
        location="Place",
        characters="People",
        affinity="affinity {value} of 100",
        inventory="Carried",
        plot_threads="Open threads",
        flags="Known facts",
        relationships="Relationships",
        yes="yes",
        no="no",
        between="; ",
        after=": ",
    ),
    "zh": LedgerPhrases(
        title="【眼下的情形】",
        time="时间",
        location="地点",
        characters="人物",
        affinity="好感 {value}（满 100）",
        inventory="随身物品",
        plot_threads="未了之事",
        flags="已知之事",
        relationships="关系",
        yes="是",
        no="否",
        between="；",
        after="：",
    ),
}


def ledger_text(world: WorldState, *, fields: Collection[Field] = (), language: Language = "en") -> str:
    """The ledger as a part of the prompt; empty for an empty world. The roster is left out, for it only grows."""
    words = LEDGER_PHRASES[language]
    lines = [line for line in _lines(world, fields, words) if line]
    return "\n".join([words.title, *lines]) if lines else ""


def _lines(world: WorldState, fields: Collection[Field], words: LedgerPhrases) -> Iterable[str]:
    yield _line(words.time, [world.time], words)
    yield _line(words.location, [world.location], words)
    for field in _shown(world, fields):
        yield _line(field.label or field.name, [_of(field, world.custom.get(field.name), words)], words)
    people = [f"- {name}{words.after}{_person(known, words)}" for name, known in world.characters.items()]
    yield "\n".join([f"{words.characters}{words.after}".rstrip(), *people]) if people else ""
    yield _line(words.relationships, [_relation(known, words) for known in world.relationships], words)
    yield _line(words.inventory, world.inventory, words)
    yield _line(words.plot_threads, world.plot_threads, words)
    yield _line(words.flags, [_told(name, value, words) for name, value in world.flags.items()], words)


def _shown(world: WorldState, fields: Collection[Field]) -> list[Field]:
    """The declared fields in the card's order, then what an earlier card declared and the world still holds."""
    declared = {field.name for field in fields}
    return [*fields, *(Field(name=name) for name in world.custom if name not in declared)]


def _line(name: str, parts: Iterable[str], words: LedgerPhrases) -> str:
    told = words.between.join(part for part in parts if part)
    return f"{name}{words.after}{told}" if told else ""


def _person(known: Character, words: LedgerPhrases) -> str:
    more = (_told(key, value, words) for key, value in known.more.items())
    parts = (words.affinity.format(value=known.affinity), known.status, known.notes, *more)
    return words.between.join(part for part in parts if part)


def _relation(known: Relationship, words: LedgerPhrases) -> str:
    told = (known.relation, words.affinity.format(value=known.affinity), known.note)
    return f"{known.a} → {known.b}{words.after}{', '.join(part for part in told if part)}"


def _of(field: Field, value: Any, words: LedgerPhrases) -> str:
    """A declared field's value; a bar tells its upper end too."""
    told = _plain(value, words)
    return f"{told}/{neat(field.max)}" if told and field.type == "bar" and field.max is not None else told


def _told(name: str, value: Any, words: LedgerPhrases) -> str:
    told = _plain(value, words)
    return f"{name}{words.after}{told}" if told else ""


def _plain(value: Any, words: LedgerPhrases) -> str:
    if value is None:
        return ""
    if isinstance(value, bool):
        return words.yes if value else words.no
    if isinstance(value, list | tuple):
        return ", ".join(_plain(part, words) for part in value)
    if isinstance(value, Mapping):
        return ", ".join(f"{name} {_plain(inner, words)}" for name, inner in value.items())
    return neat(value) if isinstance(value, float) else str(value)
