"""Memory over the API: hits on this path only, marks, documents, and the state of the index."""

from __future__ import annotations

from liyuan.jobs.indexing import index_all
from liyuan.store.indexing import order
from liyuan.store.memories import story_shelf
from tests.web.api.caller import Caller


async def remember(api: Caller) -> None:
    await api.resources.database.write(order, story_shelf(api.id))
    await index_all(api.resources)


async def test_hits_are_on_the_path_of_the_leaf_that_is_asked_from(api: Caller) -> None:
    await api.open()
    first = (await api.say("Where is the key?", "Behind the saint."))["reply"]
    api.model.enqueue("Under the mat.")
    second = (await api.guarded(f"/entries/{first['id']}/variants", 201))["reply"]
    await remember(api)
    here = await api.read(f"{api.here}/memories", query="saint mat key")
    assert {"Under the mat."} <= {hit["text"] for hit in here["items"]}
    assert "Behind the saint." not in {hit["text"] for hit in here["items"]}
    there = await api.read(f"{api.here}/memories", query="saint mat key", leaf=first["id"])
    assert there["items"][0].keys() >= {"entry_id", "text", "score"}
    assert second["id"] not in {hit["entry_id"] for hit in there["items"]}
    assert here["total"] == there["total"] == 3
    assert here["index"] == {"pieces": 4, "embedded": 4, "is_done": True, "trouble": ""}


async def test_without_a_question_the_latest_are_listed(api: Caller) -> None:
    await api.open()
    await api.say("Where is the key?", "Behind the saint.")
    await remember(api)
    listed = await api.read(f"{api.here}/memories", k=2)
    assert [hit["text"] for hit in listed["items"]] == ["Behind the saint.", "Where is the key?"]


async def test_a_memory_is_hidden_and_shown_again(api: Caller) -> None:
    await api.open()
    await api.say("Where is the key?", "Behind the saint.")
    await remember(api)
    hit = (await api.read(f"{api.here}/memories", query="saint"))["items"][0]
    path = f"{api.here}/memories/{hit['memory_id']}"
    await api.call("PATCH", path, 204, json={"mark": "hidden"})
    texts = [one["text"] for one in (await api.read(f"{api.here}/memories", query="saint"))["items"]]
    assert hit["text"] not in texts
    await api.call("PATCH", path, 204, json={"mark": ""})
    await api.call("PATCH", f"{api.here}/memories/999999", 404, json={"mark": ""})


async def test_documents_come_in_are_found_and_go(api: Caller) -> None:
    await api.open()
    files = {"file": ("harbour.md", b"The ferry runs twice a day.")}
    added = await api.call("POST", f"{api.here}/documents", 201, files=files, data={"scope": "everywhere"})
    assert (added["name"], added["scope"], added["kind"]) == ("harbour.md", "everywhere", "md")
    found = await api.read(f"{api.here}/documents/search", query="ferry")
    assert [passage["title"] for passage in found["items"]] == ["harbour.md"]
    await api.call("DELETE", f"{api.here}/documents/{added['id']}", 204)
    assert (await api.read(f"{api.here}/documents"))["items"] == []
    await api.call("POST", f"{api.here}/documents", 422, files={"file": ("a.exe", b"MZ")})


async def test_the_index_is_made_anew_on_demand(api: Caller) -> None:
    await api.open()
    await remember(api)
    waiting = await api.act(f"{api.here}/memories/rebuild", 202)
    assert (waiting["embedded"], waiting["is_done"]) == (0, False)
    await index_all(api.resources)
    assert (await api.read(f"{api.here}/memories"))["index"]["is_done"]
