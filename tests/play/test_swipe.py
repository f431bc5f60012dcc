"""Semantics §2, variants: every message has them, selecting brings the tail back, a failed swipe changes nothing."""

from __future__ import annotations

import asyncio

import pytest

from liyuan.domain.entry import EntryId
from liyuan.domain.errors import Busy, Invalid, LeafMoved, ModelFailed
from liyuan.model.scripted import ScriptedModel
from liyuan.play import edits, swipe, travel, turn
from liyuan.resources import Resources
from liyuan.stage import Performance, Piece
from tests.tale import Tale, new_tale


async def test_a_swipe_makes_a_sibling_and_goes_there(tale: Tale) -> None:
    reply = await tale.say("hello", reply="welcome")
    other = await tale.swipe(reply, reply="go away")
    assert await tale.shown() == ["Good evening.", "hello", "go away"]
    assert await tale.counter(other) == "2/2"


async def test_greetings_are_sibling_roots(resources: Resources, model: ScriptedModel) -> None:
    tale = await new_tale(resources, model, ("First.", "Second.", "Third."))
    first = (await tale.items())[0]
    assert await tale.counter(first.id) == "1/3"
    assert first.entry.parent_id is None
    assert first.variants is not None
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
    before = await tale.count()
    for _ in range(20):
        await tale.choose(one)
        await tale.choose(other)
    assert await tale.count() == before
    assert await tale.faults() == []


async def test_a_swipe_cancelled_before_its_first_token_leaves_nothing(tale: Tale) -> None:
    """SillyTavern#4585."""
    reply = await tale.say("hello", reply="welcome")
    before, leaf = await tale.count(), await tale.leaf()
    tale.model.enqueue([asyncio.Event()])
    performance = await swipe.another(tale.resources, tale.id, reply, expected_leaf=leaf)
    await tale.model.until_asked(2)
    await turn.stop(tale.resources, tale.id)
    assert (await performance.ended()).entry is None
    assert (await tale.count(), await tale.leaf()) == (before, leaf)
    assert await tale.counter(reply) == "1/1"


async def test_a_swipe_stopped_after_some_text_is_kept_and_selected(tale: Tale) -> None:
    reply = await tale.say("hello", reply="welcome")
    tale.model.enqueue(["I see", asyncio.Event()])
    performance = await swipe.another(tale.resources, tale.id, reply, expected_leaf=await tale.leaf())
    await heard(performance, "I see")
    await turn.stop(tale.resources, tale.id)
    ended = await performance.ended()
    assert ended.entry is not None and ended.entry.status == "interrupted"
    assert await tale.shown() == ["Good evening.", "hello", "I see"]


async def test_continue_carries_on_from_an_interrupted_reply(tale: Tale) -> None:
    tale.model.enqueue(["I see", asyncio.Event()])
    performance = await tale.begin("hello")
    await heard(performance, "I see")
    await turn.stop(tale.resources, tale.id)
    await performance.ended()
    tale.model.enqueue([" you at last."])
    await (await turn.carry_on(tale.resources, tale.id, expected_leaf=await tale.leaf())).ended()
    assert await tale.shown() == ["Good evening.", "hello", "I see you at last."]
    assert [item.status for item in await tale.items() if item.entry.kind == "message"] == ["complete"] * 3


async def test_a_model_error_leaves_every_variant_untouched(tale: Tale) -> None:
    """agnai#358."""
    reply = await tale.say("hello", reply="welcome")
    before, leaf = await tale.count(), await tale.leaf()
    tale.model.enqueue(ModelFailed(kind="server-error"))
    performance = await swipe.another(tale.resources, tale.id, reply, expected_leaf=leaf)
    with pytest.raises(ModelFailed):
        await performance.ended()
    assert (await tale.count(), await tale.leaf()) == (before, leaf)
    await tale.swipe(reply, reply="and again")
    assert await tale.shown() == ["Good evening.", "hello", "and again"]


async def test_the_prompt_of_a_swipe_holds_nothing_of_what_it_replaces(tale: Tale) -> None:
    """SillyTavern#2007: not its text, not as the last message."""
    reply = await tale.say("hello", reply="welcome, stranger")
    await tale.say("who are you", reply="the keeper")
    await tale.swipe(reply, reply="hm")
    said = " ".join(message.text for message in tale.model.requests[-1].messages)
    assert "hello" in said
    assert "stranger" not in said and "keeper" not in said and "who are you" not in said


async def test_while_a_reply_is_written_only_reading_and_stopping_are_possible(tale: Tale) -> None:
    reply = await tale.say("hello", reply="welcome")
    tale.model.enqueue(["…", asyncio.Event()])
    performance = await swipe.another(tale.resources, tale.id, reply, expected_leaf=await tale.leaf())
    leaf = await tale.leaf()
    refused = (
        turn.hear(tale.resources, tale.id, "more", expected_leaf=leaf),
        swipe.another(tale.resources, tale.id, reply, expected_leaf=leaf),
        swipe.choose(tale.resources, tale.id, reply, expected_leaf=leaf),
        travel.move(tale.resources, tale.id, EntryId(str((await tale.items())[0].id)), expected_leaf=leaf),
        travel.undo(tale.resources, tale.id),
        edits.edit(tale.resources, tale.id, reply, "changed", mode="branch", expected_leaf=leaf),
        edits.prune(tale.resources, tale.id, reply, expected_leaf=leaf),
    )
    for act in refused:
        with pytest.raises((Busy, Invalid)):
            await act
    assert await tale.shown() == ["Good evening.", "hello", "welcome"]
    await turn.stop(tale.resources, tale.id)
    await performance.ended()


async def test_a_stale_page_is_told_what_changed_and_writes_nothing(tale: Tale) -> None:
    old = await tale.leaf()
    await tale.say("hello", reply="welcome")
    before = await tale.count()
    with pytest.raises(LeafMoved) as moved:
        await turn.hear(tale.resources, tale.id, "from another tab", expected_leaf=old)
    assert moved.value.fields["leaf_id"] == await tale.leaf()
    assert await tale.count() == before


async def test_a_late_listener_hears_the_reply_from_its_start(tale: Tale) -> None:
    gate = asyncio.Event()
    tale.model.enqueue(["one ", gate, "two"])
    performance = await tale.begin("hello")
    await heard(performance, "one ")
    gate.set()
    await performance.ended()
    told = [piece.text async for piece in performance.listen() if isinstance(piece, Piece)]
    assert "".join(told) == "one two"


async def heard(performance: Performance, text: str) -> None:
    """Waits until this much has been said."""
    said = ""
    async for told in performance.listen():
        said += told.text if isinstance(told, Piece) else ""
        if said.endswith(text):
            return
