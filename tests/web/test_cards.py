"""The pages of the characters show what a card says, and run nothing of it."""

from __future__ import annotations

import json

from fastapi import FastAPI

from liyuan.store.library import add_card
from tests.tale import card
from tests.web.browser import Browser, page


async def bring_in(browser: Browser, raw: dict[str, object]) -> str:
    """Brings a character in; gives the address of its page."""
    answer = await browser.act("/characters/import", files={"files": ("a.json", json.dumps(raw))})
    return str(page(answer).select_one(".arrival a")["href"])  # type: ignore[index]


async def test_a_character_shows_its_words_with_the_names_filled_in(browser: Browser) -> None:
    address = await bring_in(browser, card("Ash", ("{{char}} nods to {{user}}.", "Again."), tags=["inn"]))
    shown = page(await browser.read(address))
    assert shown.find("h1").text == "Ash"
    assert "Ash nods to Traveller." in shown.select_one(".greeting .prose").text  # type: ignore[union-attr]
    assert [tag.text for tag in shown.select(".tags li")] == ["inn"]


async def test_foreign_html_is_shown_and_never_run(browser: Browser) -> None:
    evil = "<script>alert(1)</script><img src=x onerror=alert(1)><a href='javascript:alert(1)'>x</a>"
    raw = card("<script>Ash</script>", (evil,), description=evil, creator_notes=evil, personality=evil, creator=evil)
    shown = page(await browser.read(await bring_in(browser, raw)))
    assert [script for script in shown.find_all("script") if not script.get("src")] == []
    assert [tag for tag in shown.find_all(True) if any(name.startswith("on") for name in tag.attrs)] == []
    assert [link for link in shown.find_all("a") if str(link.get("href")).startswith("javascript")] == []


async def test_each_greeting_can_begin_a_story(browser: Browser) -> None:
    address = await bring_in(browser, card("Ash", ("One.", "Two.")))
    forms = page(await browser.read(address)).select(".greeting form")
    assert [form.select_one("[name=greeting]")["value"] for form in forms] == ["0", "1"]  # type: ignore[index]


async def test_where_nothing_is_to_be_chosen_a_story_begins_at_once(browser: Browser) -> None:
    one, two = await bring_in(browser, card("Ash")), await bring_in(browser, card("Ember", ("One.", "Two.")))
    assert page(await browser.read(one)).select_one(".playbill-side form[action='/stories']") is not None
    assert page(await browser.read(two)).select_one(f"a[href='{two}/play']") is not None


async def test_a_story_can_begin_as_any_of_ones_own_characters(browser: Browser) -> None:
    address = await bring_in(browser, card("Ash"))
    for name in ("Mara", "Lin"):
        await browser.send("/personas/new", {"name": name})
    roles = page(await browser.read(f"{address}/play")).select(".role")
    assert [role.text.strip().split()[-1] for role in roles] == ["Mara", "Lin"]
    assert [role.select_one("input").has_attr("checked") for role in roles] == [True, False]  # type: ignore[union-attr]


async def test_characters_are_found_by_name(browser: Browser) -> None:
    await bring_in(browser, card("Ash"))
    found = page(await browser.read("/characters?query=as"))
    assert [name.text for name in found.select(".poster-name")] == ["Ash"]
    assert page(await browser.read("/characters?query=zzz")).select_one(".empty") is not None


async def test_more_characters_than_a_page_holds_come_in_pages(browser: Browser, open_app: FastAPI) -> None:
    resources = open_app.state.resources
    for number in range(60):
        await resources.database.write(add_card, f"Ash {number:02}", card(f"Ash {number:02}"))
    first = page(await browser.read("/characters?query=ash"))
    rest = page(await browser.read(str(first.select_one(".more a")["href"])))  # type: ignore[index]
    shown = [name.text for part in (first, rest) for name in part.select(".poster-name")]
    assert (len(first.select(".poster")), len(set(shown)), rest.select_one(".more")) == (48, 60, None)


async def test_a_character_that_is_not_there_is_told(browser: Browser) -> None:
    assert (await browser.read("/characters/nobody")).status_code == 404
