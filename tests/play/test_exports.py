"""A branch goes out as prose, and as a chat whose swipes are the variants of each message."""

from __future__ import annotations

import json
from typing import Any

import pytest

from liyuan.domain.chat_exports import Cast, Line, Saying, markdown
from liyuan.domain.entry import ConversationId
from liyuan.domain.errors import Invalid, NotFound
from liyuan.play import exports
from liyuan.play.exports import Branches, ExportFormat, export_conversation, open_export
from liyuan.store.conversations import delete, rename
from tests.tale import Tale


def text_of(tale: Tale, kind: ExportFormat, branches: Branches | None = None) -> str:
    return "".join(open_export(tale.resources.database, tale.id, kind, branches).text)


def lines_of(tale: Tale, kind: ExportFormat, branches: Branches | None = None) -> list[dict[str, Any]]:
    return [json.loads(line) for line in text_of(tale, kind, branches).splitlines()]


async def test_prose_holds_the_active_branch_alone(tale: Tale) -> None:
    reply = await tale.say("hello", reply="welcome")
    await tale.swipe(reply, reply="*nods* hm")
    assert text_of(tale, "markdown") == (
        "# Ash\n\n**Ash**\n\nGood evening.\n\n**Traveller**\n\nhello\n\n**Ash**\n\n*nods* hm\n"
    )


async def test_prose_tells_what_was_edited_in_place(tale: Tale) -> None:
    reply = await tale.say("hello", reply="welcome")
    await tale.edit(reply, "Welcome, then.", "in_place")
    assert "Welcome, then." in text_of(tale, "markdown")
    assert "welcome\n" not in text_of(tale, "markdown")


def test_a_name_is_not_taken_for_a_mark() -> None:
    cast = Cast(title="*A*\n# b", character="_C_", reader="R")
    line = Line(is_user=False, variants=(Saying(text="x", at=""),))
    assert "".join(markdown(cast, [line])) == "# \\*A\\* \\# b\n\n**\\_C\\_**\n\nx\n"


async def test_each_message_of_the_chat_has_its_variants_as_swipes(tale: Tale) -> None:
    reply = await tale.say("hello", reply="welcome")
    other = await tale.swipe(reply, reply="go away")
    await tale.edit(other, "Go away!", "in_place")
    await tale.swipe(reply, reply="hm")
    await tale.choose(reply)
    header, *messages = lines_of(tale, "sillytavern")
    assert (header["user_name"], header["character_name"]) == ("Traveller", "Ash")
    assert [(one["name"], one["is_user"], one["mes"]) for one in messages] == [
        ("Ash", False, "Good evening."),
        ("Traveller", True, "hello"),
        ("Ash", False, "welcome"),
    ]
    assert messages[-1]["swipes"] == ["welcome", "Go away!", "hm"]
    for one in messages:
        assert one["swipes"][one["swipe_id"]] == one["mes"]
        assert len(one["swipe_info"]) == len(one["swipes"])


async def test_a_long_branch_is_read_in_pages(tale: Tale) -> None:
    for number in range(exports.BATCH // 2 + 10):
        await tale.say(f"say {number}", reply=f"reply {number}")
    said = [one["mes"] for one in lines_of(tale, "sillytavern")[1:]]
    assert said == await tale.shown()
    assert len([one for one in lines_of(tale, "jsonl") if one["type"] == "entry"]) == len(said)


async def test_the_active_branch_alone_is_a_tree_of_one_line(tale: Tale) -> None:
    reply = await tale.say("hello", reply="welcome")
    other = await tale.swipe(reply, reply="hm")
    header, *lines = lines_of(tale, "jsonl", "active")
    assert header["id"] == tale.id
    assert [one.get("text") for one in lines if one["type"] == "entry"] == ["Good evening.", "hello", "hm"]
    assert [one["entry_id"] for one in lines if one["type"] == "leaf"] == [other]


async def test_what_is_added_while_a_file_is_written_waits_for_the_next(tale: Tale) -> None:
    writing = export_conversation(tale.resources.database, tale.id)
    await tale.say("hello", reply="welcome")
    assert [json.loads(line)["type"] for line in writing] == ["conversation", "entry", "leaf"]


async def test_a_file_is_named_after_its_story(tale: Tale) -> None:
    await tale.resources.database.write(rename, tale.id, "雨夜 / ../etc: a tale?")
    assert open_export(tale.resources.database, tale.id, "markdown").name == "雨夜-etc-a-tale.md"
    await tale.resources.database.write(rename, tale.id, "…")
    assert open_export(tale.resources.database, tale.id, "sillytavern").name == "story.jsonl"


async def test_only_jsonl_holds_all_branches(tale: Tale) -> None:
    with pytest.raises(Invalid):
        open_export(tale.resources.database, tale.id, "markdown", "all")


async def test_a_story_that_is_gone_is_not_exported_as_an_empty_one(tale: Tale) -> None:
    await tale.resources.database.write(delete, tale.id)
    with pytest.raises(NotFound):
        export_conversation(tale.resources.database, tale.id)
    with pytest.raises(NotFound):
        open_export(tale.resources.database, ConversationId("nobody"), "markdown")
