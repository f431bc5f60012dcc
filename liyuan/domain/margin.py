"""What a conversation file says beside the tree: tags, names of worldlines, and what was changed about saves since.

A line of type "save" stands there only for a save that is no longer as its entry was made: renamed, or on another line.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final, TypeAlias

from liyuan.domain.entry import SAVE, Draft, EntryId
from liyuan.domain.file_line import ID, TEXT, rest, take, write_line
from liyuan.domain.tolerant import Json

TAG: Final = "tag"
WORLDLINE: Final = "worldline"
RESTATED: Final = "save"
DELETED: Final = "deleted-save"
SAID_TWICE: Final = "The file has told of “{name}” already. What it said first stands."
NO_SUCH_SAVE: Final = "It speaks of the save “{save_id}”, which is not in this story."
DANGLING: Final = "It speaks of the entry “{entry_id}”, which is not in this story."


@dataclass(frozen=True, slots=True, kw_only=True)
class Tag:
    name: str
    entry_id: EntryId
    extra: Json = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class LineName:
    """The name of a worldline."""

    id: str
    name: str
    extra: Json = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Restated:
    """The present name and worldline of a save. `save_id` is as the entry's data has it."""

    entry_id: EntryId
    save_id: str
    name: str
    worldline_id: str
    extra: Json = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class DeletedSave:
    entry_id: EntryId
    save_id: str
    extra: Json = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Margin:
    """All of it, in the order in which it is written."""

    tags: tuple[Tag, ...] = ()
    worldlines: tuple[LineName, ...] = ()
    saves: tuple[Restated, ...] = ()
    deleted: tuple[DeletedSave, ...] = ()

    @property
    def names(self) -> dict[str, str]:
        return {line.id: line.name for line in self.worldlines}


AnyLine: TypeAlias = Tag | LineName | Restated | DeletedSave
Fault: TypeAlias = Callable[..., None]


def margin_lines(margin: Margin) -> Iterator[str]:
    for tag in margin.tags:
        yield _written(TAG, tag.extra, name=tag.name, entry_id=tag.entry_id)
    for line in margin.worldlines:
        yield _written(WORLDLINE, line.extra, id=line.id, name=line.name)
    for save in margin.saves:
        yield _written(RESTATED, save.extra, save_id=save.save_id, name=save.name, worldline_id=save.worldline_id)
    for gone in margin.deleted:
        yield _written(DELETED, gone.extra, save_id=gone.save_id)


def _written(kind: str, extra: Json, **known: Any) -> str:
    return write_line({"type": kind, **known, **extra})


def parse_margin_line(kind: str, line: Json) -> AnyLine | None:
    """A line of the margin; None for other types. Which entry a save is, is not known yet. Raises Unreadable."""
    match kind:
        case "tag":
            extra = rest(line, frozenset({"type", "name", "entry_id"}))
            return Tag(name=take(line, "name", ID), entry_id=EntryId(take(line, "entry_id", ID)), extra=extra)
        case "worldline":
            extra = rest(line, frozenset({"type", "id", "name"}))
            return LineName(id=take(line, "id", ID), name=take(line, "name", TEXT), extra=extra)
        case "save":
            return Restated(
                entry_id=EntryId(""),
                save_id=take(line, "save_id", ID),
                name=take(line, "name", TEXT),
                worldline_id=take(line, "worldline_id", ID),
                extra=rest(line, frozenset({"type", "save_id", "name", "worldline_id"})),
            )
        case "deleted-save":
            extra = rest(line, frozenset({"type", "save_id"}))
            return DeletedSave(entry_id=EntryId(""), save_id=take(line, "save_id", ID), extra=extra)
    return None


def joined(lines: Iterable[tuple[int, AnyLine]], entries: Sequence[Draft], fault: Fault) -> Margin:
    """The margin of a tree: what speaks of something that is not there, or says a thing twice, is told to `fault`."""
    ids = {entry.id for entry in entries}
    called = names_of_saves(entries)
    kept: dict[tuple[str, str], AnyLine] = {}
    for number, line in lines:
        match line:
            case Tag() if line.entry_id not in ids:
                fault(number, DANGLING, entry_id=line.entry_id)
            case Restated() | DeletedSave() if line.save_id not in called:
                fault(number, NO_SUCH_SAVE, save_id=line.save_id)
            case Restated() | DeletedSave():
                _keep(kept, number, line.save_id, replace(line, entry_id=called[line.save_id]), fault)
            case Tag():
                _keep(kept, number, line.name, line, fault)
            case LineName():
                _keep(kept, number, line.id, line, fault)
    return margin_of(kept.values())


def margin_of(lines: Iterable[AnyLine]) -> Margin:
    lines = list(lines)
    return Margin(
        tags=tuple(line for line in lines if isinstance(line, Tag)),
        worldlines=tuple(line for line in lines if isinstance(line, LineName)),
        saves=tuple(line for line in lines if isinstance(line, Restated)),
        deleted=tuple(line for line in lines if isinstance(line, DeletedSave)),
    )


def names_of_saves(entries: Iterable[Draft]) -> dict[str, EntryId]:
    """What lines call each save: the `save_id` of its data, or its own id where that is taken or not there."""
    saves = [entry for entry in entries if entry.kind == SAVE]
    called: dict[str, EntryId] = {}
    for entry in saves:
        given = entry.data.get("save_id")
        if isinstance(given, str) and given:
            called.setdefault(given, entry.id)
    for entry in saves:
        called.setdefault(entry.id, entry.id)
    return called


def of_branch(margin: Margin, path: Mapping[EntryId, Draft]) -> Margin:
    """What of a margin concerns the entries of one path, and the worldlines of the saves on it."""
    lines = {save.data.get("worldline_id") for save in path.values() if save.kind == SAVE}
    lines |= {save.worldline_id for save in margin.saves if save.entry_id in path}
    return Margin(
        tags=tuple(tag for tag in margin.tags if tag.entry_id in path),
        worldlines=tuple(line for line in margin.worldlines if line.id in lines),
        saves=tuple(save for save in margin.saves if save.entry_id in path),
        deleted=tuple(gone for gone in margin.deleted if gone.entry_id in path),
    )


def renamed(margin: Margin, ids: Mapping[str, str]) -> Margin:
    """The same margin for a tree whose ids have changed."""

    def new(key: str) -> EntryId:
        return EntryId(ids.get(key, key))

    return Margin(
        tags=tuple(replace(tag, entry_id=new(tag.entry_id)) for tag in margin.tags),
        worldlines=tuple(replace(line, id=new(line.id)) for line in margin.worldlines),
        saves=tuple(
            replace(save, entry_id=new(save.entry_id), save_id=new(save.save_id), worldline_id=new(save.worldline_id))
            for save in margin.saves
        ),
        deleted=tuple(replace(gone, entry_id=new(gone.entry_id), save_id=new(gone.save_id)) for gone in margin.deleted),
    )


def _keep(kept: dict[tuple[str, str], AnyLine], number: int, key: str, line: AnyLine, fault: Fault) -> None:
    if kept.setdefault((type(line).__name__, key), line) is not line:
        fault(number, SAID_TWICE, name=key)
