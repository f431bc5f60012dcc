"""An evening of saves in a real browser: save, go on, load, another way, save, look at the picture, and return."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.conftest import Visit
from tests.e2e.evening import Evening
from tests.e2e.house import House, faults, overflow, shoot
from tests.e2e.prompter import Prompter
from tests.e2e.saved import save_often


def save(evening: Evening, name: str) -> None:
    evening.words.fill(f"/save {name}")
    evening.words.press("Enter")
    expect(evening.page.locator(".toast").last).to_contain_text(f"“{name}”")
    expect(evening.words).to_have_value("")


def take_this_way(page: Page) -> None:
    expect(page.locator("#leave")).to_be_visible()
    page.locator("#leave").get_by_role("button", name="Take this way").click()


def test_an_evening_of_saves_and_the_way_back(evening: Evening) -> None:
    page = evening.page
    evening.say("Hello?")
    save(evening, "At the door")
    evening.say("Who are you?")
    save(evening, "Her name")

    page.goto(f"{evening.address}/lines")
    page.locator(".halt", has_text="At the door").click()
    expect(page.locator("#leave")).to_contain_text("1 turn")
    take_this_way(page)
    page.wait_for_url(re.compile(r"/stories/\w+#composer"))
    evening.expect_texts("Good evening.", "Hello?", "Reply 1.")

    evening.say("I leave.")
    save(evening, "In the rain")
    page.goto(f"{evening.address}/lines")
    expect(page.locator(".halt-name")).to_have_text(["At the door", "Her name", "In the rain"])
    expect(page.locator(".line-name")).to_have_count(2)
    expect(page.locator('.halt[aria-current="location"]')).to_contain_text("In the rain")

    page.locator(".halt", has_text="Her name").hover()
    expect(page.locator("#look")).to_contain_text("Reply 2.")
    page.locator("#look").get_by_role("link", name="Go back here").click()
    page.locator("#leave").get_by_text("In my own words").click()
    page.locator("#leave textarea").fill("It rained out there.")
    take_this_way(page)
    page.wait_for_url(re.compile(r"/stories/\w+#composer"))
    evening.expect_texts("Good evening.", "Hello?", "Reply 1.", "Who are you?", "Reply 2.")

    expect(page.locator(".left-note")).to_contain_text("It rained out there.")
    page.locator(".left-note").get_by_role("link", name="Return there").click()
    take_this_way(page)
    evening.expect_texts("Good evening.", "Hello?", "Reply 1.", "I leave.", "Reply 3.")


def test_a_jump_is_taken_back_and_made_again_by_key(evening: Evening) -> None:
    page = evening.page
    evening.say("Hello?")
    save(evening, "At the door")
    evening.say("Who are you?")
    back, again = page.get_by_role("button", name="Take back the last move"), page.get_by_role("button", name="Make it")
    expect(back).to_be_disabled()
    page.locator("#tab-lines").click()
    page.locator(".latest-save", has_text="At the door").click()
    take_this_way(page)
    evening.expect_texts("Good evening.", "Hello?", "Reply 1.")
    expect(page.locator("#leave")).to_be_hidden()
    expect(again).to_be_disabled()
    page.keyboard.press("Alt+ArrowLeft")
    evening.expect_texts("Good evening.", "Hello?", "Reply 1.", "Who are you?", "Reply 2.")
    expect(back).to_be_disabled()
    again.click()
    evening.expect_texts("Good evening.", "Hello?", "Reply 1.")
    expect(again).to_be_disabled()
    page.keyboard.press("Alt+ArrowLeft")
    evening.expect_texts("Good evening.", "Hello?", "Reply 1.", "Who are you?", "Reply 2.")
    page.keyboard.press("Alt+ArrowRight")
    evening.expect_texts("Good evening.", "Hello?", "Reply 1.")
    assert evening.page.url.endswith(evening.address) or "#" in evening.page.url


def test_keys_save_and_load_quickly_and_the_draft_stays(evening: Evening) -> None:
    page = evening.page
    evening.say("Hello?")
    evening.words.fill("half a thought")
    page.locator(".story").click()
    page.keyboard.press("s")
    expect(page.locator(".save-mark")).to_have_count(1)
    expect(evening.words).to_have_value("half a thought")
    evening.words.fill("")
    evening.say("Who are you?")
    page.locator(".speech").last.click()
    page.keyboard.press("l")
    evening.expect_texts("Good evening.", "Hello?", "Reply 1.")


def test_nobody_goes_anywhere_while_a_reply_is_written(evening: Evening, prompter: Prompter) -> None:
    page = evening.page
    evening.say("Hello?")
    save(evening, "At the door")
    prompter.hold()
    evening.begin("Who are you?")
    prompter.say("She")
    evening.expect_performing()
    page.locator("#tab-lines").click()
    page.locator(".latest-save", has_text="At the door").click()
    take_this_way(page)
    expect(page.locator(".toast").last).to_contain_text("A reply is being written right now.")
    expect(page.locator("#leave")).to_be_visible()
    page.keyboard.press("Escape")
    prompter.end()
    evening.expect_idle()
    evening.expect_texts("Good evening.", "Hello?", "Reply 1.", "Who are you?", "She")


def test_two_ways_are_compared_and_one_is_taken(evening: Evening) -> None:
    page = evening.page
    evening.say("Hello?")
    save(evening, "At the door")
    evening.say("Who are you?")
    page.goto(f"{evening.address}/tree")
    page.locator(".box").first.hover()
    evening.page.goto(f"{evening.address}/lines")
    page.locator(".halt", has_text="At the door").hover()
    page.locator("#look").get_by_role("link", name="Compare with where you are").click()
    expect(page.locator(".side-of").first).to_contain_text("Nothing has been said here since.")
    expect(page.locator(".side-of").last).to_contain_text("Who are you?")
    page.get_by_role("link", name="Go back here").first.click()
    take_this_way(page)
    page.wait_for_url(re.compile(r"#composer"))
    evening.expect_texts("Good evening.", "Hello?", "Reply 1.")


def test_the_picture_zooms_and_is_walked_by_keys(visit: Visit, house: House) -> None:
    page = visit(f"/stories/{save_often(house, 30)}/lines")
    picture = page.locator(".metro")
    page.locator(".halt.here").focus()
    page.keyboard.press("ArrowUp")
    expect(page.locator(".halt:focus")).to_have_count(1)
    expect(page.locator(".halt.here:focus")).to_have_count(0)
    expect(page.locator("#seen")).to_be_visible()
    natural = picture.bounding_box()
    page.keyboard.press("0")
    fitted = picture.bounding_box()
    assert natural is not None
    assert fitted is not None
    assert fitted["width"] < natural["width"]
    expect(page.locator(".halt-more").first).to_be_visible()
    page.keyboard.press("-")
    page.keyboard.press("-")
    expect(page.locator(".halt-more").first).to_be_hidden()
    page.keyboard.press("h")
    expect(page.locator(".halt.here .halt-name")).to_be_in_viewport()


def test_a_finger_looks_first_and_goes_from_there(visit: Visit, house: House) -> None:
    page = visit(f"/stories/{save_often(house, 3)}/lines", phone=True)
    page.locator(".halt").first.tap()
    expect(page.locator("#seen")).to_be_visible()
    expect(page.locator("#leave")).to_be_hidden()
    page.get_by_role("link", name="Go back here").tap()
    expect(page.locator("#leave")).to_be_visible()


def test_without_scripts_one_saves_and_goes_back(visit: Visit, house: House) -> None:
    story_id = save_often(house, 3)
    page = visit(f"/stories/{story_id}/lines", script=False)
    page.locator(".halt").first.click()
    page.get_by_role("link", name="Go back here").click()
    page.get_by_role("button", name="Take this way").click()
    expect(page).to_have_url(re.compile(rf"/stories/{story_id}#composer"))
    page.goto(f"/stories/{story_id}/lines")
    page.get_by_label("Save where you are").fill("By hand")
    page.get_by_role("button", name="Save").click()
    expect(page.locator("#seen-name")).to_have_text("By hand")


@pytest.mark.parametrize("count", [3, 30, 300])
def test_pictures_of_few_and_of_many_saves(visit: Visit, house: House, count: int) -> None:
    story_id = save_often(house, count)
    for phone in (False, True):
        for dark in (False, True):
            page = visit(f"/stories/{story_id}/lines", phone=phone, dark=dark, language="en" if dark else "zh")
            name = f"lines-{count}-{'phone' if phone else 'desktop'}-{'dark' if dark else 'light'}"
            shoot(page, name)
            assert overflow(page) == 0
            assert faults(page) == []
            page.keyboard.press("0")
            settle(page)
            shoot(page, f"{name}-whole")
            assert faults(page) == []


def settle(page: Page) -> None:
    """Names are given their places in the frame after a change of size."""
    page.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")


#: Names that can be seen, and which of them cover another one or a station. Where the reader is, is always told.
COVERING = """() => {
  const inner = (one) => {
    const box = one.getBoundingClientRect();
    return {one, left: box.left, right: box.right, top: box.top + 2, bottom: box.bottom - 2};
  };
  const meet = (a, b) => a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
  const isSeen = (text) => getComputedStyle(text).display !== "none";
  const names = [...document.querySelectorAll(".metro text")].filter(isSeen).map(inner);
  const marks = [...document.querySelectorAll(".metro .mark")].map(inner);
  const covers = (name) => names.some((other) => other !== name && meet(name, other)) ||
    !name.one.closest(".here") && marks.some((mark) => meet(name, mark));
  return {seen: names.length, covering: names.filter(covers).map((name) => name.one.textContent)};
}"""


@pytest.mark.parametrize("phone", [False, True])
def test_names_seen_from_far_away_cover_neither_stations_nor_each_other(
    visit: Visit, house: House, phone: bool
) -> None:
    page = visit(f"/stories/{save_often(house, 300)}/lines", phone=phone)
    page.keyboard.press("0")
    seen = []
    for _ in range(6):
        settle(page)
        found = page.evaluate(COVERING)
        assert found["covering"] == []
        seen.append(found["seen"])
        page.keyboard.press("+")
    assert 1 <= seen[0] < seen[-1]
    for _ in range(8):
        page.keyboard.press("+")
    settle(page)
    expect(page.locator(".metro [data-room]")).to_have_count(0)
    expect(page.locator(".metro text[transform]")).to_have_count(0)


@pytest.mark.parametrize("name", ["tree", "lines?view=list", "log", "tree?query=她", "tree?only=saves"])
def test_pages_of_a_whole_story_are_for_everybody(visit: Visit, house: House, name: str) -> None:
    story_id = save_often(house, 30)
    for phone in (False, True):
        page = visit(f"/stories/{story_id}/{name}", phone=phone, dark=phone, language="en" if phone else "zh")
        assert faults(page) == []
        assert overflow(page) == 0
        shoot(page, f"whole-{re.sub(r'[^a-z]+', '-', name).strip('-')}-{'phone' if phone else 'desktop'}")
