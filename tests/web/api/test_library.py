"""Characters and personas over the API: in, listed, out, away."""

from __future__ import annotations

import json
from typing import Any

from liyuan.play.card_files import read_card_file
from tests.tale import card
from tests.web.api.caller import Caller


async def bring_in(api: Caller, raw: Any, status: int = 201, name: str = "a.json") -> Any:
    content = raw if isinstance(raw, bytes) else json.dumps(raw)
    return await api.call("POST", "/cards", status, files={"file": (name, content)})


async def test_a_card_comes_in_and_goes_out_with_unknown_fields(api: Caller) -> None:
    raw = card("青梧", unknown={"kept": True})
    added = await bring_in(api, raw)
    assert (added["name"], added["data"], added["image"]) == ("青梧", raw, None)
    assert await api.read(f"/cards/{added['id']}") == {key: added[key] for key in added if key != "notes"}
    out = await api.read(f"/cards/{added['id']}/export", format="json")
    assert out["data"]["unknown"] == {"kept": True}
    png = await api.read(f"/cards/{added['id']}/export")
    assert png.headers["content-type"] == "image/png"
    assert read_card_file(png.content)[0].name == "青梧"
    again = await bring_in(api, png.content, name="a.png")
    assert again["image"]
    assert (await api.client.get(again["image"])).status_code == 200


async def test_what_was_odd_about_a_card_is_told(api: Caller) -> None:
    added = await bring_in(api, {"name": "Ash", "description": "d", "first_mes": ""})
    assert added["notes"]


async def test_what_is_no_card_is_refused(api: Caller) -> None:
    before = await api.read("/cards")
    for content in (b"", b"hello", b"[1]"):
        assert (await bring_in(api, content, 422))["type"] == "invalid"
    await api.call("POST", "/cards", 422)
    assert await api.read("/cards") == before


async def test_cards_are_listed_page_by_page(api: Caller) -> None:
    known = {item["id"] for item in (await api.read("/cards"))["items"]}
    ids = [(await bring_in(api, card(f"Nine {number}")))["id"] for number in range(3)]
    page = await api.read("/cards", query="nine", limit=2)
    rest = await api.read("/cards", query="nine", limit=2, cursor=page["next"])
    assert {item["id"] for item in page["items"] + rest["items"]} == set(ids) - known
    assert rest["next"] is None
    assert set(page["items"][0]) == {"id", "name", "image", "created_at", "updated_at"}


async def test_a_deleted_card_leaves_its_stories(api: Caller) -> None:
    await api.open()
    card_id = (await api.read(api.here))["card_id"]
    await api.call("DELETE", f"/cards/{card_id}", 204)
    await api.read(f"/cards/{card_id}", 404)
    await api.read(f"/cards/{card_id}/export", 404)
    await api.call("DELETE", f"/cards/{card_id}", 404)
    assert (await api.say("hello", "welcome"))["reply"]["text"] == "welcome"


async def test_a_persona_is_written_listed_given_out_and_taken_in(api: Caller) -> None:
    first = await api.act("/personas", 201, name="阿远", description="A courier.")
    assert first["is_default"]
    out = await api.read(f"/personas/{first['id']}/export")
    assert out == {"name": "阿远", "description": "A courier."}
    second = await api.call("POST", "/personas", 201, files={"file": ("p.json", json.dumps(out))})
    assert (second["name"], second["is_default"]) == ("阿远", False)
    assert [item["id"] for item in (await api.read("/personas"))["items"]] == [first["id"], second["id"]]
    assert await api.read(f"/personas/{second['id']}") == second
    await api.call("DELETE", f"/personas/{second['id']}", 204)
    await api.read(f"/personas/{second['id']}", 404)
    await api.read(f"/personas/{second['id']}/export", 404)
    await api.call("DELETE", f"/personas/{second['id']}", 404)


async def test_a_persona_needs_a_name(api: Caller) -> None:
    await api.act("/personas", 422, name="")
    await api.act("/personas", 422, name="   ")
    await api.act("/personas", 422, description="x")
    await api.call("POST", "/personas", 422, content=b'{"name":"x"}', headers={"content-type": "text/plain"})
    await api.call("POST", "/personas", 422, content=b"{", headers={"content-type": "application/json"})
    await api.call("POST", "/personas", 422, files={"other": ("p.json", "{}")})
