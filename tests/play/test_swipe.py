"""Semantics §2, variants: every message has them, selecting brings the whole tail back, a failed swipe changes nothing."""

from __future__ import annotations

import asyncio

import pytest

from liyuan.domain.entry import EntryId
from liyuan.domain.errors import Busy, Invalid, LeafMoved, ModelFailed
from liyuan.model.chat import Delta
from liyuan.play import edits, swipe, travel, turn
from liyuan.stage import Failed
from tests.tale import Tale


async def test_a_swipe_makes_a_sibling_and_goes_there(tale: Tale) -> None:
    reply = await tale.say("hello", reply="welcome")
    other = await tale.swipe(reply, reply="go away")
    assert await tale.shown() == ["Good evening.", "hello", "go away"]
    assert await tale.counter(other) == "2/2"


async def test_greetings_are_sibling_roots(resources, model) -> None:
    from tests.tale import new_tale

    tale = await new_tale(resources, model, ("First.", "Second.", "Third."))
    first = (await tale.items())[0]
    assert await tale.counter(first.id) == "1/3"
    assert first.entry.parent_id is None
    await tale.choose(first.variants.ids[2])
    assert await tale.shown() == ["Third."]


async def test_messages_in_the_middle_have_variants_too(tale: Tale) -> None:
    early = await tale.say("hello", reply="welcome")
    await tale.say("who are you", reply="Ash")
    other = await tale.swipe(early, reply="hm")
    assert await tale.shown() == ["Good evening.", "hello", "hm"]
    assert await tale.counter(other) == "2/2"


async def test_selecting_brings_the_whole_tail_back(tale: Tale) -> None:
    """SillyTavern#1731."""
    early = await tale.say("hello", reply="welcome")
    await tale.say("who are you", reply="Ash")
    await tale.swipe(early, reply="hm")
    await tale.choose(early)
    assert await tale.shown() == ["Good evening.", "hello", "welcome", "who are you", "Ash"]


async def test_selecting_lands_where_one_last_was_and_not_at_the_end(tale: Tale) -> None:
    early = await tale.say("hello", reply="welcome")
    middle = await tale.say("who are you", reply="Ash")
    await tale.say("and where", reply="here")
    await tale.go(middle)
    await tale.swipe(early, reply="hm")
    assert await tale.choose(early) == middle


async def test_where_one_last_was_survives_detours_above_it(tale: Tale) -> None:
    greeting = (await tale.items())[0].id
    above = await tale.say("one", reply="1")
    side = await tale.say("two", reply="2")
    middle = await tale.say("three", reply="3")
    await tale.say("four", reply="4")
    await tale.go(middle)
    await tale.go(greeting)
    await tale.go(above)
    await tale.say("otherwise", reply="so")
    assert await tale.choose(side) == middle


async def test_selecting_calls_no_model(tale: Tale) -> None:
    """SillyTavern#1905."""
    reply = await tale.say("hello", reply="welcome")
    await tale.swipe(reply, reply="hm")
    asked = len(tale.model.requests)
    await tale.choose(reply)
    assert len(tale.model.requests) == asked


async def test_toggling_twenty_times_adds_no_entry(tale: Tale) -> None:
    one = await tale.say("hello", reply="welcome")
    other = await tale.swipe(one, reply="hm")
    before = await tale.resources.database.read(_count, tale.id)
    for _ in range(20):
        await tale.choose(one)
        await tale.choose(other)
    assert await tale.resources.database.read(_count, tale.id) == before
    assert await tale.faults() == []


def _count(connection, conversation_id):
    from sqlalchemy import func, select

    from liyuan.store.tables import entries

    return connection.execute(
        select(func.count()).select_from(entries).where(entries.c.conversation_id == conversation_id)
    ).scalar_one()
