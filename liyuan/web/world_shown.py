"""The world as its panel shows it: a value for each field, with what is new and what is pinned. Pure values."""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from liyuan.domain.change import Change, Path, dotted, is_pinned, pair
from liyuan.domain.entry import EntryId
from liyuan.domain.fields import Field, Show
from liyuan.domain.values import neat
from liyuan.domain.world import CHARACTER_KEYS, EMPTY, ROSTERS, Character, Relationship, Roster, WorldState
from liyuan.play.world import Ledger
from liyuan.web.graph import Graph, graph_of
from liyuan.web.told import Told, plain, tell


@dataclass(frozen=True, slots=True)
class Item:
    text: str
    is_new: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Fact:
    """One value. `part` and `name` say to the form what it is; `key` is its dotted path, `slot` its place on the page.

    `value` is shown, and plain, so that a fact can be hashed; `kind` names its type, since what is drawn is found again
    by equality, and True equals 1. `text` stands in the form, a list there with an item a line. `fill` is how full a
    bar is, of 100.
    """

    part: str
    key: str
    slot: str
    name: str = ""
    label: str = ""
    show: Show = "text"
    value: Any = ""
    kind: str = ""
    text: str = ""
    items: tuple[Item, ...] = ()
    fill: float = 0
    high: str = ""
    step: int | float | None = None
    is_new: bool = False
    is_pinned: bool = False
    can_be_changed: bool = True
    about: str = ""


@dataclass(frozen=True, slots=True)
class Pin:
    """What of a person can be pinned; `what` is affinity, status or notes."""

    what: str
    key: str
    is_pinned: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Person:
    """`low` and `high` are where the bar begins and ends, of 200, with the middle at 100."""

    name: str
    key: str
    slot: str
    affinity: int
    low: int
    high: int
    step: int | float | None
    status: str
    notes: str
    more: tuple[tuple[str, str], ...]
    is_new: bool
    pins: tuple[Pin, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Bond:
    """What `a` is to `b`."""

    a: str
    b: str
    key: str
    slot: str
    relation: str
    affinity: int
    note: str
    step: int | float | None
    is_new: bool
    is_pinned: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class World:
    """`changes` are those of this turn, or of the turn before while this one is not booked yet.

    `notes` tell of snapshots that cannot be read and of what the last patch could not book, in the reader's language.
    """

    address: str
    leaf: EntryId | None
    time: Fact
    place: Fact
    people: tuple[Person, ...]
    belongings: Fact
    threads: Fact
    flags: tuple[Fact, ...]
    own: tuple[Fact, ...]
    bonds: tuple[Bond, ...]
    graph: Graph | None
    roster: tuple[tuple[str, tuple[Fact, ...]], ...]
    changes: tuple[Told, ...]
    is_this_turn: bool
    is_empty: bool
    is_opening: bool
    notes: tuple[str, ...]


def world_of(
    ledger: Ledger,
    changes: tuple[Change, ...],
    *,
    address: str,
    is_this_turn: bool,
    is_opening: bool,
    notes: tuple[str, ...] = (),
) -> World:
    snapshot = ledger.standing.snapshot
    making = _Making(snapshot.state, snapshot.pins, {change.path: change for change in changes} if is_this_turn else {})
    state = snapshot.state
    fields = ledger.declared.fields
    return World(
        address=address,
        leaf=ledger.leaf_id,
        time=making.text("time", state.time),
        place=making.text("location", state.location),
        people=tuple(making.person(name, known) for name, known in state.characters.items()),
        belongings=making.list("inventory", state.inventory),
        threads=making.list("plot_threads", state.plot_threads),
        flags=tuple(making.flag(name, value) for name, value in state.flags.items()),
        own=tuple(making.own(field) for field in _shown(state, fields)),
        bonds=tuple(making.bond(known) for known in state.relationships),
        graph=graph_of(state.relationships),
        roster=tuple((section, making.roster(section)) for section in ROSTERS if getattr(state.roster, section)),
        changes=tell(changes, fields),
        is_this_turn=is_this_turn,
        is_empty=_is_empty(state),
        is_opening=is_opening,
        notes=notes,
    )


def _is_empty(state: WorldState) -> bool:
    return replace(state, roster=Roster(), extra={}) == EMPTY


def _shown(state: WorldState, fields: Sequence[Field]) -> list[Field | str]:
    """The declared fields in the card's order, then what an earlier card declared and the world still holds."""
    declared = {field.name for field in fields}
    return [
        *(field for field in fields if field.show != "hidden"),
        *(name for name in state.custom if name not in declared),
    ]


def slot_of(key: str) -> str:
    """An id for the place of a field on the page: names may hold anything, ids may not."""
    return "of-" + hashlib.blake2s(key.encode(), digest_size=6).hexdigest()


@dataclass(frozen=True, slots=True)
class _Making:
    """Makes values for the page from a world, its pins, and what has just changed."""

    state: WorldState
    pins: Collection[str]
    changed: Mapping[Path, Change]

    def text(self, part: str, value: str) -> Fact:
        return Fact(value=value, text=value, part=part, **self._known((part,)))

    def list(self, part: str, items: Sequence[str]) -> Fact:
        return Fact(
            items=self._items((part,), items), text="\n".join(items), show="list", part=part, **self._known((part,))
        )

    def flag(self, name: str, value: Any) -> Fact:
        known = self._known(("flags", name))
        return Fact(part="flag", name=name, label=name, value=plain(value), kind=type(value).__name__, **known)

    def own(self, field: Field | str) -> Fact:
        """A field that the card declares. One that it no longer does can only be taken away."""
        declared = field if isinstance(field, Field) else Field(name=field, label=field)
        value, path = self.state.custom.get(declared.name), ("custom", declared.name)
        several = value if isinstance(value, list | tuple) else ()
        known: dict[str, Any] = {
            "part": "own",
            "name": declared.name,
            "label": declared.label or declared.name,
            "show": "list" if several else "text" if declared.show == "list" and value else declared.show,
            "value": "" if value is None or isinstance(value, list | tuple) else plain(value),
            "items": self._items(path, [str(plain(one)) for one in several]),
            "text": "\n".join(str(one) for one in several) if several else "" if value is None else str(plain(value)),
            "fill": _fill(value, declared),
            "high": neat(declared.max) if declared.max is not None else "",
            "can_be_changed": isinstance(field, Field),
            "about": declared.about,
        }
        return Fact(**known, **self._known(path))

    def roster(self, section: str) -> tuple[Fact, ...]:
        lines: Mapping[str, str] = getattr(self.state.roster, section)
        return tuple(
            Fact(
                part=f"roster.{section}",
                name=name,
                label=name,
                value=line,
                text=line,
                **self._known(("roster", section, name)),
            )
            for name, line in lines.items()
        )

    def person(self, name: str, known: Character) -> Person:
        path = ("characters", name)
        return Person(
            name=name,
            key=dotted(path),
            slot=slot_of(dotted(path)),
            affinity=known.affinity,
            low=100 + min(known.affinity, 0),
            high=100 + max(known.affinity, 0),
            step=self._step((*path, "affinity")),
            status=known.status,
            notes=known.notes,
            more=tuple((key, _joined(value)) for key, value in known.more.items()),
            is_new=path in self.changed and self.changed[path].before is None,
            pins=tuple(
                Pin(what, dotted((*path, what)), is_pinned((*path, what), self.pins)) for what in CHARACTER_KEYS
            ),
        )

    def bond(self, known: Relationship) -> Bond:
        path = ("relationships", pair({"a": known.a, "b": known.b}))
        return Bond(
            a=known.a,
            b=known.b,
            key=dotted(path),
            slot=slot_of(dotted(path)),
            relation=known.relation,
            affinity=known.affinity,
            note=known.note,
            step=self._step((*path, "affinity")),
            is_new=path in self.changed,
            is_pinned=is_pinned(path, self.pins),
        )

    def _known(self, path: Path) -> dict[str, Any]:
        return {
            "key": dotted(path),
            "slot": slot_of(dotted(path)),
            "step": self._step(path),
            "is_new": path in self.changed,
            "is_pinned": is_pinned(path, self.pins),
        }

    def _items(self, path: Path, items: Sequence[str]) -> tuple[Item, ...]:
        change = self.changed.get(path)
        before = change.before if change else items
        known = before if isinstance(before, list | tuple) else ()
        return tuple(Item(item, change is not None and item not in known) for item in items)

    def _step(self, path: Path) -> int | float | None:
        change = self.changed.get(path)
        if change is None or not (_is_number(change.before) and _is_number(change.after)):
            return None
        step: int | float = change.after - change.before
        return step


def _fill(value: Any, field: Field) -> float:
    if not _is_number(value) or field.min is None or field.max is None or field.max <= field.min:
        return 0.0
    share = float(value - field.min) / (field.max - field.min)
    return round(100 * min(max(share, 0), 1), 1)


def _joined(value: Any) -> str:
    return ", ".join(map(str, value)) if isinstance(value, list | tuple) else str(plain(value))


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)
