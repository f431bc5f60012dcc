"""Saving by itself: where a chapter begins or every so many turns, and only so many kept."""

from __future__ import annotations

import json
from typing import Any

from liyuan.domain.saves import Save
from liyuan.jobs.worker import Worker
from liyuan.play import saves
from liyuan.play.turn import hear
from liyuan.play.worldlines import load_picture
from liyuan.store.library import keep_preferences
from tests.tale import Tale


async def wish(tale: Tale, **preferences: Any) -> None:
    await tale.resources.database.write(keep_preferences, **preferences)


async def play(tale: Tale, worker: Worker, **patch: str) -> None:
    tale.model.enqueue(json.dumps(patch), purpose="scribe")
    await tale.say("go on", reply="so it goes")
    await worker.idle()


async def living(tale: Tale) -> list[Save]:
    picture = await tale.resources.database.read(load_picture, tale.id)
    return [station.save for station in picture.stations.values()]


async def test_nothing_is_saved_unasked(booked: Tale, worker: Worker) -> None:
    await play(booked, worker, location="the inn")
    await play(booked, worker, location="the ferry")
    assert await living(booked) == []


async def test_it_saves_where_the_story_comes_to_another_place(booked: Tale, worker: Worker) -> None:
    await wish(booked, autosave_chapters=True)
    await play(booked, worker, location="the inn")
    await play(booked, worker)
    await play(booked, worker, location="the ferry")
    (save,) = await living(booked)
    assert (save.name, save.source, save.id) == ("the ferry", "auto", await booked.leaf())
    assert await booked.faults() == []


async def test_it_saves_every_so_many_turns_and_keeps_so_many(booked: Tale, worker: Worker) -> None:
    await wish(booked, autosave_every_turns=2, autosave_keep=2)
    for _ in range(8):
        await play(booked, worker)
    kept = await living(booked)
    assert len(kept) == 2
    assert len({save.worldline_id for save in kept}) == 1
    gone = (await booked.resources.database.read(load_picture, booked.id)).deleted
    assert len(gone) == 2


async def test_saves_of_ones_own_are_never_trimmed(booked: Tale, worker: Worker) -> None:
    await wish(booked, autosave_every_turns=1, autosave_keep=1)
    own = await saves.save(booked.resources, booked.id, "mine", expected_leaf=await booked.leaf())
    for _ in range(3):
        await play(booked, worker)
    assert [save.source for save in await living(booked)] == ["user", "auto"]
    assert own.save.id in [save.id for save in await living(booked)]


async def test_a_page_drawn_before_the_autosave_is_still_good(booked: Tale, worker: Worker) -> None:
    await wish(booked, autosave_every_turns=1)
    booked.model.enqueue("{}", purpose="scribe")
    shown = await booked.say("hello", reply="welcome")
    await worker.idle()
    assert (await living(booked))[0].id == await booked.leaf() != shown
    booked.model.enqueue("so it goes")
    performance = await hear(booked.resources, booked.id, "go on", expected_leaf=shown)
    await performance.ended()
