"""What a turn changed, as a reader is told it: what became what, the wording left to the pages. Pure values."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from liyuan.domain.change import Change, Path, parse_change
from liyuan.domain.entry import STATE, Entry
from liyuan.domain.fields import Field
from liyuan.domain.values import neat
from liyuan.domain.world import CHARACTER_KEYS

_SECTIONS = {"flags": "flag", "relationships": "relationship", "custom": "custom"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Told:
    """One change. `what` names the kind of field, `name` whom or what it is about, `detail` a further key of a person.

    `gone` and `come` are texts, or true and false; `step` is by how much a number rose.
    """

    what: str
    name: str = ""
    detail: str = ""
    gone: tuple[Any, ...] = ()
    come: tuple[Any, ...] = ()
    step: int | float | None = None


def changes_of(entries: Iterable[Entry]) -> tuple[Change, ...]:
    """What the snapshots among these entries, root → leaf, changed together: first before, last after."""
    merged: dict[Path, Change] = {}
    for entry in entries:
        for change in _changes(entry) if entry.kind == STATE else ():
            before = merged[change.path].before if change.path in merged else change.before
            merged[change.path] = Change(change.path, before, change.after)
    return tuple(change for change in merged.values() if change.before != change.after)


def _changes(entry: Entry) -> Iterable[Change]:
    told = entry.data.get("changes")
    read = (parse_change(one) for one in told) if isinstance(told, list) else ()
    return (change for change in read if change is not None)


def tell(changes: Iterable[Change], fields: Sequence[Field] = ()) -> tuple[Told, ...]:
    """The changes that a reader cares for, in their order. The roster only grows, so it is not told."""
    labels = {field.name: field.label or field.name for field in fields if field.show != "hidden"}
    hidden = {field.name for field in fields if field.show == "hidden"}
    told = (
        _told(change, labels) for change in changes if not (change.path[0] == "custom" and hidden & {change.path[1]})
    )
    return tuple(one for one in told if one is not None)


def _told(change: Change, labels: Mapping[str, str]) -> Told | None:
    match change.path:
        case ("time" | "location" | "inventory" | "plot_threads" as what,):
            return became(what, "", change)
        case ("characters", name, *keys):
            return _of_a_person(name, keys, change)
        case ("flags" | "relationships" | "custom" as section, name, *keys):
            kind = "affinity" if keys == ["affinity"] else _SECTIONS[section]
            return became(kind, labels.get(name, name), change)
    return None


def _of_a_person(name: str, keys: Sequence[str], change: Change) -> Told:
    if not keys:
        return Told(what="came" if change.after is not None else "left", name=name)
    return became(keys[0], name, change) if keys[0] in CHARACTER_KEYS else became("detail", name, change, keys[0])


def became(what: str, name: str, change: Change, detail: str = "") -> Told:
    """What a value was and is: numbers by their step, lists by what came and went."""
    before, after = change.before, change.after
    if _is_number(before) and _is_number(after):
        return Told(what=what, name=name, detail=detail, gone=(before,), come=(after,), step=after - before)
    old, new = _several(before), _several(after)
    gone = tuple(one for one in old if one not in new)
    come = tuple(one for one in new if one not in old)
    return Told(what=what, name=name, detail=detail, gone=gone, come=come)


def _several(value: Any) -> tuple[Any, ...]:
    """A value as the things it says: the items of a list, the words of a relationship, else itself."""
    if isinstance(value, list | tuple):
        return tuple(map(plain, value))
    if isinstance(value, Mapping):
        return tuple(plain(text) for text in (value.get("relation"),) if text)
    return () if value is None or value == "" else (plain(value),)


def plain(value: Any) -> Any:
    """A value as it is shown: neither list nor mapping, whatever an imported ledger may hold."""
    return neat(value) if isinstance(value, float) else value if isinstance(value, str | int) else str(value)


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)
