"""At the desk: characters come in, are written and go out; stories are found, renamed, deleted and brought back."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from liyuan.domain.card import parse_card
from liyuan.play.card_files import default_picture, read_card_file, write_card_png
from liyuan.store.conversations import create
from liyuan.store.library import add_card
from tests.e2e.conftest import Visit
from tests.e2e.house import House, faults, overflow, shoot
from tests.tale import card

pytestmark = pytest.mark.e2e

DROP = """([files]) => {
  const carried = new DataTransfer();
  for (const [name, text] of files) carried.items.add(new File([text], name));
  return carried;
}"""


def json_file(name: str, raw: dict[str, Any]) -> dict[str, Any]:
    return {"name": name, "mimeType": "application/json", "buffer": json.dumps(raw).encode()}


def png_file(name: str, raw: dict[str, Any]) -> dict[str, Any]:
    png = write_card_png(parse_card(raw)[0], default_picture(name))
    return {"name": f"{name}.png", "mimeType": "image/png", "buffer": png}


def home(visit: Visit, **how: Any) -> Page:
    """The home page, after the welcome that led to a story."""
    page = visit("/", **how)
    expect(page).to_have_url(re.compile("/stories/"))
    page.goto("/")
    return page


def line(page: Page, title: str) -> Any:
    return page.locator(".story-line", has_text=title)


def test_the_first_minute_is_a_character_already_greeting(visit: Visit) -> None:
    page = visit("/", language="zh")
    expect(page.locator("#story")).to_contain_text("门轴响的时候")


def test_files_are_picked_and_dropped_and_what_was_odd_is_told(visit: Visit) -> None:
    page = visit("/characters")
    page.locator("#files").set_input_files([png_file("Ash", card("Ash")), json_file("b.json", {"name": "Ember"})])
    expect(page.locator(".arrival")).to_have_count(2)
    expect(page.locator(".arrival", has_text="Ember")).to_contain_text("no greeting")
    expect(page.locator(".poster-name", has_text="Ash")).to_be_visible()
    carried = page.evaluate_handle(DROP, [[["mist.json", json.dumps(card("Mist"))], ["bad.txt", "nothing"]]])
    page.dispatch_event("body", "dragenter", {"dataTransfer": carried})
    expect(page.locator(".drop-veil")).to_be_visible()
    shoot(page, "characters-drop")
    page.dispatch_event("body", "drop", {"dataTransfer": carried})
    expect(page.locator(".arrival.trouble")).to_contain_text("bad.txt")
    expect(page.locator(".poster-name").first).to_have_text("Mist")
    expect(page.locator(".drop-veil")).to_be_hidden()


def test_a_character_is_edited_with_its_greetings_in_a_new_order(visit: Visit) -> None:
    page = visit("/characters")
    page.locator("#files").set_input_files([json_file("a.json", card("Ash", unknown=[1]))])
    page.get_by_role("link", name="Ash", exact=True).first.click()
    page.get_by_role("link", name="Edit").click()
    for words in ("Second.", "Third."):
        page.get_by_role("button", name="Another greeting").click()
        expect(page.locator("textarea[name=alternate_greetings]").last).to_be_focused()
        page.keyboard.type(words)
    page.get_by_role("button", name="Earlier").nth(1).click()
    expect(page.get_by_label("Greeting 2")).to_have_value("Third.")
    page.get_by_label("Who it is").fill("{{char}} keeps an inn.\n\nIt rains.")
    page.get_by_label("Name", exact=True).press("Enter")
    expect(page.locator(".toast")).to_have_text("Kept.")
    expect(page.locator(".playbill-words")).to_contain_text("Ash keeps an inn.")
    expect(page.locator(".greeting summary")).to_have_count(3)
    with page.expect_download() as download:
        page.get_by_role("link", name="Download as PNG").click()
    assert download.value.suggested_filename == "Ash.png"
    back, _, _ = read_card_file(download.value.path().read_bytes())
    assert back.greetings == ("Good evening.", "Third.", "Second.")
    assert back.description == "{{char}} keeps an inn.\n\nIt rains."
    assert back.raw["data"]["unknown"] == [1]


def test_leaving_the_editor_with_unsaved_words_asks_first(visit: Visit) -> None:
    page = visit("/characters/new")
    page.get_by_label("Name", exact=True).fill("Ash")
    asked: list[str] = []
    page.once("dialog", lambda dialog: (asked.append(dialog.type), dialog.accept()))
    page.get_by_role("link", name="Settings").click()
    expect(page).to_have_url(re.compile("/settings$"))
    assert asked == ["beforeunload"]


def test_a_story_is_renamed_where_it_stands(visit: Visit) -> None:
    page = home(visit)
    line(page, "Ottoline Pell").get_by_role("link", name="Rename").click()
    field = page.get_by_label("Title of the story")
    expect(field).to_be_focused()
    field.fill("Never mind")
    field.press("Escape")
    expect(line(page, "Ottoline Pell")).to_be_visible()
    line(page, "Ottoline Pell").get_by_role("link", name="Rename").click()
    field.fill("The Halcyon")
    field.press("Enter")
    expect(line(page, "The Halcyon")).to_be_visible()


def test_a_search_goes_as_one_types_and_shows_where_the_words_stand(visit: Visit) -> None:
    page = home(visit)
    page.keyboard.press("/")
    page.keyboard.type("row f")
    expect(page.locator(".story-last mark")).to_have_text("row F")
    page.keyboard.type(" nowhere")
    expect(page.locator(".story-list")).to_contain_text("No story has")
    expect(page.get_by_role("searchbox")).to_be_focused()
    page.reload()
    expect(page.get_by_role("searchbox")).to_have_value("row f nowhere")


def test_a_deleted_story_is_brought_back(visit: Visit) -> None:
    page = home(visit)
    line(page, "Ottoline Pell").get_by_role("button", name="Delete").click()
    expect(page.locator(".story-line")).to_have_count(0)
    shoot(page, "home-deleted")
    page.get_by_role("button", name="Undo").click()
    expect(line(page, "Ottoline Pell")).to_be_visible()
    expect(page.locator(".toast")).to_have_count(0)


def test_everything_on_the_home_page_is_reached_by_keys(visit: Visit) -> None:
    page = home(visit)
    reached = set()
    for _ in range(40):
        page.keyboard.press("Tab")
        reached.add(
            page.evaluate("document.activeElement.getAttribute('aria-label') ?? document.activeElement.innerText")
        )
    assert {"Rename “Ottoline Pell”", "Delete “Ottoline Pell”", "Play with 青梧"} <= reached


def test_more_come_as_one_scrolls(visit: Visit, house: House) -> None:
    page = home(visit)
    with house.app.state.resources.database.writing_now() as connection:
        for number in range(60):
            add_card(connection, f"Ash {number}", card(f"Ash {number}"))
            create(connection, title=f"Story {number}")
    for path, shown, total in (("/characters?query=Ash", ".poster", 60), ("/?query=Story", ".story-line", 60)):
        page.goto(path)
        assert page.locator(shown).count() < total
        for _ in range(3):
            page.locator(shown).last.scroll_into_view_if_needed()
            page.mouse.wheel(0, 2000)
            page.wait_for_timeout(300)
        expect(page.locator(shown)).to_have_count(total)
        expect(page.locator(".more")).to_have_count(0)


def test_the_way_is_whole_without_scripts(visit: Visit) -> None:
    page = home(visit, script=False)
    page.goto("/characters")
    page.locator("#files").set_input_files([json_file("a.json", card("Ash", ("One.", "Two.")))])
    page.get_by_role("button", name="Bring in").click()
    page.locator(".arrival a").click()
    page.get_by_role("link", name="Edit").click()
    page.get_by_role("button", name="Another greeting").click()
    page.locator("textarea[name=alternate_greetings]").last.fill("Three.")
    page.get_by_role("button", name="Keep").last.click()
    page.get_by_role("link", name="Play with Ash").click()
    page.get_by_text("Three.").click()
    page.get_by_role("button", name="Begin").click()
    expect(page.locator("#story")).to_contain_text("Three.")
    page.goto("/")
    line(page, "Ash").get_by_role("button", name="Delete").click()
    page.get_by_role("button", name="Undo").click()
    expect(line(page, "Ash")).to_be_visible()


def test_who_one_is_can_be_written_and_chosen(visit: Visit) -> None:
    page = visit("/personas")
    for name in ("Mara", "Lin"):
        page.goto("/personas/new")
        page.get_by_label("Name").fill(name)
        page.get_by_label("About you").fill(f"{name}, a courier.")
        page.get_by_role("button", name="Keep").click()
    page.locator(".line", has_text="Lin").get_by_role("button", name="Be this one by default").click()
    expect(page.locator(".line", has_text="Lin").locator(".badge")).to_be_visible()
    page.goto("/characters?query=Ottoline")
    page.get_by_role("link", name="Play with Ottoline Pell").click()
    expect(page.get_by_role("radio", name="Lin", exact=True)).to_be_checked()
    page.get_by_role("radio", name="Mara", exact=True).check()
    page.get_by_role("button", name="Begin").click()
    expect(page.locator("#story")).to_contain_text("Mara")


@pytest.mark.parametrize(("phone", "dark", "language"), [(False, False, "en"), (True, True, "zh"), (False, True, "zh")])
def test_every_page_is_sound_and_fits(visit: Visit, phone: bool, dark: bool, language: str) -> None:
    page = home(visit, phone=phone, dark=dark, language=language)
    look = f"{'phone' if phone else 'desktop'}-{'dark' if dark else 'light'}-{language}"
    name = "青梧" if language == "zh" else "Ottoline Pell"
    page.goto("/personas/new")
    page.locator("#name").fill("Mara")
    page.locator(".button.primary").click()
    page.goto("/characters")
    character = page.get_by_role("link", name=name).first.get_attribute("href")
    persona = page.request.get("/personas").text().partition('href="/personas/0')[2][:23]
    found = []
    paths = {"home": "/", "characters": "/characters", "character": character, "play": f"{character}/play"}
    paths |= {"editor": f"{character}/edit", "personas": "/personas", "persona": f"/personas/0{persona}"}
    for room, path in paths.items():
        page.goto(str(path))
        shoot(page, f"{room}-{look}")
        found += [f"{room}: {fault}" for fault in faults(page)]
        assert overflow(page) == 0, room
    assert found == []
