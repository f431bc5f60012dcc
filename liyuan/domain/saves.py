"""Saves and the worldlines they lie on. What a new save becomes depends on the tree of saves alone (semantics §7).

The saves of a story form a forest: each knows the nearest save entry above it (`above_id`). One save is above another
in the story exactly when it is above it in this forest, so nothing here needs the entries between them.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import chain, count, pairwise
from typing import Final, Literal, TypeAlias

from liyuan.domain.card import Language
from liyuan.domain.entry import Draft, EntryId
from liyuan.domain.names import one_line
from liyuan.domain.world import Json

PlanKind: TypeAlias = Literal["first", "sameLine", "fork"]
Source: TypeAlias = Literal["user", "quick", "auto"]

NAME_LIMIT: Final = 120
# How much of a save's name stands in that of a line which leaves from it.
QUOTED_NAME: Final = 40


@dataclass(frozen=True, slots=True, kw_only=True)
class Save:
    """A save as it stands now: under its present name, on its present worldline.

    `above_id` is the nearest save entry above it, deleted or not. `source` tells who saved: "user", "quick" or "auto".
    """

    id: EntryId
    above_id: EntryId | None
    worldline_id: str
    name: str
    source: str = "user"
    deleted_at: str | None = None

    @property
    def is_live(self) -> bool:
        return self.deleted_at is None


Forest: TypeAlias = Mapping[EntryId, Save]


@dataclass(frozen=True, slots=True)
class Plan:
    """What a new save becomes. `prev` is the nearest live save above; it is what a fork leaves from."""

    kind: PlanKind
    prev: Save | None

    @property
    def fork_source(self) -> EntryId | None:
        return self.prev.id if self.prev and self.kind == "fork" else None


@dataclass(frozen=True, slots=True, kw_only=True)
class Worldline:
    """A line of living saves, top to bottom. `fork_source` is the living save it leaves from; None for a first line."""

    id: str
    name: str
    fork_source: EntryId | None
    saves: tuple[Save, ...]


def plan(prev: Save | None, *, played_otherwise: bool) -> Plan:
    """§7: no save above: first. `played_otherwise`, a live save below `prev` that is not on this path: fork.

    A new save is an end of the tree and `prev` the nearest one above it, so any live save below `prev` is beside it.
    """
    if prev is None:
        return Plan("first", None)
    return Plan("fork" if played_otherwise else "sameLine", prev)


def plan_below(forest: Forest, nearest: EntryId | None) -> Plan:
    """What a new save would become where `nearest` is the nearest save entry at or above the leaf."""
    prev = live_above(forest, nearest)
    return plan(prev, played_otherwise=prev is not None and any(live_below(forest, prev.id)))


def live_above(forest: Forest, nearest: EntryId | None) -> Save | None:
    """The nearest living save at or above `nearest`."""
    return next((save for save in _up(forest, nearest) if save.is_live), None)


def live_below(forest: Forest, save_id: EntryId) -> Iterator[Save]:
    """The living saves below one."""
    return (save for save in forest.values() if save.is_live and save.id != save_id and is_above(forest, save_id, save))


def is_above(forest: Forest, save_id: EntryId, below: Save) -> bool:
    """Whether one save is on the way from the root to another (a save is above itself)."""
    return any(save.id == save_id for save in _up(forest, below.id))


def on_one_path(forest: Forest, one: Save, other: Save) -> bool:
    return is_above(forest, one.id, other) or is_above(forest, other.id, one)


def comes_back(forest: Forest, save: Save) -> Plan | None:
    """What a deleted save is when it is brought back: None for what it was, else as if it were made now at its place.

    It is what it was as long as all that lives on its line lies on one path with it; where the line has gone elsewhere
    meanwhile, it is planned anew.
    """
    line = (one for one in forest.values() if one.is_live and one.worldline_id == save.worldline_id)
    if all(on_one_path(forest, save, one) for one in line):
        return None
    return plan_below(forest, save.above_id)


def worldlines(forest: Forest, names: Mapping[str, str]) -> tuple[Worldline, ...]:
    """The lines with living saves, each after the one it leaves, their saves from the top.

    `forest` is in the order in which the saves were made, so what is above comes first. The fork source of a line is
    the nearest living save above its topmost one: an ancestor of all its saves, whatever is deleted and brought back.
    """
    lines = _lines(forest)
    sources = {key: live_above(forest, saves[0].above_id) for key, saves in lines.items()}
    return tuple(
        Worldline(id=key, name=names.get(key, ""), fork_source=source.id if source else None, saves=tuple(lines[key]))
        for key, source in sources.items()
    )


def strays(forest: Forest) -> Iterator[Save]:
    """The living saves that are not below the save before them on their line. There are none, in any history."""
    for saves in _lines(forest).values():
        yield from (below for above, below in pairwise(saves) if not is_above(forest, above.id, below))


def arranged(saves: Iterable[Save]) -> dict[EntryId, Save]:
    """Saves that come in from outside, parents first: each stray among them gets a line of its own, under its name."""
    forest: dict[EntryId, Save] = {}
    last: dict[str, EntryId] = {}
    for save in saves:
        forest[save.id] = save
        above = last.get(save.worldline_id)
        if save.is_live and above is not None and not is_above(forest, above, save):
            save = replace(save, worldline_id=_own_line(save.id, last))
            forest[save.id] = save
        if save.is_live:
            last[save.worldline_id] = save.id
    return forest


def line_name(made: Plan, taken: Collection[str], language: Language) -> str:
    """The name of a new worldline: 主线 / Main line, numbered if taken; for a fork, after the save it leaves from."""
    words = _WORDS[language]
    if made.prev is None:
        numbered = (words.numbered.format(number=number) for number in count(2))
        return next(name for name in chain([words.main], numbered) if name not in taken)
    prev = shortened(made.prev.name, QUOTED_NAME)
    forks = (words.fork.format(prev=prev, number=number) for number in count(2))
    return next(name for name in forks if name not in taken)


def shortened(text: str, most: int) -> str:
    """A text in one line, cut with an ellipsis where it is longer than `most` characters."""
    line = one_line(text)
    return line if len(line) <= most else line[: most - 1].rstrip() + "…"


def save_data(
    *,
    save_id: EntryId,
    name: str,
    worldline_id: str,
    worldline_name: str,
    made: Plan,
    source: Source = "user",
) -> Json:
    """The `data` of an `rp-save` entry (api.md): what held when it was made. Renaming happens beside the tree."""
    return {
        "save_id": save_id,
        "name": name,
        "worldline_id": worldline_id,
        "worldline_name": worldline_name,
        "parent_save_id": made.prev.id if made.prev else None,
        "fork_source": made.fork_source,
        "source": source,
    }


def save_of(draft: Draft, above_id: EntryId | None) -> Save:
    """The save that an `rp-save` entry made, read from its data alone. One that names no worldline has its own."""
    return Save(
        id=draft.id,
        above_id=above_id,
        worldline_id=_text(draft, "worldline_id") or draft.id,
        name=_text(draft, "name"),
        source=_text(draft, "source") or "user",
    )


def line_name_of(draft: Draft) -> str:
    """The name that the worldline of a save had when it was made."""
    return _text(draft, "worldline_name")


@dataclass(frozen=True, slots=True)
class _Words:
    main: str
    numbered: str
    fork: str


_WORDS: Final[Mapping[Language, _Words]] = {
    "en": _Words("Main line", "Main line {number}", "From “{prev}” · line {number}"),
    "zh": _Words("主线", "主线 {number}", "从「{prev}」分出 · 线{number}"),
}


def _own_line(save_id: EntryId, taken: Collection[str]) -> str:
    return next(key for key in chain([save_id], (f"{save_id}-{n}" for n in count(2))) if key not in taken)


def _lines(forest: Forest) -> dict[str, list[Save]]:
    lines: dict[str, list[Save]] = {}
    for save in forest.values():
        if save.is_live:
            lines.setdefault(save.worldline_id, []).append(save)
    return lines


def _up(forest: Forest, save_id: EntryId | None) -> Iterator[Save]:
    while save_id is not None and save_id in forest:
        save = forest[save_id]
        yield save
        save_id = save.above_id


def _text(draft: Draft, key: str) -> str:
    value = draft.data.get(key)
    return value if isinstance(value, str) else ""
