"""Semantics §8 inside a turn (decision 16): the model tags and looks while it writes a reply, so often and no more."""

from __future__ import annotations

from pathlib import Path

import pytest

from liyuan.domain.context_tools import CONTEXT_TOOLS
from liyuan.domain.entry import BRANCH_SUMMARY
from liyuan.domain.errors import Invalid, ModelFailed
from liyuan.domain.tool_use import CALLS_A_TURN, TURNS_BETWEEN_CHECKOUTS
from liyuan.model.chat import ToolCall
from liyuan.model.scripted import ScriptedModel
from liyuan.play import travel, turn
from liyuan.play.casting import choose_tools
from liyuan.play.context import tag
from liyuan.resources import Resources
from tests.play.tool_calls import answers, call, check_out, digress, kinds, offer, prompt, shown, tags, uses
from tests.tale import Tale, new_tale, theatre


@pytest.fixture
async def told(tale: Tale) -> Tale:
    """A story whose model may use its tools."""
    await offer(tale)
    return tale


# --- off by default


async def test_no_tool_is_offered_unless_somebody_switched_them_on(tale: Tale) -> None:
    await tale.say("hello", reply="welcome")
    assert tale.model.requests[-1].tools == ()
    assert "context_tag" not in prompt(tale.model.requests[-1])
    await offer(tale)
    await tale.say("again", reply="welcome back")
    assert tale.model.requests[-1].tools == CONTEXT_TOOLS
    assert "context_tag" in prompt(tale.model.requests[-1])
    await offer(tale, on=False)
    await tale.say("and again", reply="so it goes")
    assert tale.model.requests[-1].tools == ()


async def test_a_story_may_have_tools_of_its_own_accord_on_its_branch(tale: Tale) -> None:
    here = await tale.leaf()
    assert here
    await tale.say("hello", reply="welcome")
    await choose_tools(tale.resources, tale.id, True)
    await tale.say("again", reply="welcome back")
    assert tale.model.requests[-1].tools == CONTEXT_TOOLS
    await choose_tools(tale.resources, tale.id, False)
    await offer(tale)
    await tale.say("and again", reply="so it goes")
    assert tale.model.requests[-1].tools == ()
    await choose_tools(tale.resources, tale.id, None)
    await tale.say("once more", reply="as you wish")
    assert tale.model.requests[-1].tools == CONTEXT_TOOLS
    await offer(tale, on=False)
    await tale.go(here)
    await tale.say("another way", reply="well")
    assert tale.model.requests[-1].tools == ()


async def test_before_the_first_word_only_the_settings_decide(resources: Resources, model: ScriptedModel) -> None:
    silent = await new_tale(resources, model, greetings=())
    with pytest.raises(Invalid):
        await choose_tools(resources, silent.id, True)


async def test_going_on_and_speaking_for_the_reader_need_no_tools(told: Tale) -> None:
    await told.say("hello", reply="welc")
    told.model.enqueue("ome")
    await (await turn.carry_on(told.resources, told.id, expected_leaf=await told.leaf())).ended()
    told.model.enqueue("Is there a room?")
    await (await turn.impersonate(told.resources, told.id)).ended()
    assert [request.tools for request in told.model.requests[1:]] == [(), ()]


# --- tags


async def test_the_model_tags_where_it_is_which_is_the_readers_last_message(told: Tale) -> None:
    told.model.enqueue([call("tag", name="  at the door ")], "welcome")
    reply = await told.say("hello")
    words = (await shown(told, reply)).entry.parent_id
    assert await tags(told) == {"at the door": words}
    assert await uses(told, reply) == [{"tool": "context_tag", "name": "at the door", "entry_id": words}]
    assert answers(told.model.requests[-1]) == [f"Done: “at the door” now stands for {words}."]


async def test_a_place_that_the_log_names_is_tagged_by_its_id(told: Tale) -> None:
    greeting = await told.leaf()
    told.model.enqueue([call("tag", name="opening", entry=greeting)], "welcome")
    await told.say("hello")
    assert await tags(told) == {"opening": greeting}


async def test_what_is_said_around_a_call_is_one_reply(told: Tale) -> None:
    told.model.enqueue(["She nods.", call("tag", name="here")], ["The door opens."])
    reply = await told.say("hello")
    assert (await shown(told, reply)).text == "She nods.\n\nThe door opens."
    assert (await shown(told, reply)).status == "complete"
    assert told.model.requests[-1].exchanges[0].text == "She nods."


async def test_a_model_may_answer_its_tools_with_silence_once_it_has_spoken(told: Tale) -> None:
    silence = ModelFailed("Nothing was said.", kind="empty")
    told.model.enqueue(["She nods.", call("tag", name="here")], silence)
    reply = await told.say("hello")
    assert ((await shown(told, reply)).text, (await shown(told, reply)).status) == ("She nods.", "complete")


async def test_a_turn_without_a_reply_leaves_no_tag(told: Tale) -> None:
    told.model.enqueue([call("tag", name="here")], ModelFailed("Nobody answers.", kind="unreachable"))
    with pytest.raises(ModelFailed):
        await told.say("hello")
    assert await tags(told) == {}
    assert await told.shown() == ["Good evening.", "hello"]


async def test_a_tag_that_was_there_before_is_not_taken_off(told: Tale) -> None:
    greeting = await told.leaf()
    await tag(told.resources, told.id, "opening", greeting)
    again = call("tag", name="opening", entry=greeting)
    told.model.enqueue([again], ModelFailed("Nobody answers.", kind="unreachable"))
    with pytest.raises(ModelFailed):
        await told.say("hello")
    assert await tags(told) == {"opening": greeting}


# --- the log


async def test_the_model_looks_at_the_way_here(told: Tale) -> None:
    told.model.enqueue([call("log")], "welcome")
    reply = await told.say("hello")
    (log,) = answers(told.model.requests[-1])
    assert log.startswith("tokens ") and "Good evening." in log and "HEAD hello" in log
    assert await uses(told, reply) == [{"tool": "context_log"}]


async def test_a_look_tells_how_full_the_prompt_is_that_the_model_was_given(told: Tale) -> None:
    told.model.enqueue([call("log")], "welcome")
    reply = await told.say("hello")
    (log,) = answers(told.model.requests[-1])
    data = (await shown(told, reply)).entry.data
    assert f"tokens {data['prompt_tokens']} of" in log


async def test_in_a_swipe_the_log_shows_nothing_of_what_is_replaced(told: Tale) -> None:
    reply = await told.say("hello", reply="THE-OLD-REPLY")
    told.model.enqueue([call("log", limit=500)], "another")
    await told.swipe(reply)
    (log,) = answers(told.model.requests[-1])
    assert "THE-OLD-REPLY" not in log + prompt(told.model.requests[-1])
    assert "HEAD hello" in log


async def test_a_long_log_is_cut_to_a_part_of_the_window(tmp_path: Path, model: ScriptedModel) -> None:
    async with theatre(tmp_path / "small", model, context_tokens=4096) as resources:
        tale = await new_tale(resources, model)
        await offer(tale)
        for number in range(12):
            await tale.say(f"Number {number}. " + "word " * 40, reply="reply " * 40)
        root = (await tale.items())[0].id
        model.enqueue([call("log", limit=500)], [call("log", **{"from": root})], "done")
        await tale.say("Look.")
        skeleton, stretch = answers(model.requests[-1])
    assert "HEAD Look." in skeleton and "cut to fit" in skeleton and "Good evening." not in skeleton
    assert "Good evening." in stretch and "cut to fit" in stretch


# --- what cannot be done is told to the model, and the turn goes on


@pytest.mark.parametrize(
    ("asked", "told_back"),
    [
        (check_out("nowhere"), "There is no tag and no entry “nowhere”"),
        (check_out("root", message="  "), "no words"),
        (call("checkout", target="root"), "message: Field required"),
        (call("tag", name="root"), "other than “root”"),
        (call("tag", name="here", entry="nothing"), "There is no entry with the id nothing"),
        (call("log", limit=0), "limit:"),
        (call("log", **{"from": "nothing"}), "There is no entry with the id nothing"),
        (call("erase"), "There is no tool “context_erase”"),
        (ToolCall(id="1", name="context_tag", arguments='{"name": "he'), "not JSON"),
        (ToolCall(id="1", name="context_tag", arguments="[1]"), "no JSON object"),
    ],
)
async def test_a_call_that_cannot_be_done_is_answered_and_changes_nothing(
    told: Tale, asked: ToolCall, told_back: str
) -> None:
    told.model.enqueue([asked], "welcome")
    reply = await told.say("hello")
    (answer,) = answers(told.model.requests[-1])
    assert told_back in answer
    assert await told.shown() == ["Good evening.", "hello", "welcome"]
    assert (await tags(told), await uses(told, reply)) == ({}, [])


async def test_a_checkout_to_below_the_words_that_are_answered_is_refused(told: Tale) -> None:
    answered = await told.say("hello", reply="welcome")
    words = (await shown(told, answered)).entry.parent_id
    assert words
    await told.go(words)
    told.model.enqueue([check_out(answered)], [check_out(words)], "welcome again")
    await (await turn.carry_on(told.resources, told.id, expected_leaf=words)).ended()
    assert all("below the words that you are answering" in answer for answer in answers(told.model.requests[-1]))
    assert await told.shown() == ["Good evening.", "hello", "welcome again"]


async def test_a_failed_checkout_leaves_nothing_of_itself(told: Tale) -> None:
    await told.say("hello", reply="welcome")
    count = await told.count()
    told.model.enqueue(["Half", check_out("root", message=" ", backup_tag="kept")], [" a word."])
    await told.say("again")
    assert await told.count() == count + 2
    assert ((await told.shown())[-1], await tags(told)) == ("Half a word.", {})


# --- limits


async def test_calls_in_a_turn_are_limited_and_then_the_model_must_speak(told: Tale) -> None:
    for number in range(CALLS_A_TURN):
        told.model.enqueue([call("tag", name=f"tag {number}")])
    told.model.enqueue([call("tag", name="one too many")], "at last")
    reply = await told.say("hello")
    assert [request.may_call for request in told.model.requests] == [True] * CALLS_A_TURN + [False] * 2
    assert "6 calls in one turn are the most" in answers(told.model.requests[-1])[-1]
    assert (len(await tags(told)), (await shown(told, reply)).text) == (CALLS_A_TURN, "at last")


async def test_a_model_that_never_speaks_is_stopped(tmp_path: Path) -> None:
    model = ScriptedModel(otherwise=[call("log")])
    async with theatre(tmp_path / "data", model) as resources:
        tale = await new_tale(resources, model)
        await offer(tale)
        with pytest.raises(ModelFailed, match="kept calling its tools"):
            await tale.say("hello")
        assert await tale.shown() == ["Good evening.", "hello"]
    assert len(model.requests) == CALLS_A_TURN + 2


async def test_one_checkout_in_a_turn_is_the_most(told: Tale) -> None:
    await tag(told.resources, told.id, "before", await told.leaf())
    await told.say("Let us search the cellar.", reply="Dust.")
    told.model.enqueue([check_out("before")], [check_out("root", message="Again.")], "The stairs creak.")
    await told.say("Back upstairs.")
    assert answers(told.model.requests[-1]) == [
        "Not done: one checkout in a turn is the most. Answer the reader now, in the story."
    ]
    assert (await kinds(told)).count(BRANCH_SUMMARY) == 1


async def test_between_two_checkouts_lie_some_turns_of_the_path(told: Tale) -> None:
    await digress(told)
    for number in range(1, TURNS_BETWEEN_CHECKOUTS):
        told.model.enqueue([check_out("root")], f"reply {number}")
        await told.say(f"turn {number}")
        assert f"the last checkout was {number} of the reader's turns ago" in answers(told.model.requests[-1])[0]
    told.model.enqueue([check_out("root", message="All of it.")], "from the beginning")
    await told.say("and now")
    assert await told.shown() == ["Good evening.", "and now", "from the beginning"]


async def test_a_note_of_the_reader_is_no_checkout_of_the_models(told: Tale) -> None:
    first = await told.say("hello", reply="welcome")
    await told.say("on", reply="and on")
    await travel.move(
        told.resources, told.id, first, expected_leaf=await told.leaf(), summary="text", words="It went on."
    )
    told.model.enqueue([check_out("root")], "done")
    await told.say("and now")
    assert await told.shown() == ["Good evening.", "and now", "done"]
