"""Semantics §3 and §4: the scribe books every turn once, on the branch where it happened, and nowhere else."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

from liyuan.domain.entry import STATE, EntryId
from liyuan.domain.errors import ModelFailed
from liyuan.domain.snapshot import Standing
from liyuan.jobs.after_turn import after_turn
from liyuan.jobs.worker import Worker
from liyuan.model.scripted import ScriptedModel
from liyuan.play import turn
from liyuan.store.branch import active_leaf
from liyuan.store.cast import load_cast
from liyuan.store.runs import Run, load_runs
from liyuan.store.tree import load_entry
from liyuan.store.worlds import load_world
from tests.tale import Tale, new_tale, theatre


def books(model: ScriptedModel, **patch: Any) -> None:
    model.enqueue(json.dumps(patch), purpose="scribe")


async def world(tale: Tale) -> Standing:
    def read(connection: Any) -> Standing:
        leaf = load_entry(connection, tale.id, EntryId(str(active_leaf(connection, tale.id))))
        return load_world(connection, tale.id, leaf, load_cast(connection, tale.id, leaf).card)

    return await tale.resources.database.read(read)


async def runs(tale: Tale) -> list[Run]:
    return await tale.resources.database.read(load_runs, tale.id)


async def test_a_turn_is_booked_below_its_reply(booked: Tale, worker: Worker) -> None:
    books(booked.model, location="the inn", characters={"Ash": {"affinity": 5}})
    reply = await booked.say("hello", reply="welcome")
    await worker.idle()
    last = (await booked.items())[-1].entry
    assert (last.kind, last.parent_id) == (STATE, reply)
    found = await world(booked)
    assert found.snapshot.state.location == "the inn"
    assert found.snapshot.state.characters["Ash"].affinity == 5
    assert found.snapshot.through_id == reply
    assert [run.state for run in await runs(booked)] == ["done"]


async def test_the_prompt_tells_the_ledger_just_before_the_words(booked: Tale, worker: Worker) -> None:
    books(booked.model, location="the cellar")
    await booked.say("hello", reply="welcome")
    await worker.idle()
    books(booked.model)
    await booked.say("go on", reply="yes")
    story = booked.model.asked("story")[-1].messages
    assert "the cellar" in story[-2].text and story[-1].text == "go on"
    await worker.idle()


async def test_the_prompt_of_a_swipe_holds_nothing_of_the_discarded_ledger(booked: Tale, worker: Worker) -> None:
    """rpg-companion#129."""
    books(booked.model, location="the cellar")
    reply = await booked.say("hello", reply="welcome")
    await worker.idle()
    books(booked.model, location="the roof")
    await booked.swipe(reply, reply="hm")
    assert "cellar" not in str(booked.model.asked("story")[-1].messages)
    await worker.idle()
    assert (await world(booked)).snapshot.state.location == "the roof"


async def test_going_back_brings_the_ledger_of_that_branch(booked: Tale, worker: Worker) -> None:
    books(booked.model, location="the cellar")
    reply = await booked.say("hello", reply="welcome")
    await worker.idle()
    books(booked.model, location="the roof")
    await booked.swipe(reply, reply="hm")
    await worker.idle()
    await booked.choose(reply)
    assert (await world(booked)).snapshot.state.location == "the cellar"


async def test_a_scribe_that_comes_too_late_is_dropped_whole(booked: Tale, worker: Worker) -> None:
    gate = asyncio.Event()
    booked.model.enqueue([gate, '{"location": "nowhere"}'], purpose="scribe")
    reply = await booked.say("hello", reply="welcome")
    await booked.model.until_asked(2)
    await booked.go((await booked.items())[0].id)
    before = await booked.count()
    gate.set()
    await worker.idle()
    assert await booked.count() == before
    assert [run.state for run in await runs(booked)] == ["stale"]
    await booked.choose(reply)
    assert (await world(booked)).entry_id is None


async def test_a_dropped_turn_is_caught_up_by_the_next(booked: Tale, worker: Worker) -> None:
    gate = asyncio.Event()
    booked.model.enqueue([gate, '{"location": "nowhere"}'], purpose="scribe")
    reply = await booked.say("hello", reply="welcome")
    await booked.model.until_asked(2)
    await booked.go((await booked.items())[0].id)
    gate.set()
    await worker.idle()
    await booked.choose(reply)
    books(booked.model, location="the inn")
    await booked.say("go on", reply="yes")
    await worker.idle()
    asked = booked.model.asked("scribe")[-1].messages[-1].text
    assert all(text in asked for text in ("Good evening.", "hello", "welcome", "go on", "yes"))
    assert (await world(booked)).snapshot.state.location == "the inn"


async def test_away_and_back_while_the_scribe_runs_books_once(booked: Tale, worker: Worker) -> None:
    books(booked.model)
    first = await booked.say("hello", reply="welcome")
    await worker.idle()
    gate = asyncio.Event()
    booked.model.enqueue([gate, '{"location": "the roof"}'], purpose="scribe")
    second = await booked.swipe(first, reply="hm")
    await booked.model.until_asked(4)
    await booked.choose(first)
    await booked.choose(second)
    gate.set()
    await worker.idle()
    states = [item.entry for item in await booked.items() if item.entry.kind == STATE]
    assert len(states) == 1
    assert (await world(booked)).snapshot.state.location == "the roof"


async def test_the_next_turn_waits_for_the_ledger(booked: Tale, worker: Worker) -> None:
    gate = asyncio.Event()
    booked.model.enqueue([gate, '{"location": "the cellar"}'], purpose="scribe")
    await booked.say("hello", reply="welcome")
    await booked.model.until_asked(2)
    booked.model.enqueue("yes")
    books(booked.model)
    beginning = asyncio.create_task(booked.begin("go on"))
    await asyncio.sleep(0.25)
    assert not beginning.done()
    gate.set()
    await (await beginning).ended()
    assert "the cellar" in str(booked.model.asked("story")[-1].messages)
    await worker.idle()


async def test_the_next_turn_does_not_wait_for_ever(tmp_path: Path, model: ScriptedModel, worker: Worker) -> None:
    async with theatre(tmp_path / "late", model, worker=worker, settle_wait=0.3) as resources:
        await worker.open(resources)
        tale = await new_tale(resources, model)
        model.enqueue([asyncio.Event()], purpose="scribe")
        await tale.say("hello", reply="welcome")
        model.enqueue("{}", purpose="scribe")
        await tale.say("go on", reply="yes")
        assert (await tale.shown())[-2:] == ["go on", "yes"]
        await worker.close()


async def test_a_page_drawn_before_the_ledger_came_is_not_stale(booked: Tale, worker: Worker) -> None:
    books(booked.model, location="the inn")
    reply = await booked.say("hello", reply="welcome")
    await worker.idle()
    books(booked.model)
    booked.model.enqueue("yes")
    await (await turn.hear(booked.resources, booked.id, "go on", expected_leaf=reply)).ended()
    assert (await booked.shown())[-2:] == ["go on", "yes"]
    await worker.idle()


async def test_an_answer_that_cannot_be_read_gets_one_more_try(booked: Tale, worker: Worker) -> None:
    booked.model.enqueue("I would rather not.", '{"location": "the inn"}', purpose="scribe")
    await booked.say("hello", reply="welcome")
    await worker.idle()
    assert (await world(booked)).snapshot.state.location == "the inn"
    assert len(booked.model.asked("scribe")) == 2


async def test_a_scribe_that_fails_twice_fails_visibly_and_is_caught_up(booked: Tale, worker: Worker) -> None:
    booked.model.enqueue("no", "no", purpose="scribe")
    await booked.say("hello", reply="welcome")
    await worker.idle()
    (failed,) = await runs(booked)
    assert failed.state == "failed" and "next turn" in failed.trouble
    books(booked.model, location="the inn")
    await booked.say("go on", reply="yes")
    await worker.idle()
    assert (await world(booked)).snapshot.through_id == (await booked.items())[-2].id


async def test_a_run_killed_after_its_write_writes_nothing_twice(booked: Tale, worker: Worker) -> None:
    books(booked.model, location="the inn")
    await booked.say("hello", reply="welcome")
    await worker.idle()
    before = await booked.count()
    (run,) = await runs(booked)
    assert await after_turn(booked.resources, run.id) == "done"
    assert await booked.count() == before


async def test_a_model_that_is_away_fails_the_run_and_nothing_else(booked: Tale, worker: Worker) -> None:
    booked.model.enqueue(ModelFailed(kind="unauthorized"), purpose="scribe")
    await booked.say("hello", reply="welcome")
    await worker.idle()
    assert [run.state for run in await runs(booked)] == ["failed"]
    assert await booked.shown() == ["Good evening.", "hello", "welcome"]
    assert await booked.faults() == []
