"""What is done with characters: several files at once, the editor, copies, files, and deleting with a way back."""

from __future__ import annotations

import json

import httpx

from liyuan.play.card_files import default_picture, read_card_file
from tests.tale import card
from tests.web.browser import Browser, page

ASH = card("Ash", ("One.", "Two.", "Three."), extensions={"other/app": 3}, unknown=["kept"])


def file(raw: object, name: str = "a.json") -> tuple[str, tuple[str, bytes]]:
    return "files", (name, raw if isinstance(raw, bytes) else json.dumps(raw).encode())


async def bring_in(browser: Browser, raw: object = ASH) -> str:
    answer = await browser.act("/characters/import", files=[file(raw)])
    return str(page(answer).select_one(".arrival a")["href"])  # type: ignore[index]


def editor(answer: httpx.Response) -> dict[str, object]:
    """The fields of the editor as a browser would send them."""
    form = page(answer).select_one("form.playbill")
    assert form is not None
    fields: dict[str, object] = {one["name"]: one.get("value", "") for one in form.select("input:not([type=file])")}
    for area in form.select("textarea"):
        text = area.text.removeprefix("\n")
        if area["name"] == "alternate_greetings":
            fields.setdefault("alternate_greetings", []).append(text)  # type: ignore[union-attr, attr-defined]
        else:
            fields[str(area["name"])] = text
    return fields


def greetings(answer: httpx.Response) -> list[str]:
    fields = editor(answer)
    return list(fields.get("alternate_greetings", []))  # type: ignore[call-overload, no-any-return]


async def test_several_files_come_in_and_a_bad_one_does_not_stop_the_others(browser: Browser) -> None:
    files = [file(card("Ash")), file(b"no card", "<b>.txt"), file({"description": "?"}, "Ember.json")]
    answer = await browser.act("/characters/import", files=files)
    arrivals = page(answer).select(".arrival")
    assert ["trouble" in one["class"] for one in arrivals] == [False, True, False]
    assert arrivals[1].b.text == "<b>.txt"
    assert arrivals[2].select(".oddities li")
    assert answer.headers["HX-Trigger"] == "characters-changed"


async def test_without_scripts_the_whole_page_tells_what_came_in(browser: Browser) -> None:
    answer = await browser.send("/characters/import", files=[file(card("Ash"))])
    assert page(answer).select_one("h1") is not None
    assert "Ash" in page(answer).select_one(".arrival").text  # type: ignore[union-attr]
    none = await browser.send("/characters/import", files=[("files", ("", b""))])
    assert page(none).select_one(".arrival") is None


async def test_notes_are_told_in_the_persons_language(browser: Browser) -> None:
    answer = await browser.act("/characters/import", files=[file({"description": "?"})], **{"Accept-Language": "zh"})
    assert "开场白" in page(answer).select_one(".oddities").text  # type: ignore[union-attr]


async def test_saving_the_editor_unchanged_leaves_the_card_as_it_was(browser: Browser) -> None:
    address = await bring_in(browser)
    before = (await browser.read(f"{address}/export?format=json")).content
    kept = await browser.send(f"{address}/edit", editor(await browser.read(f"{address}/edit")))
    assert kept.headers["location"] == f"{address}?told=kept"
    assert (await browser.read(f"{address}/export?format=json")).content == before


async def test_an_edit_is_kept_and_what_is_unknown_stays(browser: Browser) -> None:
    address = await bring_in(browser)
    fields = editor(await browser.read(f"{address}/edit"))
    await browser.send(f"{address}/edit", {**fields, "name": "Ember", "scenario": "\nAn inn.", "tags": "rain，night"})
    back, _, _ = read_card_file((await browser.read(f"{address}/export")).content)
    assert (back.name, back.scenario, back.tags) == ("Ember", "\nAn inn.", ("rain", "night"))
    assert back.raw["data"]["unknown"] == ["kept"]
    assert editor(await browser.read(f"{address}/edit"))["scenario"] == "\nAn inn."


async def test_greetings_are_rearranged_before_they_are_kept(browser: Browser) -> None:
    address = await bring_in(browser)
    fields = editor(await browser.read(f"{address}/edit"))
    moved = await browser.send(f"{address}/edit", {**fields, "act": "up-1", "name": "Not yet"})
    assert greetings(moved) == ["Three.", "Two."]
    assert editor(moved)["name"] == "Not yet"
    assert greetings(await browser.read(f"{address}/edit")) == ["Two.", "Three."]
    added = await browser.act(f"{address}/edit", {**editor(moved), "act": "add"})
    assert greetings(added) == ["Three.", "Two.", ""]
    assert page(added).select("textarea[autofocus]")[0].text.strip() == ""


async def test_an_edit_from_an_old_page_does_not_put_a_newer_one_aside_unseen(browser: Browser) -> None:
    address = await bring_in(browser)
    old = editor(await browser.read(f"{address}/edit"))
    await browser.send(f"{address}/edit", {**old, "scenario": "Newer."})
    refused = await browser.send(f"{address}/edit", {**old, "scenario": "Mine."})
    assert refused.status_code == 409
    assert editor(refused)["scenario"] == "Mine."
    assert (await browser.send(f"{address}/edit", editor(refused))).status_code == 303


async def test_a_bad_picture_keeps_what_was_typed_on_the_page(browser: Browser) -> None:
    address = await bring_in(browser)
    fields = editor(await browser.read(f"{address}/edit"))
    bad = {"picture": ("x.svg", b"<svg onload='alert(1)'/>")}
    answer = await browser.send(f"{address}/edit", {**fields, "scenario": "Typed."}, files=bad)
    assert answer.status_code == 422
    assert page(answer).select_one("[role=alert]") is not None
    assert editor(answer)["scenario"] == "Typed."


async def test_a_character_is_written_from_nothing_with_a_picture(browser: Browser) -> None:
    fields = editor(await browser.read("/characters/new"))
    picture = {"picture": ("p.png", default_picture("Mist"))}
    answer = await browser.send("/characters/new", {**fields, "name": "Mist", "first_message": "Hm."}, files=picture)
    shown = page(await browser.read(answer.headers["location"]))
    assert shown.find("h1").text == "Mist"
    image = str(shown.select_one("img.poster-picture")["src"])  # type: ignore[index]
    assert (await browser.read(image)).headers["content-type"] == "image/webp"


async def test_a_copy_opens_with_a_word(browser: Browser) -> None:
    address = await bring_in(browser)
    copied = (await browser.send(f"{address}/copy")).headers["location"]
    assert not copied.startswith(address)
    assert page(await browser.read(copied)).select_one(".toast") is not None


async def test_files_have_names_that_say_whose_they_are(browser: Browser) -> None:
    address = await bring_in(browser, card("青梧"))
    png = await browser.read(f"{address}/export?format=png")
    assert png.headers["content-type"] == "image/png"
    assert png.headers["content-disposition"] == "attachment; filename*=UTF-8''%E9%9D%92%E6%A2%A7.png"
    assert (await browser.read(f"{address}/export?format=exe")).status_code == 422


async def test_a_deleted_character_is_brought_back_by_the_toast(browser: Browser) -> None:
    address = await bring_in(browser)
    gone = await browser.send(f"{address}/delete")
    undo = page(await browser.read(gone.headers["location"])).select_one("form.toast")
    assert undo is not None and undo["action"] == f"{address}/undelete"
    assert (await browser.read(address)).status_code == 404
    assert "characters-changed" in (await browser.act(f"{address}/undelete")).headers["HX-Trigger"]
    assert (await browser.read(address)).status_code == 200
