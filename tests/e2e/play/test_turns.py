"""A turn at the play page: words are said, answered, stopped, continued; trouble is told, and words are never lost."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from liyuan.domain.errors import ModelFailed
from tests.e2e.conftest import Visit
from tests.e2e.evening import Evening
from tests.e2e.prompter import Prompter

pytestmark = pytest.mark.e2e


# --- a turn ----------------------------------------------------------------------------------------------------------


def test_words_are_answered_turn_after_turn(evening: Evening) -> None:
    evening.say("Hello?")
    evening.say("Who are you?")
    evening.expect_texts("Good evening.", "Hello?", "Reply 1.", "Who are you?", "Reply 2.")
    assert evening.turns() == 2


def test_a_reply_appears_as_it_is_written(evening: Evening, prompter: Prompter) -> None:
    prompter.hold()
    evening.begin("Hello?")
    evening.expect_performing()
    prompter.say("She *turns")
    expect(evening.last.locator("em")).to_have_text("turns")
    prompter.say(" round*.\n\n“Yes?”")
    expect(evening.last.locator("p")).to_have_text(["She turns round.", "“Yes?”"])
    expect(evening.last.locator(".breath")).to_be_visible()
    prompter.end()
    evening.expect_idle()
    expect(evening.last.locator("p")).to_have_text(["She turns round.", "“Yes?”"])


def test_enter_sends_and_shift_enter_begins_a_line(evening: Evening) -> None:
    evening.words.press_sequentially("One")
    evening.words.press("Shift+Enter")
    evening.words.press_sequentially("two")
    evening.words.press("Enter")
    evening.expect_idle()
    assert evening.speeches.nth(1).locator(".prose").inner_text() == "One\ntwo"


def test_thoughts_are_kept_apart_and_folded(evening: Evening, prompter: Prompter) -> None:
    prompter.hold()
    evening.begin("Hello?")
    prompter.think("Should she answer?")
    expect(evening.last.get_by_text("Thinking")).to_be_visible()
    prompter.say("“Yes.”")
    prompter.end()
    evening.expect_idle()
    expect(evening.last.locator(".thoughts")).to_be_hidden()
    evening.last.get_by_text("Thoughts").click()
    expect(evening.last.locator(".thoughts")).to_have_text("Should she answer?")
    expect(evening.last.locator(".prose")).to_have_text("“Yes.”")


def test_what_a_reply_cost_stands_in_its_menu(evening: Evening) -> None:
    evening.say("Hello?")
    evening.click("more")
    menu = evening.page.locator("#more")
    expect(menu).to_contain_text("1834 tokens read, 212 written")
    expect(menu).to_contain_text("0.0031 US dollars")


def test_escape_stops_and_what_was_said_stays(evening: Evening, prompter: Prompter) -> None:
    prompter.hold()
    evening.begin("Hello?")
    prompter.say("She begins")
    expect(evening.last.locator(".prose")).to_have_text("She begins")
    evening.page.keyboard.press("Escape")
    evening.expect_idle()
    evening.expect_texts("Good evening.", "Hello?", "She begins")
    expect(evening.last).to_contain_text("broken off")


def test_a_reply_stopped_before_its_first_word_leaves_nothing(evening: Evening, prompter: Prompter) -> None:
    prompter.hold()
    evening.begin("Hello?")
    evening.expect_performing()
    evening.page.locator("[data-act=stop]").click()
    evening.expect_idle()
    evening.expect_texts("Good evening.", "Hello?")
    prompter.is_held = False
    evening.page.get_by_role("button", name="Let Ash answer").click()
    evening.expect_texts("Good evening.", "Hello?", "Reply 2.")


def test_a_reply_goes_on_where_it_stopped(evening: Evening, prompter: Prompter) -> None:
    evening.say("Hello?")
    prompter.hold()
    evening.choose_in_menu("Let it go on")
    prompter.say(" And more.")
    expect(evening.last.locator(".prose")).to_have_text("Reply 1. And more.")
    prompter.end()
    evening.expect_idle()
    evening.expect_texts("Good evening.", "Hello?", "Reply 1. And more.")


def test_the_model_writes_the_readers_words_into_the_composer(evening: Evening, prompter: Prompter) -> None:
    prompter.hold()
    evening.words.fill("/impersonate")
    evening.words.press("Enter")
    evening.expect_performing()
    prompter.say("I take")
    expect(evening.words).to_have_value("I take")
    prompter.say(" the cup.")
    prompter.end()
    evening.expect_idle()
    expect(evening.words).to_have_value("I take the cup.")
    evening.expect_texts("Good evening.")


def test_words_typed_while_others_are_on_their_way_stay(evening: Evening) -> None:
    evening.page.route("**/turns", lambda route: evening.words.press_sequentially(" And then?") or route.continue_())
    evening.words.fill("Hello?")
    evening.words.press("Enter")
    evening.expect_texts("Good evening.", "Hello?", "Reply 1.")
    expect(evening.words).to_have_value("And then?")
    evening.page.reload()
    expect(evening.words).to_have_value("And then?")


def test_words_typed_behind_those_the_model_writes_stay(evening: Evening, prompter: Prompter) -> None:
    prompter.hold()
    evening.words.fill("/impersonate")
    evening.words.press("Enter")
    prompter.say("I take")
    expect(evening.words).to_have_value("I take")
    evening.words.press_sequentially(" (slowly)")
    prompter.say(" the cup.")
    expect(evening.words).to_have_value("I take the cup. (slowly)")
    prompter.end()
    evening.expect_idle()
    expect(evening.words).to_have_value("I take the cup. (slowly)")


# --- trouble ---------------------------------------------------------------------------------------------------------


def test_a_model_that_fails_is_told_beside_the_composer_and_can_be_asked_again(
    evening: Evening, prompter: Prompter
) -> None:
    prompter.hold()
    evening.begin("Hello?")
    prompter.fail(ModelFailed("The model server refused the key. Look at the connection, then try again."))
    note = evening.page.locator("#composer-note")
    expect(note).to_contain_text("refused the key")
    expect(note.get_by_role("link", name="Look at the connection")).to_be_visible()
    evening.expect_texts("Good evening.", "Hello?")
    prompter.is_held = False
    note.get_by_role("button", name="Try again").click()
    evening.expect_texts("Good evening.", "Hello?", "Reply 2.")
    expect(note).to_be_empty()


def test_a_swipe_that_fails_leaves_the_old_reply(evening: Evening, prompter: Prompter) -> None:
    evening.say("Hello?")
    prompter.hold()
    evening.click("another")
    evening.expect_performing()
    prompter.fail(ModelFailed())
    evening.expect_idle()
    evening.expect_texts("Good evening.", "Hello?", "Reply 1.")
    evening.expect_counter("1/1")
    prompter.is_held = False
    evening.page.get_by_role("button", name="Try again").click()
    evening.expect_texts("Good evening.", "Hello?", "Reply 3.")


def test_words_stay_when_the_server_is_away(evening: Evening) -> None:
    evening.page.route("**/turns", lambda route: route.abort())
    evening.words.fill("Is anybody there?")
    evening.words.press("Enter")
    expect(evening.page.locator("#toasts")).to_contain_text("The server does not answer")
    expect(evening.words).to_have_value("Is anybody there?")
    evening.page.unroute("**/turns")
    evening.words.press("Enter")
    evening.expect_texts("Good evening.", "Is anybody there?", "Reply 1.")


def test_a_draft_is_there_after_a_reload_and_in_another_browser(evening: Evening, visit: Visit) -> None:
    with evening.page.expect_response("**/draft"):
        evening.words.press_sequentially("Not yet said")
    evening.page.reload()
    expect(evening.words).to_have_value("Not yet said")
    other = visit(evening.address)
    expect(other.locator("#words")).to_have_value("Not yet said")


def test_a_draft_the_server_never_saw_is_kept_by_the_browser(evening: Evening) -> None:
    evening.page.route("**/draft", lambda route: route.abort())
    evening.words.press_sequentially("Only here")
    evening.page.reload()
    expect(evening.words).to_have_value("Only here")


# --- commands --------------------------------------------------------------------------------------------------------


def test_commands_are_completed_and_carried_out(evening: Evening) -> None:
    evening.say("One.")
    evening.say("Two.")
    evening.words.press_sequentially("/rew")
    expect(evening.page.locator("#commands").get_by_role("option")).to_have_count(1)
    evening.words.press("Tab")
    expect(evening.words).to_have_value("/rewind ")
    evening.words.press_sequentially("2")
    evening.words.press("Enter")
    evening.expect_texts("Good evening.")
    toast = evening.page.locator(".toast")
    expect(toast).to_contain_text("2 turns stay on the other line.")
    toast.get_by_role("button", name="Undo").click()
    evening.expect_texts("Good evening.", "One.", "Reply 1.", "Two.", "Reply 2.")


def test_a_command_gives_another_title(evening: Evening) -> None:
    evening.open_panel("story")
    evening.words.fill("/title A night of rain")
    evening.words.press("Enter")
    expect(evening.page.locator("h1")).to_have_text("A night of rain")
    expect(evening.page).to_have_title("A night of rain")
    expect(evening.page.get_by_label("Title")).to_have_value("A night of rain")


def test_the_last_words_are_said_differently(evening: Evening) -> None:
    evening.say("Yes.")
    evening.words.fill("/branch No.")
    evening.words.press("Enter")
    evening.expect_texts("Good evening.", "No.", "Reply 2.")
    evening.expect_counter("2/2", evening.speeches.nth(1))
    evening.words.fill("/branch")
    evening.words.press("Enter")
    evening.expect_texts("Good evening.")
    expect(evening.words).to_have_value("No.")


def test_a_command_that_does_not_exist_is_told_and_can_be_said_as_words(evening: Evening) -> None:
    evening.words.fill("/dance")
    evening.words.press("Enter")
    expect(evening.page.locator("#composer-note")).to_contain_text("There is no command /dance")
    expect(evening.words).to_have_value("/dance")
    evening.say(" /dance")
    evening.expect_texts("Good evening.", "/dance", "Reply 1.")
