"""What differs between two worlds, in values a person can be shown, and which of it is pinned."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final, TypeAlias

from liyuan.domain.names import fold
from liyuan.domain.world import Json, WorldState, parse_world, world_to_json

Path: TypeAlias = tuple[str, ...]

ARROW: Final = " → "


@dataclass(frozen=True, slots=True)
class Change:
    """One field before and after; None means that it was not there. A person who came or left is one change.

    Lists (`inventory`, `plot_threads`) change whole. A relationship is named by its pair: ("relationships", "A → B").
    """

    path: Path
    before: Any
    after: Any

    @property
    def name(self) -> str:
        """The path as pins write it: "characters.青梧.affinity"."""
        return dotted(self.path)


def dotted(path: Path) -> str:
    return ".".join(path)


def diff(before: WorldState, after: WorldState) -> tuple[Change, ...]:
    """Every difference, in the order of the fields."""
    return tuple(differences(tree_of(before), tree_of(after)))


def leaves(world: WorldState) -> dict[str, Any]:
    """Every single value by its dotted path: to look one field up along a branch."""
    return {dotted(path): value for path, value in _leaves(tree_of(world), ())}


def tree_of(world: WorldState) -> Json:
    """The world as nested objects in which every field has a path; relationships stand under their pairs."""
    tree = world_to_json(world)
    tree["relationships"] = _by_pair(tree["relationships"])
    return tree


def world_of(tree: Json) -> WorldState:
    return parse_world({**tree, "relationships": list(tree["relationships"].values())})


def pair(relationship: Mapping[str, Any]) -> str:
    return f"{relationship['a']}{ARROW}{relationship['b']}"


def _by_pair(relationships: list[Json]) -> Json:
    named: Json = {}
    for known in relationships:
        label, number = pair(known), 2
        while label in named:
            label, number = f"{pair(known)} ({number})", number + 1
        named[label] = known
    return named


def differences(before: Json, after: Json, above: Path = ()) -> Iterator[Change]:
    """The changes between two trees, depth first."""
    for key in dict.fromkeys((*before, *after)):
        old, new, path = before.get(key), after.get(key), (*above, key)
        if isinstance(old, dict) and isinstance(new, dict):
            yield from differences(old, new, path)
        elif not _same(old, new):
            yield Change(path, old, new)


def is_pinned(path: Path, pins: Collection[str]) -> bool:
    """Whether a pin names this field or one that holds it. Names are matched without case and outer spaces."""
    return any(_folded(path[:end]) in _all_folded(pins) for end in range(1, len(path) + 1))


def holds_a_pin(path: Path, pins: Collection[str]) -> bool:
    """Whether a pin names something inside this field."""
    return any(pin.startswith(f"{_folded(path)}.") for pin in _all_folded(pins))


def put(tree: Json, path: Path, value: Any) -> None:
    """Set the value at a path whose parents exist; None takes it away."""
    for key in path[:-1]:
        tree = tree[key]
    if value is None:
        tree.pop(path[-1], None)
    else:
        tree[path[-1]] = value


def change_to_json(change: Change) -> Json:
    return {"path": list(change.path), "before": change.before, "after": change.after}


def parse_change(data: object) -> Change | None:
    """A change from its JSON; None when it cannot be read. A dotted path is taken too."""
    raw = data if isinstance(data, Mapping) else {}
    path = raw.get("path")
    steps = path.split(".") if isinstance(path, str) else path
    if not isinstance(steps, list) or not steps or not all(isinstance(step, str) for step in steps):
        return None
    return Change(tuple(steps), raw.get("before"), raw.get("after"))


def _leaves(value: Any, path: Path) -> Iterator[tuple[Path, Any]]:
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from _leaves(inner, (*path, key))
    else:
        yield path, value


def _same(old: Any, new: Any) -> bool:
    """Equal and of one type: true is not 1."""
    return type(old) is type(new) and bool(old == new)


def _folded(path: Path) -> str:
    return dotted(tuple(fold(step) for step in path))


def _all_folded(pins: Collection[str]) -> frozenset[str]:
    return frozenset(fold(pin) for pin in pins)
