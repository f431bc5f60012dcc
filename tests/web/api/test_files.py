"""Files over the API: what goes out comes in again, and damage is reported."""

from __future__ import annotations

import json
from typing import Any

from liyuan.domain import file_line
from tests.web.api.caller import Caller


async def take_in(api: Caller, text: str, status: int = 201, **fields: str) -> Any:
    return await api.call("POST", "/conversations/import", status, files={"file": ("a.jsonl", text)}, data=fields)


async def played(api: Caller) -> str:
    """A small tree, given out."""
    await api.open()
    reply = (await api.say("hello", "welcome"))["reply"]
    api.model.enqueue("hm")
    await api.guarded(f"/entries/{reply['id']}/variants", 201)
    text: str = (await api.read(f"{api.here}/export")).text
    return text


async def test_the_whole_tree_goes_out_and_comes_in(api: Caller) -> None:
    text = await played(api)
    imported = await take_in(api, text)
    assert (imported["imported"], imported["quarantined"], len(imported["ids"])) == (4, [], 4)
    old, api.id = api.id, imported["conversation"]["id"]
    assert api.id != old
    assert await api.texts() == ["Good evening.", "hello", "hm"]
    again = (await api.read(f"{api.here}/export")).text
    for was, now in {**imported["ids"], old: api.id}.items():
        text = text.replace(was, now)
    assert again == text


async def test_a_file_says_its_name_and_kind(api: Caller) -> None:
    await played(api)
    for kind, media_type, name in (
        ("jsonl", "application/jsonl", "Ash.jsonl"),
        ("sillytavern", "application/jsonl", "Ash.jsonl"),
        ("markdown", "text/markdown; charset=utf-8", "Ash.md"),
    ):
        answer = await api.read(f"{api.here}/export", format=kind)
        assert answer.headers["content-type"] == media_type
        assert answer.headers["content-disposition"] == f"attachment; filename*=UTF-8''{name}"
    await api.read(f"{api.here}/export", 422, format="pdf")
    await api.read(f"{api.here}/export", 422, format="markdown", branch="all")


async def test_the_active_branch_alone_can_go_out(api: Caller) -> None:
    await played(api)
    lines = (await api.read(f"{api.here}/export", branch="active")).text.splitlines()
    assert [one.get("text") for one in map(json.loads, lines) if one["type"] == "entry"] == [
        "Good evening.",
        "hello",
        "hm",
    ]


async def test_damage_is_reported_line_by_line(api: Caller) -> None:
    lines = (await played(api)).splitlines(keepends=True)
    damaged = "".join([*lines[:4], "{broken\n", *lines[5:]])
    imported = await take_in(api, damaged)
    assert imported["imported"] == 3
    assert [fault["line"] for fault in imported["quarantined"]] == [5, 9]
    assert "JSON" in imported["quarantined"][0]["reason"]


async def test_with_reject_nothing_comes_in_and_every_line_is_named(api: Caller) -> None:
    text = await played(api)
    before = await api.read("/conversations")
    problem = await take_in(api, text + '{"type":"entry",', 422, policy="reject")
    assert problem["quarantined"] == [{"line": len(text.splitlines()) + 1, "reason": file_line.CUT_OFF}]
    assert await api.read("/conversations") == before


async def test_reasons_are_told_in_the_readers_language(api: Caller) -> None:
    text = await played(api)
    imported = await api.call(
        "POST",
        "/conversations/import",
        201,
        files={"file": ("a.jsonl", text + "{")},
        headers={"Accept-Language": "zh"},
    )
    assert imported["quarantined"][0]["reason"] == "最后一行没写完就断了。"


async def test_what_is_no_conversation_is_refused(api: Caller) -> None:
    for content in ("", "hello", '{"user_name":"You","character_name":"Q"}\n', '{"spec":"chara_card_v2"}'):
        assert (await take_in(api, content, 422))["type"] == "invalid"
    await take_in(api, await played(api), 422, policy="guess")
    await api.call("POST", "/conversations/import", 422, data={"policy": "reject"})
