"""Semantics §8: tags, the log of a path, and checkouts that lose nothing."""

from __future__ import annotations

import asyncio

import pytest

from liyuan.domain.context_log import ContextLog, Folded, Mark, log_text
from liyuan.domain.entry import BRANCH_SUMMARY, EntryId
from liyuan.domain.errors import Busy, Invalid, LeafMoved, NotFound
from liyuan.play import context, saves, travel
from liyuan.play.context import CheckedOut
from liyuan.store.tags import load_tags
from tests.tale import Tale


async def tag(tale: Tale, name: str, entry_id: EntryId | None = None, *, moves: bool = False) -> EntryId:
    return await context.tag(tale.resources, tale.id, name, entry_id, moves=moves)


async def checkout(tale: Tale, target: str, message: str = "Seen.", backup_tag: str | None = None) -> CheckedOut:
    leaf = await tale.leaf()
    return await context.checkout(tale.resources, tale.id, target, message, backup_tag=backup_tag, expected_leaf=leaf)


async def log(tale: Tale, **options: object) -> ContextLog:
    return await context.log(tale.resources, tale.id, **options)  # type: ignore[arg-type]


def marks(log: ContextLog) -> list[str]:
    return [item.text for item in log.items if isinstance(item, Mark)]


async def tags(tale: Tale) -> dict[str, EntryId]:
    return await tale.resources.database.read(load_tags, tale.id)


# --- tags


async def test_the_leaf_is_tagged_unless_another_entry_is_named(tale: Tale) -> None:
    greeting = await tale.leaf()
    await tale.say("hello", reply="welcome")
    assert await tag(tale, "here") == await tale.leaf()
    assert await tag(tale, "start", greeting) == greeting
    assert await tags(tale) == {"here": await tale.leaf(), "start": greeting}


async def test_a_name_that_is_taken_moves_on_purpose_only(tale: Tale) -> None:
    old = await tag(tale, "here")
    new = await tale.say("hello", reply="welcome")
    with pytest.raises(Invalid):
        await tag(tale, "here")
    assert await tags(tale) == {"here": old}
    await tag(tale, "here", moves=True)
    assert await tags(tale) == {"here": new}


@pytest.mark.parametrize("name", ["", "  ", "root", "x" * 65])
async def test_a_name_that_cannot_be_is_refused(tale: Tale, name: str) -> None:
    with pytest.raises(Invalid):
        await tag(tale, name)


async def test_an_entry_of_no_story_cannot_be_tagged(tale: Tale) -> None:
    with pytest.raises(NotFound):
        await tag(tale, "nowhere", EntryId("nothing"))


async def test_a_tag_taken_away_leaves_what_it_named(tale: Tale) -> None:
    await tag(tale, "here")
    count = await tale.count()
    await context.untag(tale.resources, tale.id, "here")
    assert (await tags(tale), await tale.count()) == ({}, count)
    with pytest.raises(NotFound):
        await context.untag(tale.resources, tale.id, "here")


# --- the log


async def test_the_log_shows_what_marks_the_way_and_folds_the_rest(tale: Tale) -> None:
    for number in range(1, 7):
        await tale.say(f"say {number}", reply=f"reply {number}")
    told = await log(tale)
    assert marks(told) == ["say 1", "say 2", "say 3", "say 4", "say 5", "reply 5", "say 6", "reply 6"]
    folded = [item for item in told.items if isinstance(item, Folded)]
    assert [(run.count, run.kinds) for run in folded] == [(1, {"assistant": 1})] * 5
    head = told.items[-1]
    assert isinstance(head, Mark) and head.is_head and head.entry_id == told.head
    assert told.above == 0


async def test_a_folded_run_is_told_in_full_on_request(tale: Tale) -> None:
    for number in range(1, 5):
        await tale.say(f"say {number}", reply=f"reply {number} " * 40)
    run = next(item for item in (await log(tale)).items if isinstance(item, Folded) and item.first_id != "")
    opened = await log(tale, first=run.first_id, last=run.last_id)
    assert marks(opened) == ["Good evening."]
    reply = (await tale.items())[2].id
    assert marks(await log(tale, first=reply, last=reply)) == [("reply 1 " * 40).strip()]


async def test_a_short_log_says_how_much_stands_above(tale: Tale) -> None:
    for number in range(1, 7):
        await tale.say(f"say {number}", reply=f"reply {number}")
    told = await log(tale, limit=3)
    assert marks(told) == ["reply 5", "say 6", "reply 6"]
    assert told.above == 10


async def test_tags_saves_forks_and_the_text_in_force_are_seen(tale: Tale) -> None:
    first = await tale.say("hello", reply="welcome")
    await tag(tale, "inn", first)
    await saves.save(tale.resources, tale.id, "before", expected_leaf=await tale.leaf())
    message = (await tale.items())[1].id
    await tale.swipe(first, reply="go away")
    await tale.choose(first)
    await tale.edit(message, "hello there", "in_place")
    told = {item.entry_id: item for item in (await log(tale)).items if isinstance(item, Mark)}
    assert told[first].tags == ("inn",)
    assert (told[message].text, told[message].forks) == ("hello there", 1)
    assert "before" in marks(await log(tale))


async def test_only_what_is_on_the_path_can_be_asked_for(tale: Tale) -> None:
    first = await tale.say("hello", reply="welcome")
    other = await tale.swipe(first, reply="go away")
    with pytest.raises(Invalid):
        await log(tale, first=first, last=other)


async def test_the_dashboard_counts_tokens_steps_and_depth(tale: Tale) -> None:
    await tale.say("hello", reply="welcome")
    await tag(tale, "inn")
    before = (await log(tale)).dashboard
    assert (before.tag, before.steps, before.depth, before.turn) == ("inn", 0, 2, 1)
    await tale.say("a room", reply="upstairs")
    after = (await log(tale)).dashboard
    assert (after.tag, after.steps, after.depth, after.turn) == ("inn", 2, 4, 2)
    assert before.tokens < after.tokens < after.window


async def test_the_log_as_text_ends_at_head(tale: Tale) -> None:
    await tale.say("hello", reply="welcome")
    await tag(tale, "inn")
    lines = log_text(await log(tale)).splitlines()
    assert lines[0].startswith("tokens ") and "0 steps since tag “inn” · depth 2" in lines[0]
    assert lines[-1].endswith("assistant: [inn] HEAD welcome")


# --- checkout


async def test_a_checkout_leaves_its_message_there_with_its_origin(tale: Tale) -> None:
    goal = await tale.say("hello", reply="welcome")
    await tag(tale, "inn")
    left = await tale.say("down", reply="dark")
    done = await checkout(tale, "inn", "The cellar was empty.", backup_tag="cellar")
    assert (done.target_id, done.from_id, done.conversation.leaf_id) == (goal, left, done.entry_id)
    note = (await tale.items())[-1].entry
    assert (note.kind, note.parent_id) == (BRANCH_SUMMARY, goal)
    assert note.data == {"text": "The cellar was empty.", "from_id": left}
    assert (await tags(tale))["cellar"] == left
    assert await tale.faults() == []


async def test_forward_back_and_back_to_the_future(tale: Tale) -> None:
    await tale.say("hello", reply="welcome")
    await tag(tale, "inn")
    future = await tale.say("down", reply="dark")
    await tag(tale, "cellar")
    back = await checkout(tale, "inn")
    again = await checkout(tale, "cellar", "Back again.")
    assert again.from_id == back.entry_id
    assert (await tale.shown())[-1] == "dark"
    assert [item.id for item in await tale.items()][-2] == future
    await travel.undo(tale.resources, tale.id)
    assert await tale.leaf() == back.entry_id


async def test_root_and_ids_are_targets_too(tale: Tale) -> None:
    root = await tale.leaf()
    first = await tale.say("hello", reply="welcome")
    await tale.say("down", reply="dark")
    assert (await checkout(tale, first)).target_id == first
    assert (await checkout(tale, "root")).target_id == root


async def test_a_checkout_that_cannot_be_does_nothing_at_all(tale: Tale) -> None:
    first = await tale.say("hello", reply="welcome")
    leaf, count = await tale.leaf(), await tale.count()
    for target, message, error in (
        ("nowhere", "Seen.", NotFound),
        ("root", "  ", Invalid),
        (first, "Seen.", Invalid),
    ):
        with pytest.raises(error):
            await checkout(tale, target, message, backup_tag="kept")
    stale = context.checkout(tale.resources, tale.id, "root", "Seen.", backup_tag="kept", expected_leaf=EntryId("old"))
    with pytest.raises(LeafMoved):
        await stale
    assert (await tale.leaf(), await tale.count(), await tags(tale)) == (leaf, count, {})


async def test_nobody_checks_out_while_a_reply_is_written(tale: Tale) -> None:
    gate = asyncio.Event()
    tale.model.enqueue([gate, "welcome"])
    performance = await tale.begin("hello")
    with pytest.raises(Busy):
        await checkout(tale, "root")
    gate.set()
    await performance.ended()
