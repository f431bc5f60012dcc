"""What the model does with its context tools, as a reader sees it: small lines, each with a way back (decision 16)."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

import pytest
from bs4 import BeautifulSoup

from liyuan.domain.context_tools import CHECKOUT, LOG, TAG
from liyuan.domain.entry import EntryId
from liyuan.domain.tool_use import Use, uses_of
from liyuan.model.chat import Finish
from liyuan.play.context import tag
from liyuan.stage import Overheard, Told
from liyuan.store.library import load_preferences
from liyuan.store.performances import load_performing
from liyuan.web.uses import UseLine, use_lines
from tests.play.tool_calls import call, check_out, offer
from tests.web.browser import Browser, page
from tests.web.reader import Reader, leaf_of, parts, texts
from tests.web.test_live import listening, part


@pytest.fixture
async def offered(reader: Reader) -> Reader:
    await offer(reader.tale)
    return reader


async def digress(reader: Reader) -> None:
    tale = reader.tale
    await tag(tale.resources, tale.id, "before", await tale.leaf())
    await tale.say("Let us search the cellar.", reply="Dust.")
    tale.model.enqueue([check_out("before", "The *cellar* holds a key.")], "The stairs creak.")


def lines(soup: BeautifulSoup) -> list[str]:
    return [line.get_text(" ", strip=True) for line in soup.select(".use-line")]


# --- the switch


async def test_the_switch_is_off_until_somebody_chooses(browser: Browser, reader: Reader) -> None:
    def ticked(soup: BeautifulSoup) -> bool:
        box = soup.select_one("[name=context_tools]")
        assert box is not None
        return box.has_attr("checked")

    assert not ticked(page(await browser.read("/settings")))
    await browser.send("/settings", {"context_tools": "true"})
    assert ticked(page(await browser.read("/settings")))
    assert (await reader.tale.resources.database.read(load_preferences))["context_tools"] is True
    await browser.send("/settings", {})
    assert not ticked(page(await browser.read("/settings")))


async def test_the_prompt_panel_shows_what_the_model_is_told_of_its_tools(offered: Reader) -> None:
    shown = await offered.read("/panels/prompt", **{"hx-request": "true"})
    assert "The model’s own tools" in shown.get_text()
    assert "context_checkout" in shown.get_text()


# --- lines in the story


async def test_a_tag_of_the_model_is_a_line_with_the_way_there_and_a_way_back(offered: Reader) -> None:
    offered.tale.model.enqueue([call("tag", name="at the door")], "Yes?")
    await offered.tale.say("Hello?")
    shown = await offered.read()
    assert lines(shown) == ["The model tagged a place “at the door”. Go there"]
    line = shown.select_one(".use-line")
    assert line and line.a and line.button
    words = (await offered.tale.items())[-2].id
    assert line.a["href"] == f"{offered.address}/leave?to={words}"
    assert (line.button["formaction"], line.button["value"]) == (f"{offered.address}/untag", "at the door")
    answer = await offered.act("untag", tag="at the door", shown=50)
    redrawn = parts(answer)["#story"]
    assert lines(redrawn) == ["The model tagged a place “at the door”. Go there"]
    assert not redrawn.select(".use-line button"), "it has been taken off"


async def test_to_have_looked_twice_is_told_once(offered: Reader) -> None:
    offered.tale.model.enqueue([call("log")], [call("log", limit=5)], "Yes?")
    await offered.tale.say("Hello?")
    assert lines(await offered.read()) == ["The model looked over the way here."]


async def test_what_was_filed_away_can_be_read_and_moved_back_to(offered: Reader) -> None:
    await digress(offered)
    await offered.tale.say("Back upstairs.")
    shown = await offered.read()
    assert texts(shown) == ["Good evening.", "Back upstairs.", "The stairs creak."]
    filed = shown.select_one(".filed")
    assert filed and filed.summary and filed.a
    assert filed.summary.get_text(" ", strip=True) == "The model filed away what followed, and came back to “before”."
    assert filed.select_one(".prose em") is not None
    assert lines(shown) == [], "it is told once, where it stands"
    left = (await offered.tale.items())[1].entry.data["from_id"]
    assert filed.a["href"] == f"{offered.address}/leave?to={left}"
    await offered.act("go", to=left)
    assert (await offered.tale.shown())[-2:] == ["Dust.", "Back upstairs."]
    assert not (await offered.read()).select(".filed"), "the line stays on the branch that it belongs to"


async def test_a_server_that_takes_no_tools_is_told_with_the_way_to_the_switch(offered: Reader) -> None:
    offered.tale.model.enqueue(["Yes?", Finish(without_tools=True)])
    await offered.tale.say("Hello?")
    shown = await offered.read()
    assert lines(shown) == ["This model takes no tools, so it answered without them. Settings"]
    assert shown.select_one('.use-line a[href="/settings#tools"]')


# --- while it is written


async def test_a_use_is_shown_while_the_reply_is_written(offered: Reader) -> None:
    go = asyncio.Event()
    offered.tale.model.enqueue([call("tag", name="at the door")], [go, "Yes?"])
    performance = await offered.tale.begin("Hello?")
    events = listening(offered, performance=performance.id)
    shown = part(await anext(events), "#uses")
    assert shown and lines(shown) == ["The model tagged a place “at the door”."]
    assert not shown.select("a, button"), "nothing can be undone before it is written"
    go.set()
    rest = [event async for event in events]
    settled = part(rest[-1], f"#below-{performance.performing.parent_id}")
    assert settled and lines(settled) == ["The model tagged a place “at the door”. Go there"]


async def test_a_page_that_shows_the_way_that_was_left_asks_anew(offered: Reader) -> None:
    await digress(offered)
    performance = await offered.tale.begin("Back upstairs.")
    assert performance.heard
    events = [event async for event in listening(offered, leaf=performance.heard.id, performance=performance.id)]
    assert events[-1].event == "redraw"
    assert "The stairs" not in "".join(event.raw_data or "" for event in events)


async def test_a_page_drawn_after_a_checkout_hears_the_reply_from_its_new_beginning(offered: Reader) -> None:
    tale, go = offered.tale, asyncio.Event()
    await tag(tale.resources, tale.id, "before", await tale.leaf())
    await tale.say("Let us search the cellar.", reply="Dust.")
    tale.model.enqueue(["Half a thought", check_out("before")], ["The stairs", go, " creak."])
    performance = await tale.begin("Back upstairs.")
    await tale.model.until_asked(3)
    shown = await offered.read()
    assert texts(shown)[:2] == ["Good evening.", "Back upstairs."]
    assert shown.select(".filed"), "the line is there while the reply is written"
    helm = shown.select_one("#helm")
    assert helm and helm["data-performance"] == performance.id
    events = listening(offered, leaf=leaf_of(shown), performance=performance.id)
    first = await anext(events)
    tail = part(first, "#tail")
    assert tail and tail.get_text(strip=True) == "The stairs"
    go.set()
    rest = [event async for event in events]
    assert "Half a thought" not in "".join(event.raw_data or "" for event in (first, *rest))
    place = part(rest[-1], f"#below-{performance.performing.parent_id}")
    assert place and texts(place) == ["The stairs creak."]


async def test_another_process_hears_of_uses_and_of_the_new_place(offered: Reader) -> None:
    tale, go = offered.tale, asyncio.Event()
    await tag(tale.resources, tale.id, "before", await tale.leaf())
    await tale.say("Let us search the cellar.", reply="Dust.")
    held = asyncio.Event()
    tale.model.enqueue([held, call("log")], [check_out("before")], [go, "The stairs creak."])
    performance = await tale.begin("Back upstairs.")
    from_elsewhere = await overheard(offered)
    held.set()
    await tale.model.until_asked(4)
    told = [await anext(from_elsewhere) for _ in range(3)]
    assert [type(one).__name__ for one in told] == ["Used", "Used", "Turned"]
    go.set()
    await performance.ended()


async def overheard(reader: Reader) -> AsyncIterator[Told]:
    performing = await reader.tale.resources.database.read(load_performing, reader.tale.id)
    assert performing
    return Overheard(reader.tale.resources.database, performing).listen()


async def test_however_quick_the_model_is_no_page_mixes_two_ways(offered: Reader) -> None:
    await digress(offered)
    answer = parts(await offered.act("turns", text="Back upstairs."))
    shown = leaf_of(answer[".leaf"])
    performance = begun_in(answer)
    if "#story" in answer:
        assert "Dust." not in texts(answer["#story"])
    else:
        events = [event async for event in listening(offered, leaf=shown, performance=performance)]
        assert events[-1].event == "redraw"
    await offered.settle()
    assert texts(await offered.read()) == ["Good evening.", "Back upstairs.", "The stairs creak."]


def begun_in(answer: dict[str, BeautifulSoup]) -> str:
    helm = answer["#helm"].select_one("#helm")
    assert helm
    return str(helm["data-performance"])


# --- what the lines are made of


def test_lines_are_made_of_what_can_be_read() -> None:
    told = [
        {"tool": TAG, "name": "a", "entry_id": "1"},
        {"tool": TAG, "name": "no entry"},
        {"tool": LOG},
        {"tool": CHECKOUT, "entry_id": "2"},
        {"tool": "something_new"},
        {"name": 3},
        "nothing",
    ]
    assert use_lines(uses_of(told), {"a": EntryId("1")}) == (
        UseLine(kind="tag", name="a", entry_id=EntryId("1"), stands=True),
        UseLine(kind="log"),
    )
    assert uses_of(None) == uses_of({"tool": LOG}) == ()
    moved = [Use(tool=TAG, name="a", entry_id=EntryId("1"))]
    assert not use_lines(moved, {"a": EntryId("9")})[0].stands
