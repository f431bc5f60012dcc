"""Semantics §8 inside a turn (decision 16): the model files a digression away and answers the reader there."""

from __future__ import annotations

import asyncio
import os
import socket
from pathlib import Path
from typing import Any

import pytest

from liyuan.domain.entry import BRANCH_SUMMARY, SETTING, Draft, EntryId
from liyuan.domain.errors import Busy, LeafMoved, ModelFailed
from liyuan.model.chat import Finish, Usage
from liyuan.model.scripted import ScriptedModel
from liyuan.play import edits, swipe, travel, turn
from liyuan.play.context import tag
from liyuan.play.exports import open_export
from liyuan.play.gather import gather
from liyuan.play.imports import import_conversation
from liyuan.play.recovery import recover
from liyuan.resources import Resources
from liyuan.stage import Ended, Heard, Piece, Turned, Used
from liyuan.store.performances import SoFar, flush, load_performing
from liyuan.store.tables import performances
from liyuan.store.tree import append
from liyuan.store.unread import load_unread
from tests.play.tool_calls import answers, call, check_out, digress, filed, kinds, offer, prompt, shown, tags, uses
from tests.postgres import new_database
from tests.tale import Tale, new_tale, theatre


@pytest.fixture
async def told(tale: Tale) -> Tale:
    """A story whose model may use its tools."""
    await offer(tale)
    return tale


# --- checkouts


async def test_a_checkout_files_a_digression_away_and_the_reply_answers_there(told: Tale) -> None:
    reply = await digress(told)
    assert await told.shown() == ["Good evening.", "Back upstairs.", "The stairs creak."]
    assert await kinds(told) == ["assistant", BRANCH_SUMMARY, "user", "assistant"]
    _, note, words, answer = await told.items()
    assert note.entry.data["text"] == "The cellar holds a key."
    assert note.entry.data["source"] == "model"
    assert (answer.id, answer.entry.parent_id) == (reply, words.id)
    (use,) = await uses(told, reply)
    assert (use["tool"], use["name"], use["entry_id"]) == ("context_checkout", "before", note.id)
    assert await told.faults() == []


async def test_after_a_checkout_the_prompt_holds_the_message_and_nothing_of_what_was_left(told: Tale) -> None:
    await digress(told)
    request = told.model.requests[-1]
    assert "SECRET-DOOR" not in prompt(request) and "search the cellar" not in prompt(request)
    assert request.exchanges == ()
    assert "this has been played and holds" in prompt(request)
    assert "The cellar holds a key." in prompt(request)
    assert (request.messages[-1].role, request.messages[-1].text) == ("user", "Back upstairs.")


async def test_the_readers_words_are_carried_over_and_stay_where_they_were_said(told: Tale) -> None:
    await digress(told)
    _, note, words, _ = await told.items()
    left = EntryId(note.entry.data["from_id"])
    assert words.entry.data == {"carried_from_id": left}
    assert [item.text for item in await told.items(left)][-1] == "Back upstairs."


async def test_all_that_the_reader_said_and_nobody_answered_comes_along_as_it_stands(told: Tale) -> None:
    await tag(told.resources, told.id, "before", await told.leaf())
    await told.say("Let us search the cellar.", reply="Dust.")
    told.model.enqueue(ModelFailed("Nobody answers.", kind="unreachable"))
    with pytest.raises(ModelFailed):
        await told.say("Frist words.")
    first = (await told.items())[-1].id
    await edits.edit(told.resources, told.id, first, "First words.", mode="in_place", expected_leaf=await told.leaf())
    await filed(told, "Second words.")
    assert await told.shown() == ["Good evening.", "First words.", "Second words.", "The stairs creak."]


async def test_the_way_that_was_left_is_one_click_away(told: Tale) -> None:
    await digress(told)
    note = (await told.items())[1].id
    await travel.return_there(told.resources, told.id, note, expected_leaf=await told.leaf())
    left = ["Good evening.", "Let us search the cellar.", "Dust and a SECRET-DOOR.", "Back upstairs."]
    assert await told.shown() == left


async def test_undo_takes_a_checkout_back(told: Tale) -> None:
    await digress(told)
    await travel.undo(told.resources, told.id)
    assert (await told.shown())[-2:] == ["Dust and a SECRET-DOOR.", "Back upstairs."]
    await travel.redo(told.resources, told.id)
    assert (await told.shown())[-1] == "The stairs creak."


async def test_what_was_said_before_a_checkout_stays_on_the_way_that_is_left(told: Tale) -> None:
    await tag(told.resources, told.id, "before", await told.leaf())
    await told.say("Let us search the cellar.", reply="Dust.")
    told.model.enqueue(["Half a thought", check_out("before", backup_tag="cellar")], "The stairs creak.")
    reply = await told.say("Back upstairs.")
    assert (await shown(told, reply)).text == "The stairs creak."
    cellar = (await tags(told))["cellar"]
    half = (await told.items(cellar))[-1]
    assert (half.text, half.status, half.id) == ("Half a thought", "interrupted", cellar)
    assert "Half a thought" not in prompt(told.model.requests[-1])


async def test_a_choice_of_the_reader_since_then_comes_along(told: Tale) -> None:
    await tag(told.resources, told.id, "before", await told.leaf())
    await told.say("Let us search the cellar.", reply="Dust.")
    await choose_model(told, "a-connection")
    await filed(told)
    assert await kinds(told) == ["assistant", BRANCH_SUMMARY, SETTING, "user", "assistant"]
    assert (await told.items())[2].entry.data == {"connection_id": "a-connection"}


async def choose_model(tale: Tale, connection_id: str) -> None:
    leaf = await tale.leaf()
    draft = Draft(id=EntryId("choice"), parent_id=leaf, kind=SETTING, data={"connection_id": connection_id})
    await tale.resources.database.write(append, tale.id, draft, expected_leaf=leaf)


async def test_those_who_listen_hear_of_each_use_and_where_the_reply_begins_anew(told: Tale) -> None:
    await tag(told.resources, told.id, "before", await told.leaf())
    await told.say("Let us search the cellar.", reply="Dust.")
    told.model.enqueue(["Hm.", call("log")], [check_out("before")], "The stairs creak.")
    performance = await told.begin("Back upstairs.")
    heard = [one async for one in performance.listen()]
    assert [type(one) for one in heard] == [Heard, Piece, Used, Used, Turned, Piece, Ended]
    turned = next(one for one in heard if isinstance(one, Turned))
    assert [entry.text for entry in turned.carried] == ["Back upstairs."]
    assert performance.user == turned.carried[-1]
    assert performance.text == "The stairs creak."


async def test_the_ledger_hears_what_was_filed_away(told: Tale) -> None:
    reply = await digress(told)
    unread = await told.resources.database.read(load_unread, told.id, reply)
    assert [line.text for line in unread.lines] == [
        "Good evening.",
        "The cellar holds a key.",
        "Back upstairs.",
        "The stairs creak.",
    ]


# --- swipes


async def test_another_telling_after_a_checkout_is_a_sibling_and_the_checkout_stands(told: Tale) -> None:
    reply = await digress(told)
    another = await told.swipe(reply, reply="The stairs are silent.")
    assert await told.counter(another) == "2/2"
    assert await told.shown() == ["Good evening.", "Back upstairs.", "The stairs are silent."]
    assert "The stairs creak." not in prompt(told.model.requests[-1])
    assert await told.choose(reply) == reply


async def test_a_telling_in_place_cannot_go_elsewhere(told: Tale) -> None:
    reply = await told.say("hello", reply="welcome")
    told.model.enqueue([check_out("root")], "another")
    swiped = await told.swipe(reply)
    assert "told another way in the same place" in answers(told.model.requests[-1])[0]
    assert await told.counter(swiped) == "2/2"


async def test_a_swipe_tags_what_it_answers_and_not_what_it_replaces(told: Tale) -> None:
    reply = await told.say("hello", reply="welcome")
    told.model.enqueue([call("tag", name="here")], "another")
    await told.swipe(reply)
    assert await tags(told) == {"here": (await told.items())[1].id}


# --- stop, crash, and the guard


async def test_a_stop_after_a_checkout_leaves_the_readers_words_to_be_answered(told: Tale) -> None:
    await tag(told.resources, told.id, "before", await told.leaf())
    await told.say("Let us search the cellar.", reply="Dust.")
    told.model.enqueue([check_out("before")], [asyncio.Event()])
    performance = await told.begin("Back upstairs.")
    async for one in performance.listen():
        if isinstance(one, Turned):
            await told.model.until_asked(3)
            await turn.stop(told.resources, told.id)
    assert await told.shown() == ["Good evening.", "Back upstairs."]
    told.model.enqueue("The stairs creak.")
    await (await turn.carry_on(told.resources, told.id, expected_leaf=await told.leaf())).ended()
    assert (await told.shown())[-1] == "The stairs creak."
    assert await told.faults() == []


async def test_a_stop_between_two_answers_keeps_what_was_said_and_what_was_done(told: Tale) -> None:
    told.model.enqueue(["She nods.", call("tag", name="here")], [asyncio.Event()])
    performance = await told.begin("hello")
    await told.model.until_asked(2)
    await turn.stop(told.resources, told.id)
    ended = await performance.ended()
    assert ended.entry
    assert (ended.entry.text, ended.entry.status) == ("She nods.", "interrupted")
    assert [use["name"] for use in ended.entry.data["tools"]] == ["here"]


async def test_after_a_stop_the_model_goes_nowhere_although_it_has_asked_to(told: Tale) -> None:
    await tag(told.resources, told.id, "before", await told.leaf())
    await told.say("Let us search the cellar.", reply="Dust.")
    told.model.enqueue(["Half a thought", call("tag", name="here"), call("log"), check_out("before")])
    performance = await told.begin("Back upstairs.")
    async for one in performance.listen():
        if isinstance(one, Used):
            await turn.stop(told.resources, told.id)
    assert (await told.shown())[-2:] == ["Back upstairs.", "Half a thought"]
    reply = (await told.items())[-1]
    assert reply.status == "interrupted"
    assert [use["tool"] for use in await uses(told, reply.id)] == ["context_tag"]


async def test_while_the_model_is_elsewhere_nobody_else_moves(told: Tale) -> None:
    await tag(told.resources, told.id, "before", await told.leaf())
    first = await told.say("Let us search the cellar.", reply="Dust.")
    gate = asyncio.Event()
    told.model.enqueue([check_out("before")], [gate, "The stairs creak."])
    performance = await told.begin("Back upstairs.")
    await told.model.until_asked(3)
    with pytest.raises(Busy):
        await told.go(first)
    with pytest.raises(LeafMoved):
        await swipe.choose(told.resources, told.id, first, expected_leaf=first)
    gate.set()
    await performance.ended()
    assert (await told.shown())[-1] == "The stairs creak."


async def die(resources: Resources, tale: Tale, said: str) -> None:
    """What is in the database when the process dies now: the words as they were last written down."""
    performing = await resources.database.read(load_performing, tale.id)
    assert performing
    owner = f"{socket.gethostname()}:{os.getpid()}:before-the-crash"
    await resources.database.write(
        lambda connection: connection.execute(performances.update().values(owner=owner)).rowcount
    )
    await resources.database.write(flush, [SoFar(performing.id, said, "", performing.expected_leaf)])


async def crash_after(told: Tale, *steps: Any, said: str) -> None:
    """Plays a turn up to a point where the model says nothing more, and lets the process die there."""
    told.model.enqueue(*steps, [asyncio.Event()])
    performance = await told.begin("Back upstairs.")
    await told.model.until_asked(1 + len(steps) + 1)
    await die(told.resources, told, said)
    assert await recover(told.resources) == 1
    performance.stop()
    await performance.ended()


async def test_a_crash_after_a_checkout_keeps_the_half_reply_in_the_new_place(told: Tale) -> None:
    await tag(told.resources, told.id, "before", await told.leaf())
    await told.say("Let us search the cellar.", reply="Dust.")
    await crash_after(told, [check_out("before")], said="The stairs")
    *_, words, half = await told.items()
    assert (words.text, half.text, half.status) == ("Back upstairs.", "The stairs", "interrupted")
    assert half.entry.parent_id == words.id
    assert [use["tool"] for use in half.entry.data["tools"]] == ["context_checkout"]
    assert await told.faults() == []


async def test_a_crash_after_a_tag_and_before_a_word_takes_the_tag_off(told: Tale) -> None:
    await told.say("Let us search the cellar.", reply="Dust.")
    await crash_after(told, [call("tag", name="here")], said="")
    assert await tags(told) == {}
    assert (await told.shown())[-1] == "Back upstairs."


async def test_words_of_the_way_that_was_left_are_not_written_down_in_the_new_place(told: Tale) -> None:
    await tag(told.resources, told.id, "before", await told.leaf())
    await told.say("Let us search the cellar.", reply="Dust.")
    gate = asyncio.Event()
    told.model.enqueue(["Half", check_out("before")], [gate, "The stairs creak."])
    performance = await told.begin("Back upstairs.")
    old = performance.performing
    await told.model.until_asked(3)
    await told.resources.database.write(flush, [SoFar(old.id, "Half", "", old.expected_leaf)])
    performing = await told.resources.database.read(load_performing, told.id)
    assert performing and performing.text == ""
    gate.set()
    await performance.ended()


async def test_a_process_taken_for_dead_uses_no_more_tools(told: Tale) -> None:
    gate = asyncio.Event()
    told.model.enqueue([gate, call("tag", name="here")])
    performance = await told.begin("hello")
    await told.model.until_asked(1)
    await die(told.resources, told, "")
    await recover(told.resources)
    gate.set()
    with pytest.raises(Busy):
        await performance.ended()
    assert await tags(told) == {}


# --- what is kept


async def test_uses_and_notes_survive_export_and_import(told: Tale) -> None:
    await digress(told)
    told.model.enqueue([call("tag", name="later")], "On.")
    await told.say("And on.")
    export = await told.resources.database.read(lambda _: open_export(told.resources.database, told.id, "jsonl"))
    made = await import_conversation(told.resources, "".join(export.text).encode().splitlines(keepends=True))
    again = Tale(told.resources, told.model, made.conversation)
    before, after = await told.items(), await again.items()
    assert [(one.entry.kind, one.text) for one in after] == [(one.entry.kind, one.text) for one in before]
    _, note, words, answer, said, last = after
    assert note.entry.data["source"] == "model"
    left = (await again.items(note.entry.data["from_id"]))[-1]
    assert (left.text, words.entry.data["carried_from_id"]) == ("Back upstairs.", left.id)
    (filing,), (tagging,) = answer.entry.data["tools"], last.entry.data["tools"]
    assert (filing["entry_id"], filing["from_id"]) == (note.id, left.id)
    assert tagging["entry_id"] == said.id == (await tags(again))["later"]


async def test_words_that_are_redacted_are_gone_from_wherever_they_were_carried(told: Tale) -> None:
    await digress(told)
    _, note, words, _ = await told.items()
    said = EntryId(note.entry.data["from_id"])
    await edits.redact(told.resources, told.id, said)
    assert (await told.items(said))[-1].text == ""
    assert (await shown(told, words.id)).text == ""
    assert "Back upstairs." not in "".join(open_export(told.resources.database, told.id, "jsonl").text)


async def test_a_reply_says_when_the_server_refused_the_tools(told: Tale) -> None:
    told.model.enqueue(["welcome", Finish(without_tools=True)])
    reply = await told.say("hello")
    assert (await shown(told, reply)).entry.data["without_tools"] is True


async def test_tokens_of_all_answers_of_a_turn_are_added_up(told: Tale) -> None:
    told.model.enqueue(
        [call("log"), Finish(reason="tools", usage=Usage(input_tokens=100, output_tokens=5, cost_usd=0.5))],
        ["welcome", Finish(usage=Usage(input_tokens=140, output_tokens=7))],
    )
    reply = await told.say("hello")
    assert (await shown(told, reply)).entry.data["usage"] == {"input_tokens": 240, "output_tokens": 12, "cost_usd": 0.5}


async def test_the_tools_take_their_room_in_the_window(told: Tale) -> None:
    with_tools = await gather(told.resources, told.id, await told.leaf())
    await offer(told, on=False)
    without = await gather(told.resources, told.id, await told.leaf())
    assert with_tools.scene.reserve > without.scene.reserve + 300
    assert with_tools.prompt.tokens > without.prompt.tokens


async def test_on_postgresql_it_is_the_same(tmp_path: Path, model: ScriptedModel) -> None:
    async with theatre(tmp_path / "postgresql", model, database_url=new_database()) as resources:
        tale = await new_tale(resources, model)
        await offer(tale)
        await test_what_was_said_before_a_checkout_stays_on_the_way_that_is_left(tale)
        _, note, words, _ = await tale.items()
        await edits.redact(resources, tale.id, words.id)
        assert (await tale.items(note.entry.data["from_id"]))[-2].text == ""
        assert await tale.faults() == []
