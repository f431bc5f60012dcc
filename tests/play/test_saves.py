"""Saving and going back: what a save becomes, and that restoring it needs no repair."""

from __future__ import annotations

from liyuan.domain.entry import EntryId
from liyuan.play import saves
from liyuan.play.worldlines import Picture, load_picture
from liyuan.store.saves import Saved
from tests.tale import Tale


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
