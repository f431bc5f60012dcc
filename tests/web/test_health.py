"""What machines ask: alive, ready, how much is going on."""

from __future__ import annotations

import httpx
import pytest
from fastapi import FastAPI
from fastapi.sse import EventSourceResponse, ServerSentEvent

from liyuan.domain.entry import EntryId
from liyuan.domain.errors import ModelFailed
from liyuan.model.scripted import ScriptedModel
from liyuan.store.runs import queue
from tests.tale import new_tale
from tests.web.browser import visiting


async def test_alive_and_ready(program: httpx.AsyncClient) -> None:
    assert (await program.get("/healthz")).json() == {"status": "ok"}
    assert (await program.get("/readyz")).json() == {"status": "ready"}


async def test_not_ready_without_a_database(open_app: FastAPI) -> None:
    async with visiting(open_app) as client:
        open_app.state.resources.database.engine.dispose()
        database = open_app.state.settings.data_dir / "liyuan.sqlite3"
        for path in database.parent.glob("liyuan.sqlite3*"):
            path.unlink()
        database.mkdir()
        answer = await client.get("/readyz")
        assert (answer.status_code, answer.json()) == (503, {"status": "no database"})
        assert (await client.get("/healthz")).status_code == 200


async def test_figures_count_by_the_pattern_of_the_route(program: httpx.AsyncClient) -> None:
    await program.get("/probe/busy")
    await program.get("/probe/moved")
    await program.get("/a-guess-of-an-address")
    figures = (await program.get("/metrics")).text
    assert 'liyuan_requests_total{method="GET",route="/probe/{trouble}",status="409"} 2.0' in figures
    assert 'liyuan_requests_total{method="GET",route="none",status="404"} 1.0' in figures
    assert "a-guess" not in figures


async def test_figures_count_faults(program: httpx.AsyncClient) -> None:
    await program.get("/probe/fault")
    assert "liyuan_faults_total 1.0" in (await program.get("/metrics")).text


async def test_figures_tell_how_many_runs_there_are_in_each_state(
    program: httpx.AsyncClient, open_app: FastAPI
) -> None:
    story = (await program.post("/api/v1/conversations", json={})).json()
    await open_app.state.resources.database.write(queue, story["id"], EntryId("a-leaf"))
    figures = (await program.get("/metrics")).text
    assert 'liyuan_runs{state="queued"} 1.0' in figures
    assert 'liyuan_runs{state="failed"} 0.0' in figures


async def test_figures_count_streams_while_they_are_open(open_app: FastAPI) -> None:
    seen = []

    @open_app.get("/stream", response_class=EventSourceResponse)
    async def stream() -> object:
        seen.append(open_app.state.figures.registry.get_sample_value("liyuan_streams_open"))
        yield ServerSentEvent(data="one")
        seen.append(open_app.state.figures.registry.get_sample_value("liyuan_streams_open"))

    async with visiting(open_app) as client:
        await client.get("/stream")
    assert seen[-1] == 1
    assert open_app.state.figures.registry.get_sample_value("liyuan_streams_open") == 0


async def test_figures_count_turns_and_time_their_first_word(open_app: FastAPI, model: ScriptedModel) -> None:
    figures = open_app.state.figures.registry.get_sample_value
    async with visiting(open_app):
        resources = open_app.state.resources
        tale = await new_tale(resources, model)
        await tale.say("A room, please.", reply="“Up the stairs.”")
        with pytest.raises(ModelFailed):
            await tale.say("And a lamp.", reply=ModelFailed())
    assert figures("liyuan_turns_total", {"act": "reply", "outcome": "ended"}) == 1
    assert figures("liyuan_turns_total", {"act": "reply", "outcome": "failed"}) == 1
    assert figures("liyuan_first_token_seconds_count") == 1
    assert figures("liyuan_performances_playing") == 0
