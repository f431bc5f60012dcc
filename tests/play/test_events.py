"""Whoever follows a conversation hears every move once, in order, and every turn from its start."""

from __future__ import annotations

import asyncio
from contextlib import aclosing

import pytest

from liyuan.domain.entry import ConversationId
from liyuan.domain.errors import ModelFailed, NotFound
from liyuan.play.events import MOST_MOVES, Happening, watch
from liyuan.store.conversations import rename
from tests.play.tool_calls import check_out, offer
from tests.tale import Tale


async def heard(tale: Tale, *, after: str | None, until: str, times: int = 1) -> list[Happening]:
    """The news up to the `times`th of the kind `until`."""
    news: list[Happening] = []
    async with asyncio.timeout(10), aclosing(watch(tale.resources, tale.id, after)) as happenings:
        async for happening in happenings:
            news.append(happening)
            if sum(one.kind == until for one in news) == times:
                return news
    raise AssertionError("the news never end")


async def last_move(tale: Tale) -> str | None:
    return (await heard(tale, after=None, until="leaf"))[0].id


async def test_at_first_one_hears_where_the_story_stands(tale: Tale) -> None:
    (present,) = await heard(tale, after=None, until="leaf")
    assert present.data == {"leaf_id": await tale.leaf(), "cause": "present"}


async def test_one_hears_the_moves_one_has_missed_each_once(tale: Tale) -> None:
    after = await last_move(tale)
    reply = await tale.say("hello", reply="welcome")
    other = await tale.swipe(reply, reply="hm")
    await tale.choose(reply)
    missed = await heard(tale, after=after, until="leaf", times=4)
    assert [one.data["cause"] for one in missed] == ["append", "append", "swipe", "select"]
    assert [one.data["leaf_id"] for one in missed[1:]] == [reply, other, reply]
    again = await heard(tale, after=missed[1].id, until="leaf", times=2)
    assert again == missed[2:]


async def test_after_a_long_absence_one_hears_only_the_latest_move(tale: Tale) -> None:
    after = await last_move(tale)
    reply = await tale.say("hello", reply="welcome")
    greeting = (await tale.items())[0].id
    for _ in range(MOST_MOVES // 2):
        await tale.go(greeting)
        await tale.go(reply)
    (latest,) = await heard(tale, after=after, until="leaf")
    assert latest.data["leaf_id"] == reply


async def test_a_turn_is_heard_from_its_start(tale: Tale) -> None:
    said = asyncio.Event()
    tale.model.enqueue(["wel", said, "come"])
    performance = await tale.begin("hello")
    listening = asyncio.create_task(heard(tale, after=None, until="turn", times=2))
    await asyncio.sleep(0)
    said.set()
    await performance.ended()
    news = await listening
    turns = [one.data for one in news if one.kind == "turn"]
    assert [one["state"] for one in turns] == ["started", "ended"]
    assert turns[1]["entry_id"] == await tale.leaf()
    assert "".join(one.data["text"] for one in news if one.kind == "delta") == "welcome"


async def test_a_turn_that_begins_later_is_heard_too(tale: Tale) -> None:
    listening = asyncio.create_task(heard(tale, after=None, until="turn", times=2))
    await asyncio.sleep(0.05)
    await tale.say("hello", reply=["wel", "come"])
    news = await listening
    assert [one.kind for one in news if one.kind != "leaf"] == ["turn", "delta", "delta", "turn"]


async def test_a_turn_that_fails_says_so(tale: Tale) -> None:
    listening = asyncio.create_task(heard(tale, after=None, until="turn", times=2))
    await asyncio.sleep(0.05)
    with pytest.raises(ModelFailed):
        await tale.say("hello", reply=ModelFailed())
    assert (await listening)[-1].data["state"] == "failed"


async def test_a_new_title_is_news(tale: Tale) -> None:
    listening = asyncio.create_task(heard(tale, after=None, until="title"))
    await asyncio.sleep(0.05)
    await tale.resources.database.write(rename, tale.id, "Rain")
    assert (await listening)[-1].data == {"title": "Rain"}


async def test_there_is_no_news_of_a_story_that_is_not_there(tale: Tale) -> None:
    with pytest.raises(NotFound):
        await anext(watch(tale.resources, ConversationId("nobody")))


async def test_a_number_that_is_none_of_ours_counts_as_none(tale: Tale) -> None:
    for after in ("x", "99999999", "²"):
        (present,) = await heard(tale, after=after, until="leaf")
        assert present.data["cause"] == "present"


async def test_a_turn_that_goes_elsewhere_is_started_again_there(tale: Tale) -> None:
    await offer(tale)
    await tale.say("Let us search the cellar.", reply="Dust.")
    hold = asyncio.Event()
    tale.model.enqueue(["Half", hold, check_out("root")], "The stairs creak.")
    performance = await tale.begin("Back upstairs.")
    listening = asyncio.create_task(heard(tale, after=None, until="turn", times=3))
    await asyncio.sleep(0)
    hold.set()
    await performance.ended()
    news = await listening
    turns = [one.data for one in news if one.kind == "turn"]
    assert [one["state"] for one in turns] == ["started", "started", "ended"]
    assert turns[0]["parent_id"] != turns[1]["parent_id"] == (await tale.items())[-1].entry.parent_id
    assert [one.data["text"] for one in news if one.kind == "delta"] == ["Half", "The stairs creak."]
