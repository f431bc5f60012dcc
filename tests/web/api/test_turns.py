"""Turns over the API: as one answer or as a stream, guarded by the leaf, and never lost with their listener."""

from __future__ import annotations

import asyncio

import pytest

from liyuan.domain.entry import EntryId
from liyuan.domain.errors import ModelFailed
from liyuan.model.chat import Reasoning
from liyuan.play.turn import hear
from liyuan.resources import open_resources
from tests.web.api.caller import STREAM, Caller, listening, parse_events


async def test_saying_something_answers_the_words_and_the_reply(api: Caller) -> None:
    opened = await api.open()
    turn = await api.say("hello", "welcome")
    assert (turn["user"]["text"], turn["user"]["parent_id"]) == ("hello", opened["leaf_id"])
    assert (turn["reply"]["text"], turn["reply"]["parent_id"]) == ("welcome", turn["user"]["id"])
    assert turn["reply"]["variants"] == {"index": 0, "total": 1, "ids": [turn["reply"]["id"]]}
    assert turn["reply"]["depth"] == 2
    story = await api.read(api.here)
    assert (story["leaf_id"], story["turns"], story["status"]) == (turn["reply"]["id"], 1, "idle")


async def test_as_a_stream_a_turn_is_heard_piece_by_piece(api: Caller) -> None:
    await api.open()
    api.model.enqueue([Reasoning("hm"), "wel", "come"])
    body = {"text": "hello", "expected_leaf": await api.leaf()}
    answer = await api.client.post(f"/api/v1{api.here}/turns", json=body, headers=STREAM)
    assert answer.headers["content-type"].startswith("text/event-stream")
    events = parse_events(answer.text)
    assert [event.name for event in events] == ["user", "reasoning", "delta", "delta", "reply"]
    assert [event.data["text"] for event in events] == ["hello", "hm", "wel", "come", "welcome"]
    assert events[-1].data["id"] == await api.leaf()


async def test_a_stale_leaf_is_refused_before_anything_is_written(api: Caller) -> None:
    opened = await api.open()
    await api.say("hello", "welcome")
    for headers in ({}, STREAM):
        body = {"text": "hello again", "expected_leaf": opened["leaf_id"]}
        problem = await api.call("POST", f"{api.here}/turns", 409, json=body, headers=headers)
        assert (problem["type"], problem["leaf_id"]) == ("leaf-moved", await api.leaf())
    assert await api.texts() == ["Good evening.", "hello", "welcome"]


async def test_a_listener_who_leaves_does_not_stop_the_turn(api: Caller) -> None:
    await api.open()
    rest = asyncio.Event()
    api.model.enqueue(["wel", rest, "come"])
    body = {"text": "hello", "expected_leaf": await api.leaf()}
    async with listening(api.app, f"{api.here}/turns", method="POST", body=body) as events:
        assert (await anext(events)).name == "user"
        assert (await anext(events)).data == {"text": "wel"}
    performance = api.resources.stage.here(api.id)
    assert performance is not None
    rest.set()
    await performance.ended()
    assert await api.texts() == ["Good evening.", "hello", "welcome"]


async def test_while_a_reply_is_written_acts_are_refused_and_reading_is_not(api: Caller) -> None:
    opened = await api.open()
    end = asyncio.Event()
    turn = asyncio.create_task(api.say("hello", ["wel", end, "come"]))
    await api.model.until_asked()
    assert (await api.read(api.here))["status"] == "generating"
    greeting = opened["leaf_id"]
    acts = [
        ("/turns", {"text": "more"}),
        (f"/entries/{greeting}/select", {}),
        ("/leaf", {"entry_id": greeting}),
        ("/continue", {}),
        (f"/entries/{greeting}/edit", {"text": "x", "mode": "branch"}),
        (f"/entries/{greeting}/prune", {}),
    ]
    for path, body in acts:
        assert (await api.guarded(path, 409, **body))["type"] == "busy"
    assert (await api.call("POST", f"{api.here}/impersonate", 409))["type"] == "busy"
    assert await api.texts() == ["Good evening.", "hello"]
    end.set()
    assert (await turn)["reply"]["text"] == "welcome"


async def test_a_model_that_fails_keeps_the_words_and_tells_where_the_story_is(api: Caller) -> None:
    await api.open()
    problem = await api.say("hello", ModelFailed(), 502)
    assert problem["type"] == "model-failed"
    assert problem["leaf_id"] == await api.leaf()
    assert await api.texts() == ["Good evening.", "hello"]


async def test_in_a_stream_a_failure_is_an_event(api: Caller) -> None:
    await api.open()
    api.model.enqueue(["wel", ModelFailed()])
    body = {"text": "hello", "expected_leaf": await api.leaf()}
    answer = await api.client.post(f"/api/v1{api.here}/turns", json=body, headers=STREAM)
    last = parse_events(answer.text)[-1]
    assert (last.name, last.data["type"], last.data["status"]) == ("error", "model-failed", 502)
    assert last.data["leaf_id"] == await api.leaf()


async def test_another_telling_is_a_sibling(api: Caller) -> None:
    await api.open()
    reply = (await api.say("hello", "welcome"))["reply"]
    api.model.enqueue("go away")
    turn = await api.guarded(f"/entries/{reply['id']}/variants", 201)
    assert turn["user"] is None
    assert turn["reply"]["text"] == "go away"
    assert turn["reply"]["variants"]["ids"] == [reply["id"], turn["reply"]["id"]]
    assert turn["reply"]["variants"]["index"] == 1
    assert await api.texts() == ["Good evening.", "hello", "go away"]


async def test_a_message_that_got_no_reply_can_be_answered(api: Caller) -> None:
    await api.open()
    await api.say("hello", ModelFailed(), 502)
    api.model.enqueue("welcome")
    turn = await api.guarded(f"/entries/{await api.leaf()}/variants", 201)
    assert turn["reply"]["text"] == "welcome"


async def test_a_greeting_cannot_be_told_another_way(api: Caller) -> None:
    opened = await api.open()
    problem = await api.guarded(f"/entries/{opened['leaf_id']}/variants", 422)
    assert problem["type"] == "invalid"


async def test_going_on_answers_the_whole_reply(api: Caller) -> None:
    await api.open()
    reply = (await api.say("hello", "Welcome"))["reply"]
    api.model.enqueue(" to the inn.")
    turn = await api.guarded("/continue", 201)
    assert (turn["user"], turn["reply"]["id"]) == (None, reply["id"])
    assert turn["reply"]["text"] == "Welcome to the inn."
    assert await api.texts() == ["Good evening.", "hello", "Welcome to the inn."]


async def test_impersonating_gives_words_and_appends_nothing(api: Caller) -> None:
    opened = await api.open()
    api.model.enqueue("Is there a room?", ["Is ", "there?"])
    assert await api.call("POST", f"{api.here}/impersonate") == {"text": "Is there a room?"}
    answer = await api.client.post(f"/api/v1{api.here}/impersonate", headers=STREAM)
    assert [(one.name, one.data["text"]) for one in parse_events(answer.text)] == [
        ("delta", "Is "),
        ("delta", "there?"),
        ("words", "Is there?"),
    ]
    assert await api.leaf() == opened["leaf_id"]


async def test_what_was_said_before_a_stop_is_kept(api: Caller) -> None:
    await api.open()
    turn = asyncio.create_task(api.say("hello", ["wel", asyncio.Event()]))
    await api.model.until_asked()
    await asyncio.sleep(0.05)
    story = await api.act(f"{api.here}/stop")
    assert story["status"] == "idle"
    reply = (await turn)["reply"]
    assert (reply["text"], reply["status"], reply["id"]) == ("wel", "interrupted", story["leaf_id"])


async def test_a_stop_before_the_first_word_leaves_no_reply(api: Caller) -> None:
    await api.open()
    turn = asyncio.create_task(api.say("hello", [asyncio.Event()]))
    await api.model.until_asked()
    await api.act(f"{api.here}/stop")
    assert (await turn)["reply"] is None
    assert await api.texts() == ["Good evening.", "hello"]


async def test_a_turn_that_another_process_plays_has_stopped_when_the_answer_comes(api: Caller) -> None:
    await api.open()
    api.model.enqueue(["wel", asyncio.Event()])
    async with open_resources(api.resources.settings, model=api.model) as elsewhere:
        await hear(elsewhere, api.id, "hello", expected_leaf=EntryId(str(await api.leaf())))
        await api.model.until_asked()
        await asyncio.sleep(0.05)
        story = await api.act(f"{api.here}/stop")
    assert story["status"] == "idle"
    assert await api.texts() == ["Good evening.", "hello", "wel"]


async def test_stopping_where_nothing_is_said_changes_nothing(api: Caller) -> None:
    opened = await api.open()
    assert (await api.act(f"{api.here}/stop"))["leaf_id"] == opened["leaf_id"]


@pytest.mark.parametrize("body", [{"text": "hello"}, {"text": "", "expected_leaf": None}, {"expected_leaf": None}])
async def test_a_turn_needs_words_and_a_leaf(api: Caller, body: dict[str, object]) -> None:
    await api.open()
    await api.act(f"{api.here}/turns", 422, **body)


async def test_a_story_without_a_character_begins_with_the_readers_words(api: Caller) -> None:
    api.id = (await api.act("/conversations", 201))["id"]
    turn = await api.say("hello", "welcome")
    assert turn["user"]["parent_id"] is None
    assert await api.texts() == ["hello", "welcome"]
