"""A choice on the settings page is seen at once, kept, and holds everywhere."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from tests.e2e.conftest import Visit
from tests.e2e.house import faults, ground, overflow, serving, shoot

pytestmark = pytest.mark.e2e


def test_the_theme_is_seen_at_once_and_holds_on_every_page(visit: Visit) -> None:
    page = visit("/settings")
    light = ground(page)
    page.get_by_label("Ink night").check()
    assert ground(page) != light
    expect(page.locator("#kept")).to_have_text("Kept.")
    dark = ground(page)
    page.goto("/characters")
    assert ground(page) == dark


def test_a_larger_text_and_a_wider_page_are_seen_in_the_sample(visit: Visit) -> None:
    page = visit("/settings")
    sample = page.locator(".sample .prose")
    size = "element => parseFloat(getComputedStyle(element).fontSize)"
    before = sample.evaluate(size)
    page.get_by_label("Size of the text").fill("26")
    assert sample.evaluate(size) > before
    with page.expect_response(lambda answer: "text_size=25" in (answer.request.post_data or "")):
        page.get_by_label("Size of the text").press("ArrowLeft")
    expect(page.locator("#kept")).to_have_text("Kept.")
    page.reload()
    expect(page.get_by_label("Size of the text")).to_have_value("25")


def test_the_language_changes_at_once(visit: Visit) -> None:
    page = visit("/settings")
    page.get_by_label("中文").check()
    expect(page.locator("h1")).to_have_text("设置")
    expect(page.locator("html")).to_have_attribute("lang", "zh-Hans")
    page.get_by_label("随浏览器").check()
    expect(page.locator("h1")).to_have_text("Settings")


def test_settings_are_kept_without_scripts(visit: Visit) -> None:
    page = visit("/settings", script=False)
    page.get_by_label("Ink night").check()
    page.locator("#preferences").get_by_role("button", name="Keep").click()
    expect(page.locator("#kept")).to_have_text("Kept.")
    expect(page.locator("html")).to_have_attribute("data-theme", "dark")


def test_saves_by_themselves_are_chosen_and_a_wrong_number_is_told_beside_them(visit: Visit) -> None:
    page = visit("/settings")
    told = page.locator("#autosaving-told")
    page.get_by_label("Save where a chapter begins").check()
    expect(told).to_have_text("Kept.")
    keep = page.get_by_label("How many to keep")
    keep.fill("0")
    keep.press("Tab")
    expect(told).to_contain_text("from 1 to 100")
    keep.fill("25")
    keep.press("Tab")
    expect(told).to_have_text("Kept.")
    page.reload()
    expect(page.get_by_label("Save where a chapter begins")).to_be_checked()
    expect(page.get_by_label("How many to keep")).to_have_value("25")


def test_saves_by_themselves_are_chosen_without_scripts(visit: Visit) -> None:
    page = visit("/settings", script=False)
    page.get_by_label("Save after so many turns").fill("1000")
    form = page.locator(".autosaving")
    form.get_by_role("button", name="Keep").click()
    expect(page.locator("#autosaving-told")).to_contain_text("from 0 to 999")
    page.get_by_label("Save after so many turns").fill("20")
    page.locator(".autosaving").get_by_role("button", name="Keep").click()
    expect(page.locator("#kept")).to_have_text("Kept.")
    expect(page.get_by_label("Save after so many turns")).to_have_value("20")


def test_segments_are_moved_through_by_keys(visit: Visit) -> None:
    page = visit("/settings")
    page.get_by_label("As the device").focus()
    page.keyboard.press("ArrowRight")
    expect(page.get_by_label("Rice paper")).to_be_checked()
    expect(page.locator("#kept")).to_have_text("Kept.")


def test_another_browser_is_sent_away(chromium: Browser, tmp_path: Path) -> None:
    with serving(tmp_path / "data", password="the rain at the inn") as house:
        pages = [chromium.new_context(base_url=house.url, locale="en-US").new_page() for _ in range(2)]
        for page in pages:
            page.goto("/settings")
            page.locator("input[type=password]").fill("the rain at the inn")
            page.keyboard.press("Enter")
            expect(page.locator("h1")).to_have_text("Settings")
        here, there = pages
        here.reload()
        shoot(here, "settings-sign-ins", whole=True)
        here.get_by_role("button", name="End", exact=True).click()
        expect(here.locator(".browser")).to_have_count(1)
        there.reload()
        expect(there).to_have_url(re.compile("/login"))
        for page in pages:
            page.context.close()


@pytest.mark.parametrize(
    ("phone", "dark", "language"),
    [(False, True, "en"), (True, False, "zh"), (False, False, "zh"), (True, True, "en")],
)
def test_the_settings_page_is_sound_and_fits(visit: Visit, phone: bool, dark: bool, language: str) -> None:
    page = visit("/settings", phone=phone, dark=dark, language=language)
    shoot(page, f"settings-{'phone' if phone else 'desktop'}-{'dark' if dark else 'light'}-{language}", whole=True)
    assert faults(page) == []
    assert overflow(page) == 0
