"""The page itself: long stories, small screens, keys, readers who see or point differently, and none of the scripts."""

from __future__ import annotations

import gzip
import re

import pytest
from playwright.sync_api import Page, expect

from liyuan.assets import static_dir
from tests.e2e.conftest import Visit
from tests.e2e.evening import Evening, open_story, plant_story
from tests.e2e.house import LOOKS, House, faults, overflow, shoot
from tests.e2e.prompter import Prompter

BUDGET = 80 * 1024
ZH_GREETING = "*雨从黄昏下起，到这时还没有要停的意思。*\n\n“进来罢，”柜台后的人说，“雨夜里不问来处。”"
ZH_WORDS = "*我抖了抖伞上的水。*“可还有房？”"
ZH_REPLY = (
    "*她把怀表推过柜台，指尖在表盖上停了一停。*\n\n“客官，这东西不该在你手里。”\n\n"
    "她抬起眼来。那眼神并不凶，倒像是在灯下认一个许久不见的字。\n\n“三年前，有人把它当在我这里，说是**雨停了就来取**。”"
)
EN_GREETING = "The knocker is broken, so you use your fist.\n\n“It’s late,” says the woman with the lamp."
EN_WORDS = "I hold up the brass watch. “I think this is yours.”"
EN_REPLY = (
    "*She turned the lamp down until the glass stopped singing.* The harbour was all rope and rain.\n\n"
    "“You came about the light,” Maren said. It was not a question. “Everyone comes about the light.”\n\n"
    "“Go on, then. **Say it plainly.**”"
)


def long_story(house: House, visit: Visit, count: int) -> Evening:
    story_id = plant_story(house, [f"Message {number}. " + "It rains. " * 12 for number in range(count)])
    return Evening(visit(f"/stories/{story_id}"), story_id)


# --- long stories ----------------------------------------------------------------------------------------------------


def test_a_long_story_opens_at_its_end_with_the_last_messages(house: House, visit: Visit) -> None:
    evening = long_story(house, visit, 10_001)
    expect(evening.last).to_contain_text("Message 10000.")
    assert evening.speeches.count() == 50
    evening.expect_at_the_end()


def test_a_new_story_opens_at_its_first_line(house: House, visit: Visit) -> None:
    story_id = open_story(house, "It rains.\n\n" * 60)
    evening = Evening(visit(f"/stories/{story_id}"), story_id)
    evening.page.wait_for_timeout(200)
    assert evening.page.evaluate("scrollY") == 0


def test_earlier_messages_come_while_one_scrolls_up_and_nothing_jumps(house: House, visit: Visit) -> None:
    evening = long_story(house, visit, 121)
    page = evening.page
    page.evaluate("document.scrollingElement.scrollTop = 1600")
    marked = evening.speeches.filter(has_text="Message 79.")
    at = marked.bounding_box()
    assert evening.speeches.count() == 50
    page.evaluate("document.scrollingElement.scrollTop = 1100")
    expect(evening.speeches).to_have_count(100)
    now = marked.bounding_box()
    assert at is not None
    assert now is not None
    assert abs(now["y"] - at["y"] - 500) <= 2
    page.evaluate("document.scrollingElement.scrollTop = 300")
    expect(evening.speeches).to_have_count(121)
    expect(page.locator("#opening h2")).to_have_text("A long one")
    expect(page.locator("#earlier")).to_have_count(0)


def test_what_was_loaded_stays_when_the_story_is_drawn_anew(house: House, visit: Visit) -> None:
    evening = long_story(house, visit, 121)
    evening.page.evaluate("document.scrollingElement.scrollTop = 1000")
    expect(evening.speeches).to_have_count(100)
    evening.page.evaluate("scrollTo(0, document.body.scrollHeight)")
    evening.say("Hello?")
    evening.click("another")
    evening.expect_counter("2/2")
    evening.expect_idle()
    assert evening.speeches.count() >= 102


def test_a_reader_at_the_end_is_taken_along_and_one_who_reads_above_is_not(
    house: House, visit: Visit, prompter: Prompter
) -> None:
    evening = long_story(house, visit, 31)
    prompter.hold()
    evening.begin("Go on.")
    prompter.say("It rains.\n\n" * 30 + "Still.")
    expect(evening.last.locator("#tail")).to_have_text("Still.")
    evening.expect_at_the_end()
    evening.page.mouse.move(600, 300)
    evening.page.mouse.wheel(0, -200)
    expect(evening.page.locator("#to-end")).to_be_hidden()
    evening.until("scrollY + innerHeight < document.body.scrollHeight - 150")
    at = evening.page.evaluate("scrollY")
    prompter.say("\n\n" + "It rains.\n\n" * 60 + "And still.")
    expect(evening.last.locator("#tail")).to_have_text("And still.")
    assert evening.page.evaluate("scrollY") == at
    evening.page.get_by_role("button", name="To the end").click()
    evening.expect_at_the_end()
    prompter.say(" And on." * 200)
    expect(evening.last.locator("#tail")).to_contain_text("And on. And on.")
    evening.expect_at_the_end()
    prompter.end()
    evening.expect_idle()


# --- keys and columns ------------------------------------------------------------------------------------------------


def test_every_key_is_listed_under_the_question_mark(evening: Evening) -> None:
    evening.page.keyboard.press("Escape")
    evening.speeches.first.focus()
    evening.page.keyboard.press("?")
    dialog = evening.page.get_by_role("dialog", name="Keys and commands")
    expect(dialog).to_be_visible()
    expect(dialog).to_contain_text("/rewind n")
    evening.page.keyboard.press("Escape")
    expect(dialog).to_be_hidden()


def test_columns_fold_by_key_and_stay_folded(evening: Evening) -> None:
    page = evening.page
    evening.speeches.first.focus()
    page.keyboard.press("[")
    page.keyboard.press("]")
    expect(page.locator(".side")).to_be_hidden()
    expect(page.locator("#panel")).to_be_hidden()
    page.reload()
    expect(page.locator(".side")).to_be_hidden()
    expect(page.locator("#panel")).to_be_hidden()
    page.get_by_role("button", name="Unfold the stories").click()
    expect(page.locator(".side")).to_be_visible()


def test_the_panel_chooses_who_plays_whom(evening: Evening, prompter: Prompter) -> None:
    page = evening.page
    page.request.post(f"{page.url.split('/stories')[0]}/api/v1/personas", data={"name": "Wren", "description": ""})
    page.reload()
    evening.open_panel("story")
    with page.expect_response("**/persona"):
        page.get_by_label("You are").select_option("Wren")
    evening.say("Hello?")
    assert prompter.requests[0].user == "Wren"
    page.reload()
    expect(evening.speeches.nth(1).locator(".name")).to_have_text("Wren")


# --- a phone ---------------------------------------------------------------------------------------------------------


def test_a_long_address_in_a_field_does_not_widen_the_page(phone: Evening) -> None:
    address = "https://example.org/" + "w" * 300
    phone.words.fill(address)
    assert overflow(phone.page) == 0
    phone.say(address)
    phone.click("edit")
    phone.page.locator(".editing textarea").fill(address)
    assert overflow(phone.page) == 0


def test_a_phone_shows_one_column_and_the_panel_as_a_sheet(phone: Evening) -> None:
    page = phone.page
    phone.say("Hello?")
    assert overflow(page) == 0
    expect(page.locator(".side")).to_be_hidden()
    expect(page.get_by_role("link", name="All stories")).to_be_visible()
    page.get_by_role("link", name="About this story").click()
    sheet = page.locator("#panel")
    sheet.evaluate("sheet => Promise.all(sheet.getAnimations().map((each) => each.finished))")
    box = sheet.bounding_box()
    assert box is not None
    assert box["y"] + box["height"] == pytest.approx(844, abs=1)
    page.mouse.click(200, 60)
    expect(sheet).to_be_hidden()


def test_what_a_finger_touches_is_large_enough(phone: Evening) -> None:
    phone.say("Hello?")
    small = phone.page.evaluate(
        """() => [...document.querySelectorAll("button, a, select, input:not([type=hidden]), textarea")]
            .filter((one) => one.checkVisibility({opacityProperty: true, visibilityProperty: true}))
            .filter((one) => !one.closest("p") && !one.matches(".skip"))
            .map((one) => [one.outerHTML.slice(0, 80), one.getBoundingClientRect()])
            .filter(([, box]) => box.width > 0 && (box.height < 44 || box.width < 44))
            .map(([html, box]) => `${Math.round(box.width)}x${Math.round(box.height)} ${html}`)"""
    )
    assert small == []


# --- no scripts ------------------------------------------------------------------------------------------------------


def test_the_evening_goes_on_without_scripts(house: House, visit: Visit) -> None:
    story_id = open_story(house, "Good evening.", "It rains.")
    page = visit(f"/stories/{story_id}", script=False)
    evening = Evening(page, story_id)
    evening.words.fill("Hello?")
    page.get_by_role("button", name="Send").click()
    evening.expect_texts("Good evening.", "Hello?", "Reply 1.")
    evening.last.locator("[data-act=another]").click()
    evening.expect_texts("Good evening.", "Hello?", "Reply 2.")
    evening.last.locator("[data-act=previous]").click()
    evening.expect_texts("Good evening.", "Hello?", "Reply 1.")
    evening.last.locator("[data-act=edit]").click()
    evening.last.get_by_role("textbox").fill("A better reply.")
    evening.last.get_by_role("button", name="Keep as a branch").click()
    evening.expect_texts("Good evening.", "Hello?", "A better reply.")
    evening.last.locator("[data-act=more]").click()
    page.get_by_role("button", name="Prune it").click()
    evening.expect_texts("Good evening.", "Hello?", "Reply 2.")
    evening.words.fill("/rewind 1")
    page.get_by_role("button", name="Send").click()
    evening.expect_texts("Good evening.")


def test_a_long_story_can_be_read_upwards_without_scripts(house: House, visit: Visit) -> None:
    story_id = plant_story(house, [f"Message {number}." for number in range(80)])
    page = visit(f"/stories/{story_id}", script=False)
    page.get_by_role("link", name="Earlier").click()
    expect(page.locator(".speech").first).to_contain_text("Message 0.")
    expect(page.locator(".speech").last).to_contain_text("Message 29.")


# --- everybody -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("is_phone", "dark", "language"), LOOKS)
def test_nothing_stands_in_the_way_of_anybody(
    house: House, visit: Visit, prompter: Prompter, language: str, dark: bool, is_phone: bool
) -> None:
    """Axe finds nothing at any moment of a turn; the pictures are for people."""
    is_chinese = language == "zh"
    greeting, words, reply = (ZH_GREETING, ZH_WORDS, ZH_REPLY) if is_chinese else (EN_GREETING, EN_WORDS, EN_REPLY)
    story_id = open_story(house, greeting, title="雨夜问名" if is_chinese else "The light")
    page = visit(f"/stories/{story_id}", language=language, dark=dark, phone=is_phone)
    evening = Evening(page, story_id)
    name = f"play-{language}-{'dark' if dark else 'light'}-{'phone' if is_phone else 'desktop'}"
    prompter.hold()
    evening.begin(words)
    prompter.say(reply[:-30])
    expect(evening.last.locator("#tail")).not_to_be_empty()
    shoot(page, f"{name}-writing")
    assert faults(page) == []
    prompter.say(reply[-30:])
    prompter.end()
    evening.expect_idle()
    shoot(page, name)
    assert faults(page) == []
    evening.click("more")
    expect(page.locator("#more")).to_be_visible()
    shoot(page, f"{name}-more")
    assert faults(page) == []
    page.keyboard.press("Escape")
    evening.click("edit")
    shoot(page, f"{name}-edit")
    assert faults(page) == []
    if is_phone:
        page.locator(".unfold-panel").click()
        page.wait_for_timeout(300)
        shoot(page, f"{name}-panel")
        assert faults(page) == []
    assert overflow(page) == 0


def test_a_reader_who_wants_no_motion_gets_none(house: House, visit: Visit, prompter: Prompter) -> None:
    story_id = open_story(house)
    evening = Evening(visit(f"/stories/{story_id}", reduced_motion="reduce"), story_id)
    prompter.hold()
    evening.begin("Hello?")
    moving = "document.getAnimations().filter((one) => one.effect.getTiming().iterations === Infinity).length"
    assert evening.page.evaluate(moving) == 0
    expect(evening.last.locator(".breath")).to_be_visible()


def test_the_page_brings_no_more_than_its_budget(evening: Evening) -> None:
    assert sum(len(gzip.compress(content)) for content in brought(evening.page)) <= BUDGET


def brought(page: Page) -> list[bytes]:
    """Every script and style sheet that the page has loaded."""
    loaded = page.evaluate("performance.getEntriesByType('resource').map((one) => one.name)")
    paths = {found[1] for name in loaded if (found := re.search(r"/static/([\w./-]+\.(?:js|css))", name))}
    assert len(paths) > 10
    return [(static_dir() / path).read_bytes() for path in sorted(paths)]
