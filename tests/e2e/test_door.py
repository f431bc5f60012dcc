"""A server with a password, in a real browser: the door, and the words that outlast a sign-in that has ended."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.conftest import Visit
from tests.e2e.house import House, faults, overflow, serving, shoot

pytestmark = pytest.mark.e2e

PASSWORD = "rain on the roof"
WORDS = "Good evening. A room for one night, please."


@pytest.fixture
def house(tmp_path: Path) -> Iterator[House]:
    with serving(tmp_path / "data", password=PASSWORD) as house:
        yield house


def sign_in(page: Page, password: str = PASSWORD) -> None:
    page.get_by_label("Password").fill(password)
    page.get_by_role("button", name="Sign in").click()


def end_sign_in(page: Page) -> None:
    page.context.clear_cookies(name="liyuan_sign_in")


def test_a_visitor_comes_in_by_the_password_and_lands_where_they_wanted(visit: Visit) -> None:
    page = visit("/settings")
    expect(page).to_have_title("Sign in · Liyuan")
    expect(page.get_by_label("Password")).to_be_focused()
    sign_in(page, "guess")
    expect(page.get_by_role("alert")).to_contain_text("That is not the password")
    sign_in(page)
    expect(page).to_have_url(re.compile("/settings$"))


@pytest.mark.parametrize("script", [True, False], ids=["script", "no script"])
def test_the_door_opens_with_and_without_script(visit: Visit, script: bool) -> None:
    page = visit("/characters", script=script)
    sign_in(page)
    expect(page.get_by_role("heading", name="Characters")).to_be_visible()


def test_words_outlast_a_sign_in_that_ended_while_they_were_written(visit: Visit) -> None:
    page = visit("/")
    sign_in(page)
    page.wait_for_load_state()
    composer = page.get_by_label("Your words")
    composer.fill(WORDS)
    end_sign_in(page)
    composer.press("Enter")
    note = page.locator("#composer").get_by_role("alert")
    expect(note).to_contain_text("What you typed is kept")
    expect(composer).to_have_value(WORDS)
    shoot(page, "door-ended-while-writing")
    with page.context.expect_page() as other:
        note.get_by_role("link", name="Sign in").click()
    sign_in(other.value)
    composer.press("Enter")
    expect(page.locator(".reader .prose")).to_have_text(WORDS)


def test_words_outlast_it_without_script_too(visit: Visit) -> None:
    page = visit("/", script=False)
    sign_in(page)
    page.get_by_label("Your words").fill(WORDS)
    end_sign_in(page)
    page.locator("#composer").get_by_role("button", name="Send").click()
    expect(page.get_by_label("What you wrote")).to_have_value(WORDS)
    shoot(page, "door-ended-without-script")
    with page.context.expect_page() as other:
        page.get_by_role("link", name="Sign in in a new tab").click()
    sign_in(other.value)
    page.get_by_role("button", name="Send it again").click()
    expect(page.locator(".reader .prose")).to_have_text(WORDS)


def test_words_in_an_editor_outlast_it_too(visit: Visit) -> None:
    page = visit("/")
    sign_in(page)
    page.wait_for_load_state()
    message = page.locator(".speech").first
    message.hover()
    message.locator("[data-act=edit]").click()
    editor = page.locator("[data-edits] textarea")
    editor.fill(WORDS)
    end_sign_in(page)
    page.get_by_role("button", name="Change in place").click()
    expect(page.locator("#toasts")).to_contain_text("What you typed is kept")
    expect(editor).to_have_value(WORDS)
    page.reload()
    sign_in(page)
    expect(editor).to_have_value(WORDS)
    page.get_by_role("button", name="Change in place").click()
    expect(page.locator(".speech .prose").first).to_have_text(WORDS)


def test_guessing_becomes_slow_and_the_right_password_still_opens_the_door(visit: Visit) -> None:
    page = visit("/characters")
    told = page.get_by_role("alert")
    for number in range(20):
        sign_in(page, f"guess {number}")
        expect(told).to_be_visible()
        if "Too many tries" in told.inner_text():
            break
    expect(told).to_contain_text("Wait")
    shoot(page, "door-throttled")
    for _ in range(30):
        page.wait_for_timeout(500)
        sign_in(page)
        if page.get_by_role("heading", name="Characters").is_visible():
            break
    expect(page.get_by_role("heading", name="Characters")).to_be_visible()


@pytest.mark.parametrize("language", ["en", "zh"])
@pytest.mark.parametrize("phone", [False, True], ids=["desktop", "phone"])
@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
def test_the_door_is_open_to_everybody_s_eyes_and_hands(visit: Visit, phone: bool, dark: bool, language: str) -> None:
    page = visit("/", phone=phone, dark=dark, language=language)
    assert faults(page) == []
    assert overflow(page) == 0
    shoot(page, f"door-{language}-{'phone' if phone else 'desktop'}-{'dark' if dark else 'light'}")


@pytest.mark.parametrize("phone", [False, True], ids=["desktop", "phone"])
@pytest.mark.parametrize("path", ["/nowhere", "/docs"])
def test_the_page_of_an_error_and_of_the_api_are_too(visit: Visit, phone: bool, path: str) -> None:
    page = visit("/login", phone=phone)
    sign_in(page)
    page.goto(path)
    assert faults(page) == []
    assert overflow(page) == 0
    shoot(page, f"{path.strip('/')}-{'phone' if phone else 'desktop'}", whole=path == "/nowhere")
