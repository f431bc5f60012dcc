"""Editing, branching and pruning: nothing is lost, and the way back is offered."""

from __future__ import annotations

from playwright.sync_api import expect

from tests.e2e.evening import Evening
from tests.e2e.prompter import Prompter


def test_an_edit_kept_as_a_branch_leaves_the_old_words_beside_it(evening: Evening, prompter: Prompter) -> None:
    evening.say("Hello?")
    evening.click("edit")
    editor = evening.last.get_by_role("textbox")
    expect(editor).to_be_focused()
    expect(editor).to_have_value("Reply 1.")
    editor.fill("A better reply.")
    evening.last.get_by_role("button", name="Keep as a branch").click()
    evening.expect_texts("Good evening.", "Hello?", "A better reply.")
    evening.expect_counter("2/2")
    evening.click("previous")
    evening.expect_texts("Good evening.", "Hello?", "Reply 1.")
    assert len(prompter.requests) == 1


def test_an_edit_in_place_keeps_what_follows(evening: Evening) -> None:
    evening.say("Hello?")
    evening.say("Who are you?")
    first = evening.speeches.nth(1)
    evening.click("edit", first)
    first.get_by_role("textbox").fill("Good evening to you.")
    first.get_by_role("button", name="Change in place").click()
    evening.expect_texts("Good evening.", "Good evening to you.", "Reply 1.", "Who are you?", "Reply 2.")
    expect(first.locator(".count")).to_have_count(0)
    evening.say("And now?")
    evening.page.reload()
    expect(evening.speeches.nth(1).locator(".prose")).to_have_text("Good evening to you.")


def test_an_edited_message_of_the_readers_can_be_answered(evening: Evening) -> None:
    evening.say("Hello?")
    first = evening.speeches.nth(1)
    evening.click("edit", first)
    first.get_by_role("textbox").fill("Hello, Ash.")
    first.get_by_role("button", name="Keep as a branch").click()
    evening.expect_texts("Good evening.", "Hello, Ash.")
    evening.page.get_by_role("button", name="Let Ash answer").click()
    evening.expect_texts("Good evening.", "Hello, Ash.", "Reply 2.")


def test_escape_leaves_an_editor_as_it_was(evening: Evening) -> None:
    evening.say("Hello?")
    evening.click("edit")
    evening.last.get_by_role("textbox").fill("Never kept")
    evening.page.keyboard.press("Escape")
    evening.expect_texts("Good evening.", "Hello?", "Reply 1.")


def test_what_is_written_in_an_editor_outlasts_a_reload(evening: Evening) -> None:
    evening.say("Hello?")
    evening.click("edit")
    evening.last.get_by_role("textbox").fill("Half a better reply")
    evening.page.reload()
    expect(evening.last.get_by_role("textbox")).to_have_value("Half a better reply")
    evening.last.get_by_role("textbox").fill("A better reply.")
    evening.last.get_by_role("button", name="Change in place").click()
    evening.expect_texts("Good evening.", "Hello?", "A better reply.")
    evening.page.reload()
    evening.expect_texts("Good evening.", "Hello?", "A better reply.")


def test_what_was_given_up_in_an_editor_does_not_come_back(evening: Evening) -> None:
    evening.say("Hello?")
    evening.click("edit")
    evening.last.get_by_role("textbox").fill("Never kept")
    evening.last.get_by_role("link", name="Cancel").click()
    evening.expect_texts("Good evening.", "Hello?", "Reply 1.")
    evening.page.reload()
    evening.expect_texts("Good evening.", "Hello?", "Reply 1.")
    evening.click("edit")
    expect(evening.last.get_by_role("textbox")).to_have_value("Reply 1.")


def test_an_edit_the_server_refused_is_still_in_its_editor_after_a_reload(evening: Evening) -> None:
    evening.say("Hello?")
    evening.click("edit")
    evening.last.get_by_role("textbox").fill("A better reply.")
    evening.page.route("**/edit", lambda route: route.abort())
    evening.last.get_by_role("button", name="Change in place").click()
    expect(evening.page.locator("#toasts")).to_contain_text("The server does not answer")
    evening.page.unroute("**/edit")
    evening.page.reload()
    evening.last.get_by_role("button", name="Change in place").click()
    evening.expect_texts("Good evening.", "Hello?", "A better reply.")


def test_two_open_editors_keep_their_own_words(evening: Evening) -> None:
    evening.say("Hello?")
    first, second = evening.speeches.nth(1), evening.speeches.nth(2)
    evening.click("edit", first)
    evening.click("edit", second)
    first.get_by_role("textbox").fill("First, changed.")
    second.get_by_role("textbox").fill("Second, changed.")
    first.get_by_role("button", name="Change in place").click()
    expect(first.locator(".prose")).to_have_text("First, changed.")
    expect(second.get_by_role("textbox")).to_have_value("Second, changed.")
    second.get_by_role("button", name="Change in place").click()
    evening.expect_texts("Good evening.", "First, changed.", "Second, changed.")


def test_branching_moves_the_end_and_tells_what_stays_behind(evening: Evening) -> None:
    for words in ("One.", "Two.", "Three."):
        evening.say(words)
    evening.click("branch", evening.speeches.nth(2))
    evening.expect_texts("Good evening.", "One.", "Reply 1.")
    assert evening.turns() == 1
    toast = evening.page.locator(".toast")
    expect(toast).to_contain_text("2 turns stay on the other line.")
    evening.say("Another way.")
    evening.expect_texts("Good evening.", "One.", "Reply 1.", "Another way.", "Reply 4.")
    evening.expect_counter("2/2", evening.speeches.nth(3))


def test_a_move_is_taken_back_by_key(evening: Evening) -> None:
    evening.say("One.")
    evening.say("Two.")
    evening.page.keyboard.press("Escape")
    evening.speeches.nth(2).focus()
    evening.page.keyboard.press("b")
    evening.expect_texts("Good evening.", "One.", "Reply 1.")
    evening.page.keyboard.press("z")
    evening.expect_texts("Good evening.", "One.", "Reply 1.", "Two.", "Reply 2.")


def test_an_edit_in_place_is_taken_back_by_key(evening: Evening) -> None:
    evening.say("One.")
    evening.click("edit")
    evening.last.get_by_role("textbox").fill("Another one.")
    evening.last.get_by_role("button", name="Change in place").click()
    evening.expect_texts("Good evening.", "One.", "Another one.")
    evening.last.focus()
    evening.page.keyboard.press("z")
    evening.expect_texts("Good evening.", "One.", "Reply 1.")


def test_what_was_pruned_comes_back_whole(evening: Evening) -> None:
    evening.say("One.")
    evening.say("Two.")
    evening.choose_in_menu("Prune it", evening.speeches.nth(1))
    evening.expect_texts("Good evening.")
    evening.page.locator(".toast").get_by_role("button", name="Undo").click()
    evening.expect_texts("Good evening.", "One.", "Reply 1.", "Two.", "Reply 2.")


def test_a_pruned_telling_gives_way_to_its_neighbour(evening: Evening) -> None:
    evening.say("One.")
    evening.click("another")
    evening.expect_counter("2/2")
    evening.expect_idle()
    evening.last.focus()
    evening.page.keyboard.press("x")
    evening.expect_texts("Good evening.", "One.", "Reply 1.")
    evening.expect_counter("1/1")


def test_words_erased_for_good_are_gone_from_the_page(evening: Evening) -> None:
    evening.say("A secret.")
    evening.page.on("dialog", lambda dialog: dialog.accept())
    evening.choose_in_menu("Erase for good", evening.speeches.nth(1))
    expect(evening.speeches.nth(1).locator(".prose")).to_have_text("")
    evening.page.reload()
    expect(evening.page.locator("body")).not_to_contain_text("A secret.")


def test_a_message_is_copied(evening: Evening) -> None:
    evening.page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    evening.say("Hello?")
    evening.last.focus()
    evening.page.keyboard.press("c")
    expect(evening.page.locator(".toast")).to_contain_text("Copied.")
    assert evening.page.evaluate("navigator.clipboard.readText()") == "Reply 1."


def test_who_gives_an_edit_up_by_keyboard_is_back_at_the_message(evening: Evening) -> None:
    evening.say("Hello?")
    evening.last.locator("[data-act=edit]").press("Enter")
    expect(evening.page.locator(".editing textarea")).to_be_focused()
    evening.page.locator("[data-act=cancel]").press("Enter")
    expect(evening.last).to_be_focused()
