"""More than one window, and windows that come and go: the story is the server's, and typed words are the reader's."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.e2e.evening import Evening
from tests.e2e.house import serving
from tests.e2e.prompter import Prompter


def another_window(evening: Evening) -> Evening:
    page = evening.page.context.new_page()
    page.goto(evening.address)
    return Evening(page, evening.story_id)


def test_a_reload_in_mid_stream_shows_the_reply_from_its_start(evening: Evening, prompter: Prompter) -> None:
    prompter.hold()
    evening.begin("Hello?")
    prompter.say("She begins.\n\nShe goes")
    expect(evening.last.locator("p")).to_have_count(2)
    evening.page.reload()
    expect(evening.last.locator("p")).to_have_text(["She begins.", "She goes"])
    prompter.say(" on.")
    expect(evening.last.locator("p")).to_have_text(["She begins.", "She goes on."])
    prompter.end()
    evening.expect_idle()


def test_a_reply_is_finished_though_nobody_looks(evening: Evening, prompter: Prompter) -> None:
    prompter.hold()
    evening.begin("Hello?")
    evening.expect_performing()
    evening.page.goto("/")
    prompter.say("Alone in the dark.")
    prompter.end()
    evening.page.wait_for_timeout(300)
    evening.page.goto(evening.address)
    evening.expect_texts("Good evening.", "Hello?", "Alone in the dark.")


def test_another_window_follows(evening: Evening, prompter: Prompter) -> None:
    other = another_window(evening)
    prompter.hold()
    evening.begin("Hello?")
    prompter.say("She begins")
    expect(other.last.locator("#tail")).to_have_text("She begins")
    prompter.say(" and ends.")
    prompter.end()
    other.expect_idle()
    other.expect_texts("Good evening.", "Hello?", "She begins and ends.")
    prompter.is_held = False
    other.say("From here.")
    evening.expect_texts("Good evening.", "Hello?", "She begins and ends.", "From here.", "Reply 2.")


def test_a_window_where_words_are_being_written_stays_and_is_told(evening: Evening) -> None:
    other = another_window(evening)
    other.words.press_sequentially("Half a sen")
    evening.say("Hello?")
    note = other.page.locator("#composer-note")
    expect(note).to_contain_text("gone on in another window")
    other.expect_texts("Good evening.")
    note.get_by_text("Go to the new end").click()
    other.expect_texts("Good evening.", "Hello?", "Reply 1.")
    expect(other.words).to_have_value("Half a sen")


def test_words_sent_in_one_window_take_nothing_from_another(evening: Evening) -> None:
    other = another_window(evening)
    evening.words.press_sequentially("Hello?")
    with other.page.expect_response("**/draft"):
        other.words.press_sequentially("Kept here")
    evening.words.press("Enter")
    evening.expect_texts("Good evening.", "Hello?", "Reply 1.")
    other.page.route("**/draft", lambda route: route.abort())
    other.words.press_sequentially(" too")
    other.page.reload()
    expect(other.words).to_have_value("Kept here too")


def in_conflict(evening: Evening) -> Evening:
    """Another window that has sent words from where the story no longer is."""
    other = another_window(evening)
    other.words.press_sequentially("From the old place.")
    evening.say("Hello?")
    expect(other.page.locator("#composer-note")).not_to_be_empty()
    other.words.press("Enter")
    expect(other.page.locator("#composer-note")).to_contain_text("Your words are still here")
    expect(other.words).to_have_value("From the old place.")
    other.expect_texts("Good evening.")
    return other


def test_words_in_conflict_can_be_said_where_the_reader_was(evening: Evening) -> None:
    other = in_conflict(evening)
    other.page.get_by_role("button", name="Send here anyway").click()
    other.expect_texts("Good evening.", "From the old place.", "Reply 2.")
    other.expect_counter("2/2", other.speeches.nth(1))
    expect(other.words).to_have_value("")


def test_words_in_conflict_can_wait_for_a_look_at_the_new_end(evening: Evening) -> None:
    other = in_conflict(evening)
    other.page.get_by_role("link", name="Go to the new end").click()
    other.expect_texts("Good evening.", "Hello?", "Reply 1.")
    expect(other.words).to_have_value("From the old place.")
    other.words.press("Enter")
    other.expect_texts("Good evening.", "Hello?", "Reply 1.", "From the old place.", "Reply 2.")


def test_an_act_in_conflict_changes_nothing_and_says_so(evening: Evening) -> None:
    other = another_window(evening)
    other.words.press_sequentially("x")
    evening.say("Hello?")
    expect(other.page.locator("#composer-note")).not_to_be_empty()
    other.click("edit", other.speeches.first)
    other.speeches.first.get_by_role("textbox").fill("Changed too late")
    other.speeches.first.get_by_role("button", name="Change in place").click()
    expect(other.page.locator(".toast")).to_contain_text("The story has moved on")
    expect(other.speeches.first.get_by_role("textbox")).to_have_value("Changed too late")


# --- the door --------------------------------------------------------------------------------------------------------


@pytest.fixture
def locked_page(tmp_path: Path, chromium: Browser) -> Iterator[Page]:
    """A page that has signed in at a house with a password."""
    with (
        serving(tmp_path / "locked", Prompter(), settle_wait=0, password="rain on the roof") as house,
        chromium.new_context(base_url=house.url, locale="en-US") as context,
    ):
        page = context.new_page()
        page.goto("/login")
        page.locator("[name=password]").fill("rain on the roof")
        page.keyboard.press("Enter")
        page.wait_for_url("**/stories/**")
        yield page


def test_a_sign_in_that_has_expired_eats_no_words(locked_page: Page) -> None:
    page = locked_page
    evening = Evening(page, page.url.rpartition("/")[2])
    page.context.clear_cookies(name="liyuan_sign_in")
    evening.words.fill("A long and careful answer.")
    evening.words.press("Enter")
    note = page.locator("#composer-note")
    expect(note).to_contain_text("sign in")
    expect(evening.words).to_have_value("A long and careful answer.")
    with page.context.expect_page() as opened:
        note.get_by_role("link", name="Sign in").click()
    opened.value.locator("[name=password]").fill("rain on the roof")
    opened.value.keyboard.press("Enter")
    opened.value.wait_for_url(lambda address: "/login" not in address)
    evening.words.press("Enter")
    expect(evening.words).to_have_value("")
    expect(page.locator(".speech.reader .prose")).to_have_text("A long and careful answer.")


def test_a_page_left_open_hears_again_when_the_server_is_back(evening: Evening) -> None:
    other = another_window(evening)
    evening.page.context.set_offline(True)
    evening.page.context.set_offline(False)
    other.say("Are you there?")
    evening.expect_texts("Good evening.", "Are you there?", "Reply 1.")
