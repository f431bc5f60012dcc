"""The shelf over the API: opening, finding, renaming, deleting."""

from __future__ import annotations

from liyuan.store.library import add_connection
from tests.web.api.caller import Caller


async def test_a_story_opens_at_the_greeting_that_was_chosen(api: Caller) -> None:
    await api.open("One.", "Two.")
    card_id = (await api.read(api.here))["card_id"]
    opened = await api.act("/conversations", 201, card_id=card_id, greeting=1, title="Rain")
    assert (opened["title"], opened["turns"], opened["status"]) == ("Rain", 0, "idle")
    api.id = opened["id"]
    assert await api.texts() == ["Two."]


async def test_a_story_does_not_open_with_what_is_not_there(api: Caller) -> None:
    await api.open()
    card_id = (await api.read(api.here))["card_id"]
    await api.act("/conversations", 404, card_id="nobody")
    await api.act("/conversations", 404, persona_id="nobody")
    await api.act("/conversations", 422, card_id=card_id, greeting=1)
    await api.act("/conversations", 422, card_id=card_id, greeting=-1)
    assert len((await api.read("/conversations"))["items"]) == 1


async def test_the_shelf_is_read_page_by_page_latest_first(api: Caller) -> None:
    ids = [(await api.act("/conversations", 201, title=f"Tale {number}"))["id"] for number in range(5)]
    seen: list[str] = []
    cursor: str | None = None
    while True:
        page = await api.call("GET", "/conversations", params={"limit": 2, **({"cursor": cursor} if cursor else {})})
        seen += [item["id"] for item in page["items"]]
        cursor = page["next"]
        if cursor is None:
            break
    assert sorted(seen) == sorted(ids)
    assert len(seen) == 5


async def test_the_shelf_is_searched_in_titles_and_texts(api: Caller) -> None:
    await api.open()
    await api.say("Where is the silver needle?", "In the stove.")
    await api.act("/conversations", 201, title="Rain")
    (found,) = (await api.read("/conversations", query="silver NEEDLE"))["items"]
    assert (found["id"], found["last_line"], found["card_name"]) == (api.id, "In the stove.", "Ash")
    (titled,) = (await api.read("/conversations", query="rai"))["items"]
    assert titled["title"] == "Rain"
    assert (await api.read("/conversations", query="nowhere"))["items"] == []


async def test_a_cursor_that_was_never_given_out_is_refused(api: Caller) -> None:
    await api.read("/conversations", 422, cursor="x")


async def test_only_what_is_sent_is_changed(api: Caller) -> None:
    await api.open()
    persona = await api.act("/personas", 201, name="阿远")
    connection = await api.resources.database.write(add_connection, name="K", provider="openai")
    chosen = await api.call(
        "PATCH", api.here, json={"persona_id": persona["id"], "connection_id": connection.id, "title": "Rain"}
    )
    assert (chosen["persona_id"], chosen["connection_id"], chosen["title"]) == (persona["id"], connection.id, "Rain")
    kept = await api.call("PATCH", api.here, json={"persona_id": None})
    assert (kept["persona_id"], kept["connection_id"], kept["title"]) == (None, connection.id, "Rain")


async def test_a_change_to_what_is_not_there_changes_nothing(api: Caller) -> None:
    await api.open()
    for key in ("persona_id", "connection_id"):
        await api.call("PATCH", api.here, 404, json={"title": "Rain", key: "nobody"})
    assert (await api.read(api.here))["title"] == "Ash"
    await api.call("PATCH", "/conversations/nobody", 404, json={"title": "Rain"})


async def test_a_deleted_story_is_gone(api: Caller) -> None:
    await api.open()
    await api.call("DELETE", api.here, 204)
    await api.read(api.here, 404)
    await api.read(f"{api.here}/branch", 404)
    await api.read(f"{api.here}/entries/x", 404)
    await api.call("DELETE", api.here, 404)
    assert (await api.read("/conversations"))["items"] == []


async def test_bodies_are_json_and_have_their_bounds(api: Caller) -> None:
    await api.call(
        "POST", "/conversations", 422, content=b'{"title": "Rain"', headers={"content-type": "application/json"}
    )
    await api.call("POST", "/conversations", 422, content=b"title=Rain", headers={"content-type": "text/plain"})
    await api.act("/conversations", 422, title="x" * 201)
    await api.act("/conversations", 422, title="a\0b")
    large = b'{"title": "' + b"x" * 3_000_000 + b'"}'
    problem = await api.call("POST", "/conversations", 413, content=large, headers={"content-type": "application/json"})
    assert problem["type"] == "too-large"
