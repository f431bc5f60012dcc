"""What the calls around the ledger take and give."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Literal

from pydantic import BaseModel, Field

from liyuan.domain.change import Change
from liyuan.domain.note import Note
from liyuan.domain.trouble import error_of
from liyuan.domain.world import world_to_json
from liyuan.play.world import Ledger
from liyuan.store.runs import Run as RunRow
from liyuan.web.api.schemas import example
from liyuan.web.api.wishes import Guard

WORLD_EXAMPLE: dict[str, Any] = {
    "state": {"location": "the inn", "characters": {"青梧": {"affinity": 34, "status": "awake", "notes": ""}}},
    "entry_id": "019c13d2a1b07f3e5d2c4b6a",
    "through_id": "019c13d2a00f00aa00bb00cc",
    "source": "scribe",
    "pins": ["location"],
}
RUN_EXAMPLE: dict[str, Any] = {
    "id": "019c13d2a2c07f3e5d2c4b6a",
    "anchor_id": "019c13d2a1b07f3e5d2c4b6a",
    "state": "done",
    "steps": {"scribe": "done", "compaction": "nothing to do"},
    "trouble": "",
}


class World(BaseModel):
    """The world at a leaf. `entry_id` is the snapshot in force, null where the card's opening state still holds."""

    model_config = example(WORLD_EXAMPLE)

    state: dict[str, Any]
    entry_id: str | None
    through_id: str | None
    source: Literal["scribe", "user", "import", "card"]
    pins: list[str]

    @classmethod
    def of(cls, ledger: Ledger) -> World:
        return cls(**_world(ledger))


class Amendment(Guard):
    """A patch by the rules of the ledger, and all the pins there are to be (without the key they stay)."""

    model_config = example({"patch": {"location": "the cellar"}, "pins": ["location"], "expected_leaf": None})

    patch: dict[str, Any] = Field(default_factory=dict)
    pins: list[str] | None = None


class FieldChange(BaseModel):
    """One field that changed; `path` is dotted."""

    path: str
    before: Any
    after: Any


class Amended(World):
    """The world afterwards, what changed, and what was refused or read with a guess."""

    changes: list[FieldChange]
    warnings: list[str]

    @classmethod
    def made(cls, ledger: Ledger, changes: Iterable[Change], notes: Iterable[Note]) -> Amended:
        told = [FieldChange(path=change.name, before=change.before, after=change.after) for change in changes]
        return cls(**_world(ledger), changes=told, warnings=[str(note) for note in notes])


class Run(BaseModel):
    """A run after a turn. `steps` tells how each step ended; `trouble` what went wrong, in words."""

    model_config = example(RUN_EXAMPLE)

    id: str
    anchor_id: str
    state: Literal["queued", "running", "done", "stale", "failed"]
    steps: dict[str, str]
    trouble: str

    @classmethod
    def of(cls, run: RunRow) -> Run:
        told = str(error_of(run.trouble)) if run.trouble else ""
        return cls(id=run.id, anchor_id=run.anchor_id, state=run.state, steps=dict(run.steps), trouble=told)


class Runs(BaseModel):
    items: list[Run]


def _world(ledger: Ledger) -> dict[str, Any]:
    snapshot = ledger.standing.snapshot
    return {
        "state": world_to_json(snapshot.state),
        "entry_id": ledger.standing.entry_id,
        "through_id": snapshot.through_id,
        "source": snapshot.source,
        "pins": list(snapshot.pins),
    }
