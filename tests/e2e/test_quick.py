"""The lamp and the language beside every page, in a real browser: seen at once, and nothing typed is lost."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.e2e.conftest import Visit
from tests.e2e.evening import open_story
from tests.e2e.house import House, faults, ground, shoot

pytestmark = pytest.mark.e2e


def test_the_lamp_is_dimmed_at_once_and_stays_so(visit: Visit) -> None:
    page = visit("/characters")
    light = ground(page)
    with page.expect_response("**/settings/quick"):
        page.get_by_role("button", name="Dim the lamp").click()
    assert ground(page) != light
    expect(page.get_by_role("button", name="Dim the lamp")).to_be_hidden()
    page.goto("/")
    assert ground(page) != light
    page.get_by_role("button", name="Turn up the lamp").click()
    assert ground(page) == light


def test_another_language_keeps_the_page_and_the_words(visit: Visit, house: House) -> None:
    story_id = open_story(house)
    page = visit(f"/stories/{story_id}")
    page.locator("#words").fill("Is anyone here?")
    page.get_by_role("button", name="中文").click()
    expect(page.locator("html")).to_have_attribute("lang", "zh-Hans")
    expect(page.locator("#words")).to_have_value("Is anyone here?")
    shoot(page, "quick-story-zh")
    assert faults(page) == []
    page.get_by_role("button", name="English").click()
    expect(page.locator("html")).to_have_attribute("lang", "en")
    expect(page.locator("#words")).to_have_value("Is anyone here?")


def test_another_language_keeps_a_form_that_is_being_filled_in(visit: Visit) -> None:
    page = visit("/connections/new?choice=other")
    page.get_by_label("Address").fill("http://127.0.0.1:1234/v1")
    page.get_by_label("It speaks like").select_option("anthropic")
    page.get_by_role("button", name="中文").click()
    expect(page.locator("html")).to_have_attribute("lang", "zh-Hans")
    expect(page.locator("#base_url")).to_have_value("http://127.0.0.1:1234/v1")
    expect(page.locator("#provider")).to_have_value("anthropic")


def test_both_work_without_scripts(visit: Visit) -> None:
    page = visit("/characters", script=False)
    page.get_by_role("button", name="Dim the lamp").click()
    expect(page.locator("html")).to_have_attribute("data-theme", "dark")
    page.get_by_role("button", name="中文").click()
    expect(page.locator("html")).to_have_attribute("lang", "zh-Hans")
    expect(page).to_have_url(f"{page.url.rsplit('/', 1)[0]}/characters")
