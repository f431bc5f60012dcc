"""What the calls around saves and worldlines take and give."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Literal

from pydantic import BaseModel, Field

from liyuan.domain.entry import EntryId
from liyuan.domain.saves import Plan as SavePlan
from liyuan.domain.saves import Save as SaveRow
from liyuan.domain.saves import Worldline as Line
from liyuan.play.worldlines import Comparison as Compared
from liyuan.play.worldlines import Picture, Station
from liyuan.play.worldlines import Preview as Previewed
from liyuan.play.worldlines import Side as ComparedSide
from liyuan.store.saves import Saved
from liyuan.web.api.schemas import Entry, example
from liyuan.web.api.wishes import Guard, MaybeGuard, Plain
from liyuan.web.api.world_schemas import FieldChange

SAVE_EXAMPLE: dict[str, Any] = {
    "id": "019c13d2a3c07f3e5d2c4b6a",
    "name": "the inn by the ferry, the third night",
    "worldline_id": "019c13d2a3c07f3e5d2c4b6b",
    "source": "user",
    "deleted": False,
}
STATION_EXAMPLE: dict[str, Any] = {
    **SAVE_EXAMPLE,
    "parent_save_id": None,
    "turn": 12,
    "depth": 27,
    "created_at": "2026-01-31T12:10:00.000Z",
    "on_path": True,
}
LINE_EXAMPLE: dict[str, Any] = {
    "id": "019c13d2a3c07f3e5d2c4b6b",
    "name": "Main line",
    "fork_source": None,
    "saves": [STATION_EXAMPLE],
}


class Save(BaseModel):
    """A save as it stands now. Its `id` is that of its entry. `source`: "user", "quick" or "auto"."""

    model_config = example(SAVE_EXAMPLE)

    id: str
    name: str
    worldline_id: str
    source: str
    deleted: bool

    @classmethod
    def of(cls, save: SaveRow) -> Save:
        return cls(**_fields(save))


class PlacedSave(Save):
    """A living save in the story. `parent_save_id` is the nearest living save above it."""

    model_config = example(STATION_EXAMPLE)

    parent_save_id: str | None
    turn: int
    depth: int
    created_at: str
    on_path: bool

    @classmethod
    def at(cls, station: Station) -> PlacedSave:
        return cls(
            **_fields(station.save),
            parent_save_id=station.above_id,
            turn=station.turn,
            depth=station.depth,
            created_at=station.created_at,
            on_path=station.on_path,
        )


class Worldline(BaseModel):
    """A line of saves, from the top. `fork_source` is the save it leaves from; null for a first line."""

    model_config = example(LINE_EXAMPLE)

    id: str
    name: str
    fork_source: str | None
    saves: list[PlacedSave]

    @classmethod
    def of(cls, line: Line, stations: Mapping[EntryId, Station]) -> Worldline:
        return cls(
            id=line.id,
            name=line.name,
            fork_source=line.fork_source,
            saves=[PlacedSave.at(stations[save.id]) for save in line.saves],
        )


class Worldlines(BaseModel):
    """Every worldline that has saves. `current_save` is the nearest save at or above the leaf."""

    model_config = example({"worldlines": [LINE_EXAMPLE], "current_save": STATION_EXAMPLE["id"], "deleted": []})

    worldlines: list[Worldline]
    current_save: str | None
    deleted: list[Save]

    @classmethod
    def of(cls, picture: Picture) -> Worldlines:
        return cls(
            worldlines=[Worldline.of(line, picture.stations) for line in picture.worldlines],
            current_save=picture.current_save,
            deleted=[Save.of(save) for save in picture.deleted],
        )


class NewSave(Guard):
    """Without a name the save gets one from the story: place and time, or the last reply's first words."""

    model_config = example({"name": "before the cellar", "expected_leaf": "019c13d2a1b07f3e5d2c4b6a"})

    name: Annotated[Plain, Field(max_length=1000)] | None = None


class MadeSave(Save):
    """A new save. `plan` tells what it became; it is the new leaf."""

    model_config = example(
        {
            **SAVE_EXAMPLE,
            "plan": "fork",
            "worldline_name": "From “the inn” · line 2",
            "parent_save_id": "019c13d29f0011aa22bb33cc",
            "fork_source": "019c13d29f0011aa22bb33cc",
            "leaf_id": SAVE_EXAMPLE["id"],
        }
    )

    plan: Literal["first", "sameLine", "fork"]
    worldline_name: str
    parent_save_id: str | None
    fork_source: str | None
    leaf_id: str

    @classmethod
    def made(cls, saved: Saved) -> MadeSave:
        prev = saved.plan.prev
        return cls(
            **_fields(saved.save),
            plan=saved.plan.kind,
            worldline_name=saved.worldline_name,
            parent_save_id=prev.id if prev else None,
            fork_source=saved.plan.fork_source,
            leaf_id=saved.save.id,
        )


class ReturnedSave(Save):
    """A save that was brought back. `plan` is null where it is what it was; else its line had gone elsewhere."""

    model_config = example({**SAVE_EXAMPLE, "plan": None})

    plan: Literal["first", "sameLine", "fork"] | None

    @classmethod
    def back(cls, save: SaveRow, plan: SavePlan | None) -> ReturnedSave:
        return cls(**_fields(save), plan=plan.kind if plan else None)


class Restoring(MaybeGuard):
    """`summary` is what to leave behind on the branch that is left; see the call `leaf`."""

    model_config = example({"expected_leaf": "019c13d2a1b07f3e5d2c4b6a", "summary": "none"})

    summary: Plain = "none"
    text: Plain | None = None


class NewName(BaseModel):
    model_config = example({"name": "The long way round"})

    name: Annotated[Plain, Field(min_length=1, max_length=1000)]


class NamedWorldline(BaseModel):
    model_config = example({"id": LINE_EXAMPLE["id"], "name": "The long way round"})

    id: str
    name: str


class Preview(Save):
    """A save seen from outside: when and where in the story, and what was said last."""

    worldline_name: str
    turn: int
    created_at: str
    time: str
    location: str
    character: str
    lines: list[Entry]

    @classmethod
    def seen(cls, seen: Previewed) -> Preview:
        return cls(
            **_fields(seen.save),
            worldline_name=seen.worldline_name,
            turn=seen.turn,
            created_at=seen.created_at,
            time=seen.time,
            location=seen.location,
            character=seen.character,
            lines=[Entry.of(line) for line in seen.lines],
        )


class Side(BaseModel):
    """What was said on one side since they parted; `more` messages follow that are not told here."""

    save: Save
    turns: int
    lines: list[Entry]
    more: int

    @classmethod
    def of(cls, side: ComparedSide) -> Side:
        lines = [Entry.of(line) for line in side.lines]
        return cls(save=Save.of(side.save), turns=side.turns, lines=lines, more=side.more)


class Comparison(BaseModel):
    """Two saves beside each other. `changes` lead from the world of `one` to that of `other`."""

    one: Side
    other: Side
    parted_at: str | None
    changes: list[FieldChange]

    @classmethod
    def of(cls, compared: Compared) -> Comparison:
        changes = [
            FieldChange(path=change.name, before=change.before, after=change.after) for change in compared.changes
        ]
        return cls(
            one=Side.of(compared.one),
            other=Side.of(compared.other),
            parted_at=compared.parted_at,
            changes=changes,
        )


def _fields(save: SaveRow) -> dict[str, Any]:
    return {
        "id": save.id,
        "name": save.name,
        "worldline_id": save.worldline_id,
        "source": save.source,
        "deleted": not save.is_live,
    }
