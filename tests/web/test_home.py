"""The home page: what stands on it, and what can be done from it with scripts and without."""

from __future__ import annotations

import json
import re

import httpx

from liyuan.play.samples_seed import SAMPLES
from tests.web.browser import Browser, page


async def welcomed(browser: Browser) -> str:
    """Opens the home page for the first time; gives the address of the story it led to."""
    return (await browser.read("/")).headers["location"]


async def begin(browser: Browser, **fields: str) -> str:
    answer = await browser.send("/stories", fields)
    assert answer.status_code == 303
    return str(answer.headers["location"])


def titles(answer: httpx.Response) -> list[str]:
    return [title.text for title in page(answer).select(".story-title")]


async def test_the_first_visit_leads_to_a_story_and_the_second_to_the_home_page(browser: Browser) -> None:
    first = await browser.read("/", **{"Accept-Language": "zh-CN,zh;q=0.9"})
    assert first.status_code == 303
    assert re.fullmatch(r"/stories/[0-9a-f]{24}", first.headers["location"])
    second = await browser.read("/")
    assert second.status_code == 200
    assert titles(second) == ["青梧"]
    assert {poster.text for poster in page(second).select(".poster-name")} == {"青梧", "Ottoline Pell"}
    assert len(SAMPLES) == 2


async def test_a_story_shows_its_last_line_its_turns_and_when(browser: Browser) -> None:
    await welcomed(browser)
    line = page(await browser.read("/")).select_one(".story-line")
    assert line is not None
    assert "The pier is longer in the dark." in line.select_one(".story-last").text  # type: ignore[union-attr]
    assert "0 turns" in line.text
    assert line.select_one("time")["datetime"].endswith("Z")  # type: ignore[index, union-attr]


async def test_a_search_finds_words_in_the_text_and_shows_where(browser: Browser) -> None:
    await welcomed(browser)
    found = page(await browser.read("/?query=ROW F"))
    assert found.select_one(".story-last mark").text == "row F"  # type: ignore[union-attr]
    nothing = await browser.read("/?query=<b>zzz</b>")
    assert titles(nothing) == []
    assert "<b>zzz</b>" not in nothing.text


async def test_a_story_is_renamed_in_place_and_without_scripts(browser: Browser) -> None:
    address = await welcomed(browser)
    asked = await browser.read(f"{address}/name", **{"HX-Request": "true"})
    assert page(asked).select_one("input[name=title]")["value"] == "Ottoline Pell"  # type: ignore[index]
    assert page(asked).find("html") is None
    line = await browser.act(f"{address}/name", {"title": "The <Pier>"})
    assert titles(line) == ["The <Pier>"]
    assert page(await browser.read(f"{address}/name")).find("h1") is not None
    assert (await browser.send(f"{address}/name", {"title": " "})).headers["location"] == "/"
    assert titles(await browser.read("/")) == ["The <Pier>"]


async def test_giving_up_a_new_name_draws_the_line_as_it_was(browser: Browser) -> None:
    address = await welcomed(browser)
    assert titles(await browser.read(f"{address}/line")) == ["Ottoline Pell"]


async def test_a_deleted_story_can_be_brought_back_by_the_toast(browser: Browser) -> None:
    address = await welcomed(browser)
    gone = await browser.act(f"{address}/delete")
    undo = page(gone).select_one("form.toast")
    assert undo is not None and undo["action"] == f"{address}/undelete"
    assert page(gone).find("hx-partial")["hx-target"] == f"#story-{address.rpartition('/')[2]}"  # type: ignore[index]
    assert titles(await browser.read("/")) == []
    back = await browser.act(f"{address}/undelete")
    assert "stories-changed" in back.headers["HX-Trigger"]
    assert titles(await browser.read("/")) == ["Ottoline Pell"]


async def test_without_scripts_the_page_itself_carries_the_way_back(browser: Browser) -> None:
    address = await welcomed(browser)
    gone = await browser.send(f"{address}/delete")
    shown = page(await browser.read(gone.headers["location"]))
    assert shown.select_one("form.toast")["action"] == f"{address}/undelete"  # type: ignore[index]
    assert (await browser.send(f"{address}/undelete")).headers["location"] == "/"
    assert titles(await browser.read("/")) == ["Ottoline Pell"]


async def test_more_stories_than_a_page_holds_come_in_pages(browser: Browser) -> None:
    await welcomed(browser)
    for number in range(24):
        await begin(browser, title=f"Story {number}")
    first = page(await browser.read("/"))
    assert len(first.select(".story-line")) == 20
    more = first.select_one(".more a")["href"]  # type: ignore[index]
    rest = page(await browser.read(str(more), **{"HX-Request": "true"}))
    assert [len(rest.select(".story-line")), rest.select_one(".more")] == [5, None]
    assert (await browser.read(str(more))).headers["location"] == "/"


async def test_a_new_story_can_choose_its_greeting(browser: Browser) -> None:
    raw = {"spec": "chara_card_v3", "data": {"name": "Ash", "first_mes": "One.", "alternate_greetings": ["Two."]}}
    await browser.send("/characters/import", files={"files": ("a.json", json.dumps(raw), "application/json")})
    character = page(await browser.read("/characters?query=Ash")).select_one(".poster-way")["href"]  # type: ignore[index]
    await begin(browser, card_id=str(character).rpartition("/")[2], greeting="1")
    assert "Two." in page(await browser.read("/")).select_one(".story-last").text  # type: ignore[union-attr]


async def test_a_story_with_nobody_known_is_told(browser: Browser) -> None:
    assert (await browser.send("/stories", {"card_id": "nobody"})).status_code == 404


async def test_the_understudy_is_named_until_a_model_is_connected(browser: Browser) -> None:
    await welcomed(browser)
    assert page(await browser.read("/")).select_one(".understudy a")["href"] == "/connections"  # type: ignore[index]
