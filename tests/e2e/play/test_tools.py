"""A model that keeps its own context in order, before the eyes of a reader: small lines, and the way back."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.conftest import Visit
from tests.e2e.evening import Evening, open_story
from tests.e2e.house import House, faults, overflow, shoot
from tests.e2e.prompter import Prompter
from tests.play.tool_calls import call, check_out

LEARNT = (
    "Some twenty exchanges in the cellar of the inn, looking for the *ledger*. It is not there. Found: a brass key "
    "marked 7, and that the north wall is newer than the rest. Mira knows; Joss does not.\n\nOpen: which door it fits."
)


def switch_on(page: Page) -> None:
    page.goto("/settings")
    page.locator("[name=context_tools]").check()
    expect(page.locator("#kept")).not_to_be_empty()


def digress(evening: Evening, prompter: Prompter) -> None:
    """A tag, a digression, and the checkout in the midst of the next reply, which is still being written."""
    prompter.hold()
    evening.begin("Let us search the cellar.")
    prompter.say("She lifts the lamp. ")
    prompter.call(call("tag", name="before-the-cellar"))
    expect(evening.page.locator("#uses .use-line")).to_contain_text("before-the-cellar")
    prompter.say("Down the stairs.")
    prompter.end()
    evening.expect_idle()
    evening.begin("Back upstairs, then.")
    prompter.call(call("log"))
    expect(evening.page.locator("#uses .use-line")).to_have_count(1)
    prompter.call(check_out("root", LEARNT, backup_tag="cellar"))
    expect(evening.page.locator(".filed")).to_be_visible()


def test_the_model_files_a_detour_away_and_the_reader_moves_back(
    visit: Visit, house: House, prompter: Prompter
) -> None:
    page = visit("/settings")
    switch_on(page)
    evening = Evening(page, open_story(house))
    page.goto(evening.address)
    digress(evening, prompter)
    evening.expect_performing()
    expect(page.locator(".speech.reader .prose")).to_have_text(["Back upstairs, then."])
    prompter.say("The stairs creak.")
    expect(page.locator(".performing .tail")).to_contain_text("The stairs creak.")
    prompter.end()
    evening.expect_idle()
    evening.expect_texts("Good evening.", "Back upstairs, then.", "The stairs creak.")

    page.reload()
    filed = page.locator(".filed")
    filed.locator("summary").click()
    expect(filed.locator(".prose")).to_contain_text("a brass key marked 7")
    filed.get_by_role("link", name="Move back").click()
    page.locator("#leave").get_by_role("button", name="Take this way").click()
    evening.expect_texts(
        "Good evening.",
        "Let us search the cellar.",
        "She lifts the lamp. Down the stairs.",
        "Back upstairs, then.",
    )
    expect(page.locator(".filed")).to_have_count(0)
    expect(page.locator(".use-line")).to_have_count(1)

    page.locator(".use-line").get_by_role("button", name="Take the tag “before-the-cellar” off").click()
    expect(page.locator(".use-line button")).to_have_count(0)
    expect(page.locator(".use-line")).to_contain_text("before-the-cellar")


@pytest.mark.parametrize(("language", "phone"), [("en", False), ("zh", False), ("en", True), ("zh", True)], ids=str)
def test_the_lines_are_seen_and_fit(visit: Visit, house: House, prompter: Prompter, language: str, phone: bool) -> None:
    page = visit("/settings", dark=phone, phone=phone, language=language)
    switch_on(page)
    evening = Evening(page, open_story(house))
    page.goto(evening.address)
    digress(evening, prompter)
    prompter.say("The stairs creak. ")
    prompter.call(call("tag", name="upstairs-again"))
    prompter.say("“So,” she says. “A key, and no door.”")
    prompter.end()
    evening.expect_idle()
    page.locator(".filed summary").click()
    expect(page.locator(".use-line")).to_have_count(2)
    assert faults(page) == []
    assert overflow(page) <= 0
    if not phone:
        evening.open_panel("story")
        assert faults(page) == []
    name = f"{language}-{'phone' if phone else 'desktop'}"
    shoot(page, f"tools-{name}")
    page.goto("/settings#tools")
    assert faults(page) == []
    shoot(page, f"tools-settings-{name}")
