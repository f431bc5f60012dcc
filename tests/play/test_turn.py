"""A turn: the words are safe before the model speaks, the prompt is the branch, and errors lose nothing (§1)."""

from __future__ import annotations

import asyncio
import os
import socket
from itertools import pairwise
from pathlib import Path

import pytest
from sqlalchemy import Connection

from liyuan.domain.entry import ConversationId, EntryId
from liyuan.domain.errors import Invalid, LiyuanError, ModelFailed
from liyuan.domain.prompt import PromptTooLarge
from liyuan.model.chat import Finish, Reasoning, Usage
from liyuan.model.scripted import ScriptedModel
from liyuan.play import turn
from liyuan.play.recovery import recover
from liyuan.store.branch import active_leaf
from liyuan.store.performances import SoFar, begin, flush
from tests.tale import Tale, new_tale, theatre


async def test_the_words_are_safe_before_the_model_has_said_anything(tale: Tale) -> None:
    tale.model.enqueue([asyncio.Event()])
    performance = await tale.begin("hello")
    assert await tale.shown() == ["Good evening.", "hello"]
    await turn.stop(tale.resources, tale.id)
    await performance.ended()


async def test_the_model_is_told_the_card_the_story_and_the_words_last(tale: Tale) -> None:
    await tale.say("hello", reply="welcome")
    await tale.say("who are you", reply="Ash")
    messages = tale.model.requests[-1].messages
    assert messages[0].role == "system" and "Ash keeps an inn." in messages[0].text
    assert [message.text for message in messages[1:]] == ["Good evening.", "hello", "welcome", "who are you"]


async def test_consecutive_prompts_share_their_front(tale: Tale) -> None:
    for number in range(4):
        await tale.say(f"words {number}", reply=f"reply {number}")
    earlier, later = ([said.text for said in request.messages] for request in tale.model.requests[-2:])
    assert later[: len(earlier)] == earlier


async def test_a_failed_model_keeps_the_words_and_changes_nothing_else(tale: Tale) -> None:
    tale.model.enqueue(ModelFailed(kind="unreachable"))
    with pytest.raises(ModelFailed):
        await (await tale.begin("hello")).ended()
    assert await tale.shown() == ["Good evening.", "hello"]


async def test_after_a_failure_the_reply_can_be_asked_for_again(tale: Tale) -> None:
    tale.model.enqueue(ModelFailed(kind="unreachable"), "welcome")
    with pytest.raises(ModelFailed):
        await (await tale.begin("hello")).ended()
    await (await turn.carry_on(tale.resources, tale.id, expected_leaf=await tale.leaf())).ended()
    assert await tale.shown() == ["Good evening.", "hello", "welcome"]


async def test_what_was_said_before_a_failure_is_kept_as_interrupted(tale: Tale) -> None:
    tale.model.enqueue(["I was about to", ModelFailed(kind="cut-off")])
    with pytest.raises(ModelFailed):
        await (await tale.begin("hello")).ended()
    last = (await tale.items())[-1]
    assert (last.text, last.status) == ("I was about to", "interrupted")


async def test_what_was_said_before_a_fault_that_nobody_foresaw_is_kept_too(tale: Tale) -> None:
    tale.model.enqueue(["The door cr", RuntimeError("a bug")])
    with pytest.raises(LiyuanError):
        await tale.say("I knock.")
    reply = (await tale.items())[-1]
    assert (reply.text, reply.status) == ("The door cr", "interrupted")
    assert await tale.say("Again.", reply="It opens.")


async def test_reasoning_is_kept_apart_from_the_reply(tale: Tale) -> None:
    tale.model.enqueue([Reasoning("she is polite"), "welcome", Finish(usage=Usage(output_tokens=3))])
    await (await tale.begin("hello")).ended()
    last = (await tale.items())[-1]
    assert last.text == "welcome"
    assert last.entry.data["reasoning"] == "she is polite"
    assert last.entry.data["usage"] == {"output_tokens": 3}


async def test_impersonation_appends_nothing(tale: Tale) -> None:
    before = await tale.count()
    tale.model.enqueue("I ask for a room.")
    ended = await (await turn.impersonate(tale.resources, tale.id)).ended()
    assert (ended.text, ended.entry) == ("I ask for a room.", None)
    assert await tale.count() == before


@pytest.mark.parametrize("text", ["", "   \n", "x" * (turn.LONGEST_MESSAGE + 1)])
async def test_empty_and_endless_messages_are_refused(tale: Tale, text: str) -> None:
    with pytest.raises(Invalid):
        await tale.begin(text)
    assert await tale.shown() == ["Good evening."]


async def test_dice_in_the_readers_words_are_thrown_once(tale: Tale) -> None:
    await tale.say("I roll {{roll:1d1}}", reply="one")
    assert (await tale.shown())[1] == "I roll 1"


async def test_oldest_turns_fall_out_first_and_the_front_holds_for_some_turns(
    tmp_path: Path, model: ScriptedModel
) -> None:
    async with theatre(tmp_path / "small", model, context_tokens=2000) as resources:
        tale = await new_tale(resources, model)
        for number in range(40):
            await tale.say(f"words {number} " + "word " * 30, reply=f"reply {number} " + "word " * 30)
        prompts = [[message.text for message in request.messages] for request in model.requests[-8:]]
        assert all("words 0 " not in text for prompt in prompts for text in prompt)
        same = sum(one[:2] == other[:2] for one, other in pairwise(prompts))
        assert same >= 5


async def test_fixed_parts_that_do_not_fit_are_named_with_their_sizes(tmp_path: Path, model: ScriptedModel) -> None:
    async with theatre(tmp_path / "tiny", model, context_tokens=512) as resources:
        tale = await new_tale(resources, model)
        with pytest.raises(PromptTooLarge, match="story"):
            await (await tale.begin("word " * 2000)).ended()
        assert len(await tale.shown()) == 2


async def test_a_crash_leaves_the_half_written_reply_as_interrupted(tale: Tale) -> None:
    await tale.say("hello", reply="welcome")
    user = (await tale.items())[1].id
    await tale.resources.database.write(_die_in_mid_swipe, tale.id, user)
    assert await recover(tale.resources) == 1
    assert await recover(tale.resources) == 0
    assert await tale.shown() == ["Good evening.", "hello", "It was a dark"]
    assert [item.status for item in await tale.items()] == ["complete", "complete", "interrupted"]
    assert await tale.faults() == []


async def test_a_living_process_is_not_taken_for_dead(tale: Tale) -> None:
    tale.model.enqueue(["…", asyncio.Event()])
    performance = await tale.begin("hello")
    assert await recover(tale.resources) == 0
    await turn.stop(tale.resources, tale.id)
    await performance.ended()


def _die_in_mid_swipe(connection: Connection, conversation_id: ConversationId, user: EntryId) -> None:
    """What is in the database when a process dies in the middle of a swipe."""
    leaf = active_leaf(connection, conversation_id)
    owner = f"{socket.gethostname()}:{os.getpid()}:before-the-crash"
    made = begin(connection, conversation_id, "swipe", parent_id=user, expected_leaf=leaf, owner=owner)
    flush(connection, [SoFar(made.id, "It was a dark", "", leaf)])
