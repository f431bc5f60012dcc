"""What going elsewhere leaves behind, in the few things a reader would miss: what was won, who came, who was fond."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from liyuan.domain.names import fold, without_count
from liyuan.domain.world import WorldState


@dataclass(frozen=True, slots=True, kw_only=True)
class LeftBehind:
    """`things` are carried here and not there; `people` are known here only; `trust` is how fond somebody is here who
    is less fond there, −100 to 100."""

    things: tuple[str, ...] = ()
    people: tuple[str, ...] = ()
    trust: tuple[tuple[str, int], ...] = ()


def left_behind(here: WorldState, there: WorldState) -> LeftBehind:
    """What the world `here` has and the world `there` has not."""
    known = {fold(name): person.affinity for name, person in there.characters.items()}
    return LeftBehind(
        things=tuple(_missing(here.inventory, there.inventory)),
        people=tuple(name for name in here.characters if fold(name) not in known),
        trust=tuple(
            (name, person.affinity)
            for name, person in here.characters.items()
            if person.affinity > known.get(fold(name), person.affinity)
        ),
    )


def _missing(here: Iterable[str], there: Iterable[str]) -> Iterable[str]:
    kept = {fold(without_count(item)) for item in there}
    return (item for item in here if fold(without_count(item)) not in kept)
