"""The ledger, the runs and summaries on demand, over the API."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from liyuan.app import create_app
from liyuan.jobs.worker import Worker
from liyuan.model.scripted import ScriptedModel
from liyuan.settings import Settings
from tests.routes import sharing_routes
from tests.web.api.caller import Caller
from tests.web.browser import visiting


@pytest.fixture
def worker() -> Worker:
    return Worker()


@pytest.fixture
async def booked(tmp_path: Path, model: ScriptedModel, worker: Worker) -> AsyncIterator[Caller]:
    """A server that accounts for its turns."""
    settings = Settings(_env_file=None, data_dir=tmp_path / "data", settle_wait=10)  # type: ignore[call-arg]
    app = sharing_routes(create_app(settings, model=model, worker=worker))
    async with visiting(app) as client:
        yield Caller(client, app, model)


async def play(booked: Caller, worker: Worker, **patch: object) -> None:
    booked.model.enqueue(json.dumps(patch), purpose="scribe")
    await booked.say("hello", "welcome")
    await worker.idle()


async def test_the_world_is_told_with_its_source(booked: Caller, worker: Worker) -> None:
    await booked.open()
    before = await booked.read(f"{booked.here}/world")
    assert (before["entry_id"], before["source"]) == (None, "card")
    await play(booked, worker, location="the inn")
    world = await booked.read(f"{booked.here}/world")
    assert world["state"]["location"] == "the inn"
    assert world["source"] == "scribe"
    assert world["entry_id"] == await booked.leaf()


async def test_an_amendment_is_a_snapshot_of_this_branch_only(booked: Caller, worker: Worker) -> None:
    await booked.open()
    await play(booked, worker, location="the inn")
    above = (await booked.read(f"{booked.here}/branch"))["items"][0]["id"]
    body = {
        "patch": {"location": "the cellar", "mood": "dark"},
        "pins": ["location"],
        "expected_leaf": await booked.leaf(),
    }
    amended = await booked.call("PATCH", f"{booked.here}/world", json=body)
    assert amended["state"]["location"] == "the cellar"
    assert amended["pins"] == ["location"]
    assert amended["changes"] == [{"path": "location", "before": "the inn", "after": "the cellar"}]
    assert "mood" in amended["warnings"][0]
    assert (await booked.read(f"{booked.here}/world", leaf=above))["state"]["location"] == ""


async def test_a_pinned_field_wins_over_the_scribe(booked: Caller, worker: Worker) -> None:
    """Marinara-Engine#2317."""
    await booked.open()
    await play(booked, worker, location="the inn")
    body = {"patch": {}, "pins": ["location"], "expected_leaf": await booked.leaf()}
    await booked.call("PATCH", f"{booked.here}/world", json=body)
    await play(booked, worker, location="the roof", time="night")
    state = (await booked.read(f"{booked.here}/world"))["state"]
    assert (state["location"], state["time"]) == ("the inn", "night")


async def test_runs_are_told_with_their_steps(booked: Caller, worker: Worker) -> None:
    await booked.open()
    await play(booked, worker, location="the inn")
    (run,) = (await booked.read(f"{booked.here}/jobs"))["items"]
    assert run["state"] == "done"
    assert run["steps"]["scribe"] == "done"
    assert (await booked.read(booked.here))["status"] == "idle"


async def test_a_failed_run_can_be_tried_again(booked: Caller, worker: Worker) -> None:
    await booked.open()
    booked.model.enqueue("no", "no", purpose="scribe")
    await booked.say("hello", "welcome")
    await worker.idle()
    (run,) = (await booked.read(f"{booked.here}/jobs"))["items"]
    assert run["state"] == "failed" and run["trouble"]
    booked.model.enqueue('{"location": "the inn"}', purpose="scribe")
    await booked.act(f"{booked.here}/jobs/{run['id']}/retry", 202)
    await worker.idle()
    assert (await booked.read(f"{booked.here}/world"))["state"]["location"] == "the inn"


async def test_a_summary_is_asked_for_and_comes_in_the_background(booked: Caller, worker: Worker) -> None:
    await booked.open()
    for _ in range(8):
        await play(booked, worker)
    booked.model.enqueue("Eight turns.", purpose="summary")
    await booked.guarded("/compact", 202)
    await worker.idle()
    kinds = [item["kind"] for item in (await booked.read(f"{booked.here}/branch"))["items"]]
    assert kinds[-1] == "rp-summary"
