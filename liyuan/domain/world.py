"""What is true in the story at one point. A whole, frozen value; a change makes the next one (`patch.apply`).

Reading is tolerant where no meaning is lost and refuses where it would be (semantics §3).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final, NoReturn, TypeAlias

from liyuan.domain.errors import LiyuanError

Json: TypeAlias = dict[str, Any]

LOWEST_AFFINITY: Final = -100
HIGHEST_AFFINITY: Final = 100


class BrokenSnapshot(LiyuanError):
    """The caller answers it with the snapshot above and a warning; the conversation goes on (semantics §3)."""

    type = "broken-snapshot"
    title = "The ledger at this point cannot be read"
    message = "The ledger kept here cannot be read: “{field}” is of the wrong kind. The story itself is whole."


@dataclass(frozen=True, slots=True, kw_only=True)
class Character:
    """How one person stands. `affinity` is −100 to 100; `more` holds whatever else was booked."""

    affinity: int = 0
    status: str = ""
    notes: str = ""
    more: Mapping[str, Any] = field(default_factory=dict, hash=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class Relationship:
    """What `a` is to `b`, and how fond of them, −100 to 100."""

    a: str
    b: str
    relation: str = ""
    affinity: int = 0
    note: str = ""
    more: Mapping[str, Any] = field(default_factory=dict, hash=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class Roster:
    """Everything that ever appeared: name → one line."""

    characters: Mapping[str, str] = field(default_factory=dict, hash=False)
    items: Mapping[str, str] = field(default_factory=dict, hash=False)
    events: Mapping[str, str] = field(default_factory=dict, hash=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class WorldState:
    """The fields of semantics §3. `custom` holds the fields a card declares, `extra` keys that we do not know."""

    time: str = ""
    location: str = ""
    characters: Mapping[str, Character] = field(default_factory=dict, hash=False)
    inventory: tuple[str, ...] = ()
    flags: Mapping[str, Any] = field(default_factory=dict, hash=False)
    plot_threads: tuple[str, ...] = ()
    relationships: tuple[Relationship, ...] = ()
    roster: Roster = Roster()
    custom: Mapping[str, Any] = field(default_factory=dict, hash=False)
    extra: Mapping[str, Any] = field(default_factory=dict, hash=False)

    @property
    def names(self) -> tuple[str, ...]:
        """Everybody known, those present first, each in the first spelling."""
        return tuple(dict.fromkeys((*self.characters, *self.roster.characters)))


EMPTY: Final = WorldState()
FIELDS: Final = (
    "time",
    "location",
    "characters",
    "inventory",
    "flags",
    "plot_threads",
    "relationships",
    "roster",
    "custom",
)
ROSTERS: Final = ("characters", "items", "events")
CHARACTER_KEYS: Final = ("affinity", "status", "notes")
RELATIONSHIP_KEYS: Final = ("a", "b", "relation", "affinity", "note")


def clamped(affinity: float) -> int:
    """An affinity as a whole number from −100 to 100."""
    return round(min(max(affinity, LOWEST_AFFINITY), HIGHEST_AFFINITY))


def world_to_json(world: WorldState) -> Json:
    """The world as the `state` of an `rp-state` entry. `parse_world` gives the same world back."""
    return {
        **world.extra,
        "time": world.time,
        "location": world.location,
        "characters": {name: _character_json(known) for name, known in world.characters.items()},
        "inventory": list(world.inventory),
        "flags": dict(world.flags),
        "plot_threads": list(world.plot_threads),
        "relationships": [_relationship_json(known) for known in world.relationships],
        "roster": {section: dict(getattr(world.roster, section)) for section in ROSTERS},
        "custom": dict(world.custom),
    }


def parse_world(state: object) -> WorldState:
    """Read a stored world. Missing fields and nulls are empty, unknown keys are kept, affinities are clamped.

    Raises BrokenSnapshot when a known field is of another type, for half a world is worse than the one above.
    """
    raw = _mapping(state, "state")
    roster = _mapping(raw.get("roster"), "roster")
    characters = _mapping(raw.get("characters"), "characters")
    relationships = _list(raw.get("relationships"), "relationships")
    return WorldState(
        time=_text(raw.get("time"), "time"),
        location=_text(raw.get("location"), "location"),
        characters={name: _character(known, f"characters.{name}") for name, known in characters.items()},
        inventory=_texts(raw.get("inventory"), "inventory"),
        flags=_mapping(raw.get("flags"), "flags"),
        plot_threads=_texts(raw.get("plot_threads"), "plot_threads"),
        relationships=tuple(_relationship(known) for known in relationships),
        roster=Roster(**{section: _lines(roster.get(section), f"roster.{section}") for section in ROSTERS}),
        custom=_mapping(raw.get("custom"), "custom"),
        extra={key: value for key, value in raw.items() if key not in FIELDS},
    )


def _character_json(known: Character) -> Json:
    return {**known.more, "affinity": known.affinity, "status": known.status, "notes": known.notes}


def _relationship_json(known: Relationship) -> Json:
    return {**known.more, **{key: getattr(known, key) for key in RELATIONSHIP_KEYS}}


def _character(value: object, path: str) -> Character:
    raw = _mapping(value, path)
    return Character(
        affinity=_affinity(raw.get("affinity"), f"{path}.affinity"),
        status=_text(raw.get("status"), f"{path}.status"),
        notes=_text(raw.get("notes"), f"{path}.notes"),
        more={key: inner for key, inner in raw.items() if key not in CHARACTER_KEYS},
    )


def _relationship(value: object) -> Relationship:
    raw = _mapping(value, "relationships")
    texts = {key: _text(raw.get(key), f"relationships.{key}") for key in RELATIONSHIP_KEYS if key != "affinity"}
    return Relationship(
        **texts,
        affinity=_affinity(raw.get("affinity"), "relationships.affinity"),
        more={key: inner for key, inner in raw.items() if key not in RELATIONSHIP_KEYS},
    )


def _mapping(value: object, path: str) -> Json:
    if value is None:
        return {}
    return dict(value) if isinstance(value, Mapping) else _broken(path)


def _list(value: object, path: str) -> list[object]:
    if value is None:
        return []
    return list(value) if isinstance(value, list | tuple) else _broken(path)


def _text(value: object, path: str) -> str:
    if value is None:
        return ""
    return value if isinstance(value, str) else _broken(path)


def _texts(value: object, path: str) -> tuple[str, ...]:
    return tuple(_text(part, path) for part in _list(value, path))


def _lines(value: object, path: str) -> dict[str, str]:
    return {name: _text(line, f"{path}.{name}") for name, line in _mapping(value, path).items()}


def _affinity(value: object, path: str) -> int:
    if value is None:
        return 0
    if isinstance(value, bool) or not isinstance(value, int | float) or value != value:
        _broken(path)
    return clamped(value)


def _broken(path: str) -> NoReturn:
    raise BrokenSnapshot(field=path)
