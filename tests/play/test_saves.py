"""Saving and going back: what a save becomes, and that restoring it needs no repair."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from liyuan.domain.entry import STATE, EntryId
from liyuan.domain.errors import Busy, Invalid, LeafMoved
from liyuan.jobs.worker import Worker
from liyuan.model.scripted import ScriptedModel
from liyuan.play import edits, saves, travel, world
from liyuan.play.exports import export_conversation
from liyuan.play.worldlines import Picture, load_picture
from liyuan.store.saves import Saved
from tests.postgres import new_database
from tests.tale import Tale, new_tale, theatre


@pytest.fixture
def worker() -> Worker:
    return Worker()


@pytest.fixture
async def booked(tmp_path: Path, model: ScriptedModel, worker: Worker) -> AsyncIterator[Tale]:
    """A story whose turns are booked by a scripted scribe."""
    async with theatre(tmp_path / "booked", model, worker=worker, settle_wait=10) as resources:
        await worker.open(resources)
        yield await new_tale(resources, model)
        await worker.close()


async def saved(tale: Tale, name: str = "") -> Saved:
    return await saves.save(tale.resources, tale.id, name, expected_leaf=await tale.leaf())


async def restore(tale: Tale, save_id: EntryId) -> EntryId | None:
    return (await saves.restore(tale.resources, tale.id, save_id, expected_leaf=await tale.leaf())).leaf_id


async def picture(tale: Tale) -> Picture:
    return await tale.resources.database.read(load_picture, tale.id)


async def test_the_classic_case_comes_out_as_first_same_line_and_fork(tale: Tale) -> None:
    await tale.say("hello", reply="welcome")
    first = await saved(tale, "one")
    await tale.say("a room", reply="upstairs")
    second = await saved(tale, "two")
    await restore(tale, first.save.id)
    await tale.say("a meal", reply="soup")
    third = await saved(tale, "three")
    assert [one.plan.kind for one in (first, second, third)] == ["first", "sameLine", "fork"]
    assert third.plan.fork_source == first.save.id
    assert [one.worldline_name for one in (first, second, third)] == ["Main line", "Main line", "From “one” · line 2"]
    main, fork = (await picture(tale)).worldlines
    assert [save.name for save in main.saves] == ["one", "two"]
    assert (fork.fork_source, [save.name for save in fork.saves]) == (first.save.id, ["three"])
    assert await tale.faults() == []


async def test_a_line_that_nobody_continued_goes_on_after_a_restore(tale: Tale) -> None:
    await tale.say("hello", reply="welcome")
    first = await saved(tale)
    await tale.say("a room", reply="upstairs")
    await restore(tale, first.save.id)
    await tale.say("a meal", reply="soup")
    assert (await saved(tale)).plan.kind == "sameLine"


async def test_a_save_between_two_saves_of_a_line_is_a_fork_too(tale: Tale) -> None:
    await saved(tale)
    between = await tale.say("hello", reply="welcome")
    await tale.say("a room", reply="upstairs")
    await saved(tale)
    await tale.go(between)
    assert (await saved(tale)).plan.kind == "fork"


async def test_a_second_beginning_is_a_line_of_its_own_and_numbered(tale: Tale) -> None:
    await tale.say("hello", reply="welcome")
    await saved(tale)
    await tale.go((await tale.items())[0].id)
    other = await saved(tale)
    assert (other.plan.kind, other.worldline_name) == ("first", "Main line 2")


async def test_a_save_waits_for_the_ledger_of_its_turn(booked: Tale, worker: Worker) -> None:
    gate = asyncio.Event()
    booked.model.enqueue([gate, '{"location": "the inn"}'], purpose="scribe")
    await booked.say("hello", reply="welcome")
    saving = asyncio.create_task(saved(booked))
    await asyncio.sleep(0.3)
    assert not saving.done()
    gate.set()
    made = await saving
    entry = (await booked.items())[-1].entry
    above = (await booked.items())[-2].entry
    assert (entry.id, above.kind, made.save.name) == (made.save.id, STATE, "the inn")
    await worker.idle()


async def test_restoring_brings_text_ledger_and_settings_of_that_moment(tale: Tale) -> None:
    reply = await tale.say("hello", reply="welcome")
    await world.amend(tale.resources, tale.id, {"location": "the inn"}, expected_leaf=await tale.leaf())
    made = await saved(tale)
    await tale.edit(reply, "go away", "in_place")
    await world.amend(tale.resources, tale.id, {"location": "the cellar"}, expected_leaf=await tale.leaf())
    await restore(tale, made.save.id)
    ledger = await tale.resources.database.read(world.load_ledger, tale.id)
    assert ledger.standing.snapshot.state.location == "the inn"
    assert (await tale.shown())[-1] == "welcome"
    assert await tale.faults() == []


async def test_nothing_is_saved_or_restored_while_a_reply_is_written(tale: Tale) -> None:
    made = await saved(tale)
    gate = asyncio.Event()
    tale.model.enqueue([gate, "welcome"])
    performance = await tale.begin("hello")
    before = await tale.count()
    with pytest.raises(Busy):
        await saved(tale)
    with pytest.raises(Busy):
        await restore(tale, made.save.id)
    assert await tale.count() == before
    gate.set()
    await performance.ended()


async def test_a_page_of_an_old_leaf_saves_nothing(tale: Tale) -> None:
    old = await tale.leaf()
    await tale.say("hello", reply="welcome")
    for leaf in (old, EntryId("never-was")):
        with pytest.raises(LeafMoved):
            await saves.save(tale.resources, tale.id, expected_leaf=leaf)
    assert (await picture(tale)).worldlines == ()


async def test_quick_load_goes_to_the_last_quick_save(tale: Tale) -> None:
    with pytest.raises(Invalid):
        await saves.quick_load(tale.resources, tale.id, expected_leaf=await tale.leaf())
    await saves.quick_save(tale.resources, tale.id, expected_leaf=await tale.leaf())
    await tale.say("hello", reply="welcome")
    last = await saves.quick_save(tale.resources, tale.id, expected_leaf=await tale.leaf())
    await tale.say("down", reply="dark")
    await saved(tale, "mine")
    loaded = await saves.quick_load(tale.resources, tale.id, expected_leaf=await tale.leaf())
    assert loaded.leaf_id == last.save.id


async def test_undo_takes_a_restore_back(tale: Tale) -> None:
    made = await saved(tale)
    end = await tale.say("hello", reply="welcome")
    await restore(tale, made.save.id)
    assert (await travel.undo(tale.resources, tale.id)).leaf_id == end


async def test_a_save_in_a_pruned_part_is_out_of_sight_until_it_is_brought_back(tale: Tale) -> None:
    await tale.say("hello", reply="welcome")
    message = (await tale.items())[1].id
    made = await saved(tale)
    await tale.prune(message)
    assert (await picture(tale)).worldlines == ()
    with pytest.raises(Invalid):
        await restore(tale, made.save.id)
    await edits.restore(tale.resources, tale.id, message, expected_leaf=await tale.leaf())
    assert (await picture(tale)).current_save == made.save.id


async def test_two_servers_that_save_at_once_never_put_parting_saves_on_one_line(tmp_path: Path) -> None:
    """On PostgreSQL two writers plan at the same time: one of them waits, and plans on what the other has done."""
    url = new_database()
    model = ScriptedModel(otherwise="…")
    async with (
        theatre(tmp_path / "one", model, database_url=url) as one,
        theatre(tmp_path / "other", model, database_url=url) as other,
    ):
        tale = await new_tale(one, model)
        await tale.say("hello")
        top = await saved(tale)
        await tale.say("down")
        below = await saved(tale)
        await saves.delete_save(one, tale.id, below.save.id)
        await restore(tale, top.save.id)
        await tale.say("up")
        leaf = await tale.leaf()
        await asyncio.gather(
            saves.save(one, tale.id, "up", expected_leaf=leaf),
            saves.undelete_save(other, tale.id, below.save.id),
        )
        assert await tale.faults() == []
        assert len((await picture(tale)).worldlines) == 2


async def test_a_save_called_after_words_that_are_redacted_forgets_them(tale: Tale) -> None:
    reply = await tale.say("hello", reply="The key lies under the third stair. Nobody knows.")
    first = await saved(tale)
    assert first.save.name == "The key lies under the third st…"
    await tale.say("down", reply="dark")
    await saved(tale, "two")
    await restore(tale, first.save.id)
    await tale.say("up", reply="light")
    assert "third" in (await saved(tale)).worldline_name
    await edits.redact(tale.resources, tale.id, reply)
    file = "".join(export_conversation(tale.resources.database, tale.id))
    assert "third" not in file
    assert [save.name for line in (await picture(tale)).worldlines for save in line.saves] == ["Turn 1", "two", "light"]
    assert await tale.faults() == []
