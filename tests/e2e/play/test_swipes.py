"""Another telling: by click, by key, by finger; the old one comes back at once, and the story below it with it."""

from __future__ import annotations

import re

from playwright.sync_api import Locator, expect

from tests.e2e.conftest import Visit
from tests.e2e.evening import Evening, open_story
from tests.e2e.house import House
from tests.e2e.prompter import Prompter


def test_right_on_the_last_telling_asks_for_another(evening: Evening) -> None:
    evening.say("Hello?")
    evening.expect_counter("1/1")
    evening.click("another")
    evening.expect_texts("Good evening.", "Hello?", "Reply 2.")
    evening.expect_counter("2/2")


def test_left_brings_the_old_telling_back_without_the_model(evening: Evening, prompter: Prompter) -> None:
    evening.say("Hello?")
    evening.click("another")
    evening.expect_counter("2/2")
    evening.expect_idle()
    evening.click("previous")
    evening.expect_texts("Good evening.", "Hello?", "Reply 1.")
    evening.expect_counter("1/2")
    evening.click("next")
    evening.expect_texts("Good evening.", "Hello?", "Reply 2.")
    assert len(prompter.requests) == 2


def test_a_telling_in_the_middle_brings_its_whole_tail_back(evening: Evening) -> None:
    evening.say("Hello?")
    evening.say("Who are you?")
    evening.click("another", evening.speeches.nth(2))
    evening.expect_texts("Good evening.", "Hello?", "Reply 3.")
    evening.click("previous")
    evening.expect_texts("Good evening.", "Hello?", "Reply 1.", "Who are you?", "Reply 2.")


def test_greetings_are_tellings_too(visit: Visit, house: House) -> None:
    story_id = open_story(house, "Good evening.", "It rains.")
    evening = Evening(visit(f"/stories/{story_id}"), story_id)
    evening.expect_counter("1/2")
    evening.click("next")
    evening.expect_texts("It rains.")
    expect(evening.last.get_by_role("button", name="Next telling")).to_be_disabled()


def test_arrows_turn_the_chosen_message_and_it_stays_chosen(evening: Evening) -> None:
    evening.say("Hello?")
    evening.say("Who are you?")
    page = evening.page
    page.keyboard.press("Escape")
    for key in ("ArrowUp", "ArrowUp", "k"):
        page.keyboard.press(key)
    expect(evening.speeches.nth(2)).to_be_focused()
    page.keyboard.press("ArrowRight")
    evening.expect_texts("Good evening.", "Hello?", "Reply 3.")
    evening.expect_idle()
    expect(evening.last).to_be_focused()
    page.keyboard.press("ArrowLeft")
    evening.expect_counter("1/2", evening.speeches.nth(2))
    expect(evening.speeches.nth(2)).to_be_focused()
    page.keyboard.press("j")
    expect(evening.speeches.nth(3)).to_be_focused()


def test_arrows_in_an_empty_composer_turn_the_last_reply(evening: Evening) -> None:
    evening.say("Hello?")
    evening.words.press("ArrowRight")
    evening.expect_counter("2/2")
    evening.expect_idle()
    evening.words.press("ArrowLeft")
    evening.expect_counter("1/2")
    evening.words.fill("a")
    evening.words.press("ArrowLeft")
    evening.words.press("ArrowLeft")
    evening.expect_counter("1/2")
    expect(evening.words).to_be_focused()


def test_a_held_arrow_turns_page_after_page_without_complaint(evening: Evening) -> None:
    evening.say("What happened?")
    evening.words.press("ArrowRight")
    evening.expect_idle()
    for _ in range(50):
        evening.page.keyboard.press("ArrowLeft")
        evening.page.keyboard.press("ArrowRight")
    evening.page.keyboard.press("ArrowLeft")
    expect(evening.last.locator(".count")).to_have_text(re.compile(r"\d/\d"))
    expect(evening.words).to_be_focused()


def test_old_tellings_can_be_read_while_another_is_told(evening: Evening, prompter: Prompter) -> None:
    evening.say("Hello?")
    prompter.hold()
    evening.click("another")
    prompter.say("She hums")
    expect(evening.last.locator("#tail")).to_have_text("She hums")
    evening.click("previous")
    expect(evening.last.locator("#glance .prose")).to_have_text("Reply 1.")
    expect(evening.last.locator("#tail")).to_be_hidden()
    prompter.say(" a song")
    evening.click("next")
    expect(evening.last.locator("#tail")).to_have_text("She hums a song")
    prompter.end()
    evening.expect_idle()
    evening.expect_texts("Good evening.", "Hello?", "She hums a song")


# --- by finger -------------------------------------------------------------------------------------------------------


class Finger:
    """One finger on the screen, as the browser's own input pipeline sees it."""

    def __init__(self, evening: Evening) -> None:
        self.page = evening.page
        self.wire = self.page.context.new_cdp_session(self.page)

    def put_down(self, on: Locator) -> None:
        box = on.bounding_box()
        assert box is not None
        self.x, self.y = box["x"] + box["width"] / 2, box["y"] + min(20, box["height"] / 2)
        self._tell("touchStart")

    def move(self, by: float, down: float = 0) -> None:
        for _ in range(8):
            self.x, self.y = self.x + by / 8, self.y + down / 8
            self._tell("touchMove")
            self.page.wait_for_timeout(16)

    def lift(self) -> None:
        self.wire.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})

    def _tell(self, kind: str) -> None:
        self.wire.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": [{"x": self.x, "y": self.y}]})


def test_a_swipe_to_the_left_tells_it_another_way_and_one_to_the_right_takes_it_back(phone: Evening) -> None:
    phone.say("Hello?")
    finger = Finger(phone)
    finger.put_down(phone.last.locator(".prose"))
    finger.move(-180)
    expect(phone.page.locator(".peek")).to_contain_text("Another telling")
    finger.lift()
    phone.expect_texts("Good evening.", "Hello?", "Reply 2.")
    phone.expect_idle()
    phone.expect_counter("2/2")
    finger.put_down(phone.last.locator(".prose"))
    finger.move(180)
    expect(phone.page.locator(".peek")).to_contain_text("Reply 1.")
    finger.lift()
    phone.expect_texts("Good evening.", "Hello?", "Reply 1.")
    expect(phone.page.locator(".peek")).to_have_count(0)


def test_a_reply_follows_the_finger_and_snaps_back_from_a_short_way(phone: Evening, prompter: Prompter) -> None:
    phone.say("Hello?")
    prose = phone.last.locator(".prose")
    at = prose.bounding_box()
    finger = Finger(phone)
    finger.put_down(prose)
    finger.move(-60)
    moved = prose.bounding_box()
    assert at is not None
    assert moved is not None
    assert moved["x"] < at["x"] - 40
    phone.page.wait_for_timeout(150)
    finger.lift()
    expect(phone.page.locator(".peek")).to_have_count(0)
    assert prose.bounding_box() == at
    assert len(prompter.requests) == 1


def test_a_finger_that_moves_down_scrolls(phone: Evening, prompter: Prompter) -> None:
    phone.say("Hello?")
    finger = Finger(phone)
    finger.put_down(phone.last.locator(".prose"))
    finger.move(-20, down=160)
    finger.move(-160)
    finger.lift()
    phone.expect_texts("Good evening.", "Hello?", "Reply 1.")
    assert len(prompter.requests) == 1


def test_the_gesture_can_be_turned_off(phone: Evening, prompter: Prompter) -> None:
    phone.say("Hello?")
    page = phone.page
    page.goto("/settings")
    with page.expect_response(lambda response: response.request.method == "POST"):
        page.locator("[name=gestures]").uncheck()
    page.goto(phone.address)
    finger = Finger(phone)
    finger.put_down(phone.last.locator(".prose"))
    finger.move(-180)
    finger.lift()
    phone.expect_texts("Good evening.", "Hello?", "Reply 1.")
    assert len(prompter.requests) == 1
