"""Saves and worldlines over the API."""

from __future__ import annotations

import json
from typing import Any

from tests.web.api.caller import Caller


async def save(api: Caller, name: str | None = None, status: int = 201) -> Any:
    return await api.guarded("/saves", status, **({"name": name} if name else {}))


async def lines(api: Caller) -> Any:
    return await api.read(f"{api.here}/saves")


async def test_the_classic_case_is_first_same_line_and_fork(api: Caller) -> None:
    await api.open()
    await api.say("hello", "welcome")
    one = await save(api, "one")
    await api.say("a room", "upstairs")
    two = await save(api, "two")
    restored = await api.guarded(f"/saves/{one['id']}/restore")
    assert restored["leaf_id"] == one["id"]
    await api.say("a meal", "soup")
    three = await save(api, "three")
    assert [made["plan"] for made in (one, two, three)] == ["first", "sameLine", "fork"]
    assert (three["fork_source"], three["parent_save_id"]) == (one["id"], one["id"])
    told = await lines(api)
    assert [[placed["name"] for placed in line["saves"]] for line in told["worldlines"]] == [["one", "two"], ["three"]]
    assert [line["fork_source"] for line in told["worldlines"]] == [None, one["id"]]
    assert told["current_save"] == three["id"] == await api.leaf()


async def test_an_old_leaf_is_refused_and_nothing_is_saved(api: Caller) -> None:
    await api.open()
    old = await api.leaf()
    await api.say("hello", "welcome")
    refused = await api.guarded("/saves", 409, expected_leaf=old)
    assert (refused["type"].rsplit("/", 1)[-1], refused["leaf_id"]) == ("leaf-moved", await api.leaf())
    assert (await lines(api))["worldlines"] == []


async def test_a_save_without_a_name_is_called_after_the_story(api: Caller) -> None:
    await api.open()
    await api.say("hello", "*She looks up.* “You came by the river road,” she said.")
    assert (await save(api))["name"] == "She looks up."


async def test_renaming_changes_what_is_told_and_not_the_tree(api: Caller) -> None:
    await api.open()
    made = await save(api, "one")
    before = await api.read(f"{api.here}/entries/{made['id']}")
    await api.call("PATCH", f"{api.here}/saves/{made['id']}", json={"name": "the door"})
    await api.call("PATCH", f"{api.here}/worldlines/{made['worldline_id']}", json={"name": "By night"})
    (line,) = (await lines(api))["worldlines"]
    assert (line["name"], line["saves"][0]["name"]) == ("By night", "the door")
    assert await api.read(f"{api.here}/entries/{made['id']}") == before


async def test_two_worldlines_have_two_names(api: Caller) -> None:
    await api.open()
    first = (await api.read(f"{api.here}/branch"))["items"][0]["id"]
    await api.say("hello", "welcome")
    await save(api)
    await api.guarded("/leaf", entry_id=first)
    other = await save(api)
    address = f"{api.here}/worldlines/{other['worldline_id']}"
    await api.call("PATCH", address, 422, json={"name": "Main line"})
    assert [line["name"] for line in (await lines(api))["worldlines"]] == ["Main line", "Main line 2"]


async def test_a_deleted_save_comes_back_where_it_was(api: Caller) -> None:
    await api.open()
    made = await save(api, "one")
    await api.call("DELETE", f"{api.here}/saves/{made['id']}", 204)
    told = await lines(api)
    assert (told["worldlines"], told["current_save"]) == ([], None)
    assert [gone["name"] for gone in told["deleted"]] == ["one"]
    await api.guarded(f"/saves/{made['id']}/restore", 422)
    back = await api.act(f"{api.here}/saves/{made['id']}/undelete")
    assert (back["plan"], back["worldline_id"]) == (None, made["worldline_id"])
    await api.act(f"{api.here}/saves/{made['id']}/undelete", 422)


async def test_what_is_unknown_is_not_found(api: Caller) -> None:
    await api.open()
    for method, path in (
        ("POST", "/saves/nothing/restore"),
        ("GET", "/saves/nothing"),
        ("DELETE", "/saves/nothing"),
        ("POST", "/saves/nothing/undelete"),
        ("GET", "/saves/nothing/export"),
    ):
        await api.call(method, api.here + path, 404)
    await api.call("PATCH", f"{api.here}/worldlines/nothing", 404, json={"name": "x"})
    await api.call("GET", "/conversations/nothing/saves", 404)


async def test_a_save_is_seen_from_outside(api: Caller) -> None:
    await api.open()
    await api.say("hello", "welcome")
    body = {"patch": {"location": "the inn", "time": "the third night"}, "expected_leaf": await api.leaf()}
    await api.call("PATCH", f"{api.here}/world", json=body)
    made = await save(api)
    seen = await api.read(f"{api.here}/saves/{made['id']}")
    assert seen["name"] == "the inn, the third night"
    assert (seen["turn"], seen["location"], seen["time"]) == (1, "the inn", "the third night")
    assert [line["text"] for line in seen["lines"]] == ["hello", "welcome"]
    assert seen["character"] == "Ash"


async def test_two_saves_are_compared_in_world_and_story(api: Caller) -> None:
    await api.open()
    await api.say("hello", "welcome")
    one = await save(api, "one")
    body = {"patch": {"location": "the cellar"}, "expected_leaf": await api.leaf()}
    await api.call("PATCH", f"{api.here}/world", json=body)
    await api.say("down", "dark")
    two = await save(api, "two")
    compared = await api.read(f"{api.here}/saves/compare", one=one["id"], other=two["id"])
    assert compared["parted_at"] == one["id"]
    assert compared["changes"] == [{"path": "location", "before": "", "after": "the cellar"}]
    assert compared["one"]["lines"] == []
    assert [line["text"] for line in compared["other"]["lines"]] == ["down", "dark"]


async def test_a_single_save_goes_out_as_a_file_that_opens_at_it(api: Caller) -> None:
    await api.open()
    await api.say("hello", "welcome")
    one = await save(api, "one")
    await api.say("a room", "upstairs")
    file = (await api.read(f"{api.here}/saves/{one['id']}/export")).text
    told = [json.loads(line) for line in file.splitlines()]
    assert [line.get("text") for line in told if line.get("kind") == "message"] == ["Good evening.", "hello", "welcome"]
    imported = await api.call("POST", "/conversations/import", 201, files={"file": ("one.jsonl", file)})
    assert imported["quarantined"] == []
    assert imported["conversation"]["leaf_id"] == imported["ids"].get(one["id"], one["id"])


async def test_leaving_with_own_words_writes_them_where_one_goes(api: Caller) -> None:
    await api.open()
    await api.say("hello", "welcome")
    made = await save(api)
    await api.say("down", "dark")
    left = await api.leaf()
    moved = await api.guarded("/leaf", entry_id=made["id"], summary="text", text="The cellar was empty.")
    written = await api.read(f"{api.here}/entries/{moved['leaf_id']}")
    assert (written["kind"], written["parent_id"]) == ("branch-summary", made["id"])
    assert written["data"] == {"text": "The cellar was empty.", "from_id": left}
    await api.guarded("/leaf", 422, entry_id=made["id"], summary="text", text=" ")


async def test_the_tree_is_labelled_with_its_saves(api: Caller) -> None:
    await api.open()
    await save(api, "one")
    labels = [label for segment in (await api.read(f"{api.here}/tree"))["segments"] for label in segment["labels"]]
    assert labels == ["one"]
