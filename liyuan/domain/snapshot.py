"""What an `rp-state` entry holds: the whole world, up to where it is accounted for, and what changed. See api.md."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from string import Formatter
from typing import Any, cast, get_args

from liyuan.domain import booking, patch, values
from liyuan.domain.change import Change, change_to_json, parse_change
from liyuan.domain.entry import STATE, Entry, EntryId
from liyuan.domain.note import Note
from liyuan.domain.patch import Source
from liyuan.domain.world import EMPTY, BrokenSnapshot, Json, WorldState, parse_world, world_to_json

PASSED_OVER = "The ledger written at {at} cannot be read: “{field}” is of the wrong kind. The one before it is shown."

_SENTENCES = frozenset(
    sentence
    for module in (values, booking, patch)
    for name, sentence in vars(module).items()
    if name.isupper() and isinstance(sentence, str)
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Snapshot:
    """`through_id` is the last message accounted for; None when no message is. `pins` are dotted paths."""

    state: WorldState
    through_id: EntryId | None = None
    source: Source = "scribe"
    changes: tuple[Change, ...] = ()
    pins: tuple[str, ...] = ()
    warnings: tuple[Note, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """The snapshot in force at a leaf, the entry it comes from, and a note for each broken one that was passed over."""

    snapshot: Snapshot
    entry_id: EntryId | None = None
    notes: tuple[Note, ...] = field(default=())


def snapshot_data(snapshot: Snapshot) -> Json:
    """The `data` of an entry. `warnings` is there only when there are some."""
    data: Json = {
        "state": world_to_json(snapshot.state),
        "through_id": snapshot.through_id,
        "source": snapshot.source,
        "changes": [change_to_json(change) for change in snapshot.changes],
        "pins": list(snapshot.pins),
    }
    if snapshot.warnings:
        data["warnings"] = [{"template": note.template, "fields": dict(note.fields)} for note in snapshot.warnings]
    return data


def parse_snapshot(data: Mapping[str, Any]) -> Snapshot:
    """Read the data of an entry. What is only for show is read with tolerance.

    Raises BrokenSnapshot when the world itself cannot be read, or `through_id` is no id.
    """
    if "state" not in data:
        raise BrokenSnapshot(field="state")
    through_id = data.get("through_id")
    if not isinstance(through_id, str | None):
        raise BrokenSnapshot(field="through_id")
    changes = (parse_change(change) for change in _list(data.get("changes")))
    return Snapshot(
        state=parse_world(data["state"]),
        through_id=EntryId(through_id) if through_id else None,
        source=_source(data.get("source")),
        changes=tuple(change for change in changes if change is not None),
        pins=tuple(dict.fromkeys(pin for pin in _list(data.get("pins")) if isinstance(pin, str) and pin.strip())),
        warnings=tuple(_warnings(data.get("warnings"))),
    )


def standing(nearest_first: Iterable[Entry], opening: WorldState = EMPTY) -> Standing:
    """The world from a path's snapshots, the one nearest to the leaf first; else the card's opening state.

    A broken snapshot is passed over with a note, so it never breaks the conversation (semantics §3).
    """
    notes: list[Note] = []
    for entry in nearest_first:
        if entry.kind != STATE:
            continue
        try:
            return Standing(snapshot=parse_snapshot(entry.data), entry_id=entry.id, notes=tuple(notes))
        except BrokenSnapshot as broken:
            notes.append(Note(PASSED_OVER, {"at": entry.created_at, "field": broken.fields["field"]}))
    return Standing(snapshot=Snapshot(state=opening, source="card"), notes=tuple(notes))


def _source(told: object) -> Source:
    return cast(Source, told) if told in get_args(Source) else "import"


def _list(value: object) -> list[Any]:
    return value if isinstance(value, list) else []


def _warnings(value: object) -> Iterable[Note]:
    """Our own sentences with their fields; a foreign sentence stands as it is written, never as a template."""
    for told in _list(value):
        raw = told if isinstance(told, Mapping) else {}
        template, fields = raw.get("template"), raw.get("fields")
        if not isinstance(template, str):
            continue
        known = dict(fields) if isinstance(fields, Mapping) else {}
        if template in _SENTENCES and _named(template) <= known.keys():
            yield Note(template, known)
        else:
            yield Note("{text}", {"text": template})


def _named(template: str) -> frozenset[str]:
    return frozenset(name for _, name, _, _ in Formatter().parse(template) if name)
