"""Reading over the API: pages of a branch, entries, the tree's shape, the prompt. Nothing unknown reads as empty."""

from __future__ import annotations

import pytest

from tests.web.api.caller import Caller


async def test_a_branch_is_read_from_its_end_and_upwards_page_by_page(api: Caller) -> None:
    await api.open()
    for number in range(4):
        await api.say(f"say {number}", f"reply {number}")
    whole = await api.read(f"{api.here}/branch")
    assert (whole["prev"], len(whole["items"])) == (None, 9)
    assert [item["depth"] for item in whole["items"]] == list(range(9))
    last = await api.read(f"{api.here}/branch", limit=4)
    assert [item["text"] for item in last["items"]] == ["say 2", "reply 2", "say 3", "reply 3"]
    above = await api.read(f"{api.here}/branch", limit=4, before=last["prev"])
    assert [item["text"] for item in above["items"]] == ["say 0", "reply 0", "say 1", "reply 1"]
    top = await api.read(f"{api.here}/branch", limit=4, before=above["prev"])
    assert ([item["text"] for item in top["items"]], top["prev"]) == (["Good evening."], None)


async def test_another_branch_is_read_by_its_leaf(api: Caller) -> None:
    await api.open()
    reply = (await api.say("hello", "welcome"))["reply"]
    api.model.enqueue("hm")
    await api.guarded(f"/entries/{reply['id']}/variants", 201)
    assert await api.texts() == ["Good evening.", "hello", "hm"]
    assert await api.texts(leaf=reply["id"]) == ["Good evening.", "hello", "welcome"]


@pytest.mark.parametrize("limit", [0, 501, "many"])
async def test_a_page_has_its_bounds(api: Caller, limit: object) -> None:
    await api.open()
    await api.read(f"{api.here}/branch", 422, limit=limit)


async def test_a_story_without_entries_has_an_empty_branch(api: Caller) -> None:
    api.id = (await api.act("/conversations", 201))["id"]
    assert await api.read(f"{api.here}/branch") == {"leaf_id": None, "items": [], "prev": None}
    assert await api.read(f"{api.here}/tree") == {"segments": [], "leaf_id": None}


async def test_the_greetings_are_sibling_roots(api: Caller) -> None:
    await api.open("One.", "Two.", "Three.")
    (root,) = (await api.read(f"{api.here}/branch"))["items"]
    assert (root["parent_id"], root["text"], root["variants"]["total"]) == (None, "One.", 3)
    other = await api.read(f"{api.here}/entries/{root['variants']['ids'][2]}")
    assert (other["text"], other["parent_id"], other["variants"]["index"]) == ("Three.", None, 2)


async def test_an_entry_is_read_as_it_stands_on_a_branch(api: Caller) -> None:
    await api.open()
    reply = (await api.say("hello", "welcome"))["reply"]
    await api.guarded(f"/entries/{reply['id']}/edit", 201, text="Welcome!", mode="in_place")
    assert (await api.read(f"{api.here}/entries/{reply['id']}"))["text"] == "Welcome!"
    assert (await api.read(f"{api.here}/entries/{reply['id']}", leaf=reply["id"]))["text"] == "welcome"


async def test_the_tree_is_read_without_bodies(api: Caller) -> None:
    await api.open()
    reply = (await api.say("hello", "welcome"))["reply"]
    api.model.enqueue("hm")
    other = (await api.guarded(f"/entries/{reply['id']}/variants", 201))["reply"]
    await api.say("and?", "so")
    tree = await api.read(f"{api.here}/tree")
    assert tree["leaf_id"] == await api.leaf()
    assert sum(segment["length"] for segment in tree["segments"]) == 6
    grown = {segment["first_id"]: segment["parent_entry_id"] for segment in tree["segments"]}
    assert {reply["id"], other["id"]} & grown.keys()
    assert all(set(segment) == {"id", "parent_entry_id", "first_id", "last_id", "length", "labels"}
               for segment in tree["segments"])  # fmt: skip


async def test_the_prompt_is_shown_as_it_would_be_sent(api: Caller) -> None:
    await api.open()
    shown = await api.read(f"{api.here}/prompt", text="hello")
    await api.say("hello", "welcome")
    sent = api.model.requests[-1]
    assert [(said["role"], said["text"]) for said in shown["messages"]] == [
        (said.role, said.text) for said in sent.messages
    ]
    assert shown["tokens"] == sum(part["tokens"] for part in shown["parts"]) > 0
    assert shown["parts"][-1]["text"] == "hello"


async def test_the_prompt_of_another_leaf_holds_nothing_of_this_branch(api: Caller) -> None:
    opened = await api.open()
    await api.say("my secret", "I keep it")
    shown = await api.read(f"{api.here}/prompt", leaf=opened["leaf_id"])
    assert not [said for said in shown["messages"] if "secret" in said["text"]]


async def test_what_is_unknown_is_told_and_never_shown_as_empty(api: Caller) -> None:
    opened = await api.open()
    first = api.id
    await api.open()
    for path in ("", "/branch", "/tree", "/prompt", "/export", "/entries/x"):
        assert (await api.read(f"/conversations/nobody{path}", 404))["type"] == "not-found"
    for path in ("branch", "prompt"):
        await api.read(f"{api.here}/{path}", 404, leaf="nobody")
        await api.read(f"{api.here}/{path}", 404, leaf=opened["leaf_id"])
    await api.read(f"{api.here}/branch", 404, before=opened["leaf_id"])
    await api.read(f"{api.here}/entries/{opened['leaf_id']}", 404)
    await api.read(f"/conversations/{first}/entries/{opened['leaf_id']}")


async def test_ids_are_ids_and_not_paths(api: Caller) -> None:
    await api.open()
    for wrong in ("a%00b", "a" * 65, "%20", "a.b"):
        await api.read(f"/conversations/{wrong}", 422)
        await api.read(f"{api.here}/entries/{wrong}", 422)
