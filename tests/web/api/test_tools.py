"""A model that uses its context tools, as other programs hear of it: `tool` events, and `tools` in the reply's data."""

from __future__ import annotations

import pytest

from liyuan.store.library import keep_preferences
from tests.play.tool_calls import call, check_out
from tests.web.api.caller import STREAM, Caller, parse_events


@pytest.fixture
async def offered(api: Caller) -> Caller:
    await api.open()
    await api.resources.database.write(keep_preferences, context_tools=True)
    return api


async def digress(api: Caller) -> None:
    await api.call("POST", f"{api.here}/tags", 201, json={"name": "before"})
    await api.say("Let us search the cellar.", "Dust.")
    api.model.enqueue(["Half a thought", check_out("before")])


async def test_the_replys_data_tells_what_the_model_has_done(offered: Caller) -> None:
    offered.model.enqueue([call("tag", name="at the door"), call("log")])
    turn = await offered.say("hello", "welcome")
    assert offered.model.spent
    assert turn["reply"]["data"]["tools"] == [
        {"tool": "context_tag", "name": "at the door", "entry_id": turn["user"]["id"]},
        {"tool": "context_log"},
    ]


async def test_after_a_checkout_the_words_and_the_reply_are_those_of_the_new_place(offered: Caller) -> None:
    await digress(offered)
    turn = await offered.say("Back upstairs.", "The stairs creak.")
    assert turn["reply"]["parent_id"] == turn["user"]["id"]
    assert turn["user"]["text"] == "Back upstairs."
    (use,) = turn["reply"]["data"]["tools"]
    note = await offered.read(f"{offered.here}/entries/{use['entry_id']}")
    assert (note["kind"], note["id"]) == ("branch-summary", turn["user"]["parent_id"])
    assert (note["data"]["source"], note["data"]["from_id"]) == ("model", use["from_id"])
    said = await offered.read(f"{offered.here}/entries/{turn['user']['data']['carried_from_id']}")
    assert (said["text"], said["id"] != turn["user"]["id"]) == ("Back upstairs.", True)


async def test_a_stream_tells_each_use_and_begins_anew_after_a_checkout(offered: Caller) -> None:
    await digress(offered)
    offered.model.enqueue("The stairs creak.")
    body = {"text": "Back upstairs.", "expected_leaf": await offered.leaf()}
    answer = await offered.client.post(f"/api/v1{offered.here}/turns", json=body, headers=STREAM)
    events = parse_events(answer.text)
    assert [event.name for event in events] == ["user", "delta", "tool", "user", "delta", "reply"]
    first, _, used, again, _, reply = (event.data for event in events)
    assert (used["tool"], used["name"]) == ("context_checkout", "before")
    assert again["data"]["carried_from_id"] == first["id"]
    assert (reply["text"], reply["parent_id"]) == ("The stairs creak.", again["id"])


async def test_the_prompt_names_the_part_about_the_tools(offered: Caller) -> None:
    shown = await offered.read(f"{offered.here}/prompt")
    assert "tools" in [part["name"] for part in shown["parts"]]
