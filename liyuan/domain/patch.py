"""From one world and what the scribe or a person wrote to the next world. Nothing is dropped in silence."""

from __future__ import annotations

from collections.abc import Collection
from copy import deepcopy
from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

from liyuan.domain.booking import Booking
from liyuan.domain.change import Change, diff, differences, holds_a_pin, is_pinned, put, tree_of, world_of
from liyuan.domain.fields import Field
from liyuan.domain.names import fold, one_line, without_count
from liyuan.domain.note import Note
from liyuan.domain.values import Notes
from liyuan.domain.world import Json, WorldState

Source: TypeAlias = Literal["scribe", "user", "import", "card"]

PINNED = "“{field}” is pinned and stays as it was."

NO_PINS: Final[frozenset[str]] = frozenset()


@dataclass(frozen=True, slots=True)
class Applied:
    """The next world, what differs from the one before, and what was refused or read with a guess."""

    world: WorldState
    changes: tuple[Change, ...]
    warnings: tuple[Note, ...]


def apply(
    world: WorldState,
    patch: object,
    *,
    pins: Collection[str] = NO_PINS,
    fields: Collection[Field] = (),
    source: Source = "scribe",
) -> Applied:
    """The world after a patch, by the rules of semantics §3. Any JSON is taken and none raises.

    `pins` are dotted paths ("location", "characters.青梧.affinity", "custom.hp"); they hold against the scribe only.
    A person may also take names off the roster. A signed text ("+5") for a number is a step, and a warning says so.
    """
    notes = Notes()
    before = tree_of(world)
    draft = deepcopy(before)
    held = pins if source == "scribe" else NO_PINS
    Booking(draft, fields, forgets=source == "user", notes=notes).book(patch)
    _hold(before, draft, held, notes)
    _enrol(before, draft, held)
    after = world_of(draft)
    return Applied(after, diff(world, after), tuple(notes.all))


def _hold(before: Json, draft: Json, pins: Collection[str], notes: Notes) -> None:
    """Take back what touches a pin: the pinned field itself, and the loss of something that holds one."""
    for change in tuple(differences(before, draft)):
        lost = isinstance(change.before, dict) and holds_a_pin(change.path, pins)
        if lost or is_pinned(change.path, pins):
            put(draft, change.path, change.before)
            notes.add(PINNED, field=change.name)


def _enrol(before: Json, draft: Json, pins: Collection[str]) -> None:
    """Everybody and everything that is here, or was until now, is on the roster from now on."""
    forgotten = {fold(name) for change in _forgotten(before, draft) for name in change.path[2:]}
    for tree in (before, draft):
        people = {name: one_line(known["notes"]) for name, known in tree["characters"].items()}
        for known in tree["relationships"].values():
            people |= {name: "" for name in (known["a"], known["b"]) if name not in people}
        _list("characters", people, draft, pins, forgotten)
        _list("items", {without_count(item): "" for item in tree["inventory"]}, draft, pins, forgotten)


def _list(section: str, found: dict[str, str], draft: Json, pins: Collection[str], forgotten: set[str]) -> None:
    roster = draft["roster"][section]
    known = {fold(name) for name in roster} | forgotten
    for name, line in found.items():
        if name and fold(name) not in known and not is_pinned(("roster", section, name), pins):
            roster[name] = line
            known.add(fold(name))


def _forgotten(before: Json, draft: Json) -> list[Change]:
    return [change for change in differences(before["roster"], draft["roster"], ("roster",)) if change.after is None]
