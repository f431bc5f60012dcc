"""The conversation file (api.md) as a value and as text: a whole tree, one JSON object a line. `file_reading` reads it.

What is written reads back equal, and what was read is written the same: keys and lines we do not know are kept.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final

from liyuan.domain.entry import Draft, EntryId
from liyuan.domain.errors import Invalid
from liyuan.domain.file_line import write_line
from liyuan.domain.margin import Margin, margin_lines
from liyuan.domain.margin import renamed as margin_renamed
from liyuan.domain.note import Note
from liyuan.domain.tolerant import Json
from liyuan.domain.tree import Node

VERSION: Final = 1


@dataclass(frozen=True, slots=True)
class Fault:
    """A line that was left out, wholly or in the part named, and why. Lines count from 1."""

    line: int
    why: Note

    @property
    def reason(self) -> str:
        return str(self.why)


class Unsound(Invalid):
    """A file that is not taken in because of its faults. The problem lists them as api.md says."""

    title = "The file has faults"

    def __init__(self, template: str, faults: Sequence[Fault]) -> None:
        listed = [{"line": fault.line, "reason": fault.reason} for fault in faults]
        super().__init__(template, count=len(faults), quarantined=listed)
        self.faults = tuple(faults)


@dataclass(frozen=True, slots=True, kw_only=True)
class Header:
    """`card` and `persona` are the card's and the persona's JSON. `extra` holds keys we do not know."""

    id: str | None = None
    title: str = ""
    card: Json | None = None
    persona: Json | None = None
    created_at: str = ""
    extra: Json = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Visit:
    """A line of the journal: the reader went to an entry, or to before the first one (None)."""

    entry_id: EntryId | None
    cause: str
    at: str = ""
    extra: Json = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Cut:
    """A pruned subtree. `leaf_id` is where the reader was when it was cut, to go back to when it is restored."""

    entry_id: EntryId
    leaf_id: EntryId | None = None
    at: str = ""
    extra: Json = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class ConversationFile:
    """The sound part of a file. `entries` stand parents first; `others` are lines of kinds that are only kept."""

    header: Header = field(default_factory=Header)
    entries: tuple[Draft, ...] = ()
    journal: tuple[Visit, ...] = ()
    cuts: tuple[Cut, ...] = ()
    margin: Margin = field(default_factory=Margin)
    others: tuple[Json, ...] = ()
    faults: tuple[Fault, ...] = ()

    @property
    def nodes(self) -> list[Node]:
        return [Node(entry.id, entry.parent_id, entry.kind, entry.role) for entry in self.entries]


def leaf_of(file: ConversationFile) -> EntryId | None:
    """Where the reader is: at the last place the journal names, else at the last entry. Never in a pruned part."""
    hidden = _hidden(file)
    for visit in reversed(file.journal):
        if visit.entry_id not in hidden:
            return visit.entry_id
    return next((entry.id for entry in reversed(file.entries) if entry.id not in hidden), None)


def _hidden(file: ConversationFile) -> set[EntryId | None]:
    hidden: set[EntryId | None] = {cut.entry_id for cut in file.cuts}
    for entry in file.entries:
        if entry.parent_id in hidden:
            hidden.add(entry.id)
    return hidden


def written(
    header: Header,
    entries: Iterable[Draft],
    journal: Iterable[Visit] = (),
    cuts: Iterable[Cut] = (),
    margin: Margin | None = None,
    others: Iterable[Json] = (),
) -> Iterator[str]:
    """The lines of a file in the one order we write them in. The parts may be read while they are written."""
    yield header_line(header)
    yield from map(entry_line, entries)
    yield from map(visit_line, journal)
    yield from map(cut_line, cuts)
    yield from margin_lines(margin or Margin())
    yield from map(write_line, others)


def header_line(header: Header) -> str:
    known = {
        "type": "conversation",
        "version": VERSION,
        "id": header.id,
        "title": header.title,
        "card": header.card,
        "persona": header.persona,
        "created_at": header.created_at,
    }
    return write_line(known | dict(header.extra))


def entry_line(entry: Draft) -> str:
    known: dict[str, Any] = {"type": "entry", "id": entry.id, "parent_id": entry.parent_id, "kind": entry.kind}
    if entry.role is not None:
        known["role"] = entry.role
    if entry.text is not None:
        known["text"] = entry.text
    known |= {"data": dict(entry.data), "status": entry.status, "created_at": entry.created_at}
    return write_line(known | dict(entry.extra))


def visit_line(visit: Visit) -> str:
    known = {"type": "leaf", "entry_id": visit.entry_id, "cause": visit.cause, "at": visit.at}
    return write_line(known | visit.extra)


def cut_line(cut: Cut) -> str:
    known = {"type": "pruned", "entry_id": cut.entry_id, "leaf_id": cut.leaf_id, "at": cut.at}
    return write_line(known | cut.extra)


def renamed(file: ConversationFile, ids: Mapping[str, str]) -> ConversationFile:
    """The same tree with other ids: `ids` maps those that change. What speaks of an entry in its data follows."""
    if not ids:
        return file

    def new(entry_id: EntryId | None) -> EntryId | None:
        return None if entry_id is None else _new(entry_id, ids)

    return replace(
        file,
        entries=tuple(
            replace(entry, id=_new(entry.id, ids), parent_id=new(entry.parent_id), data=_following(entry.data, ids))
            for entry in file.entries
        ),
        journal=tuple(replace(visit, entry_id=new(visit.entry_id)) for visit in file.journal),
        cuts=tuple(replace(cut, entry_id=_new(cut.entry_id, ids), leaf_id=new(cut.leaf_id)) for cut in file.cuts),
        margin=margin_renamed(file.margin, ids),
        others=tuple(_following(line, ids) for line in file.others),
    )


def _new(entry_id: EntryId, ids: Mapping[str, str]) -> EntryId:
    return EntryId(ids.get(entry_id, entry_id))


def _following(data: Mapping[str, Any], ids: Mapping[str, str]) -> Json:
    """`target_id`, `from_id`, `through_id`, `covers_through_id`, `fork_source` and their like name entries.

    So do those in the `tools` of a reply, a list of what the model did (`domain.tool_use`).
    """
    return {key: _followed(key, value, ids) for key, value in data.items()}


def _followed(key: str, value: Any, ids: Mapping[str, str]) -> Any:
    if isinstance(value, str) and (key.endswith("_id") or key == "fork_source"):
        return ids.get(value, value)
    if isinstance(value, list) and key == "tools":
        return [_following(one, ids) if isinstance(one, dict) else one for one in value]
    return value
