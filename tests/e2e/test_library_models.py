"""Connecting a model, against a server nobody here wrote: found, tried, kept, played with, and its troubles told."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.conftest import Visit
from tests.e2e.house import faults, overflow, shoot
from tests.peers import free_port, katan

pytestmark = pytest.mark.e2e

KEY = "sk-never-to-be-seen"


@pytest.fixture(scope="module")
def peer() -> Iterator[str]:
    with katan(providers="openai,anthropic") as url:
        yield url


def fill(page: Page, url: str, **more: str) -> None:
    """Fills the editor of a connection in."""
    page.goto("/connections/new?choice=other")
    page.get_by_label("Address").fill(url)
    page.get_by_label("Key").fill(KEY)
    for label, value in more.items():
        page.get_by_label(label, exact=True).fill(value)


def trial(page: Page) -> Any:
    return page.locator("#trial")


def test_a_model_is_found_by_name_tried_kept_and_plays(visit: Visit, peer: str) -> None:
    page = visit("/connections")
    fill(page, f"{peer}/v1", Name="Katan")
    page.get_by_role("button", name="Ask which there are").click()
    expect(page.locator("#model-hint")).to_contain_text("model")
    expect(page.get_by_label("Model", exact=True)).to_have_value(re.compile("echo"))
    expect(page.get_by_label("Key")).to_have_value(KEY)
    page.locator(".bottom-acts").get_by_role("button", name="Try").click()
    expect(trial(page)).to_contain_text("It works.", timeout=60_000)
    shoot(page, "connection-tried")
    page.get_by_role("button", name="Keep").last.click()
    expect(page.locator(".connection", has_text="Katan")).to_contain_text("key saved")
    expect(page.locator(".connection", has_text="Katan").locator(".badge")).to_be_visible()
    page.goto("/")
    expect(page.locator(".understudy")).to_have_count(0)


def test_the_same_server_speaks_as_anthropic_too(visit: Visit, peer: str) -> None:
    page = visit("/connections")
    fill(page, peer, Model="echo")
    page.get_by_label("It speaks like").select_option("anthropic")
    page.locator(".bottom-acts").get_by_role("button", name="Try").click()
    expect(trial(page)).to_contain_text("It works.", timeout=60_000)


def test_a_key_never_comes_back_to_the_page(visit: Visit, peer: str) -> None:
    page = visit("/connections")
    fill(page, f"{peer}/v1", Model="echo", Name="Katan")
    page.get_by_role("button", name="Keep").last.click()
    page.get_by_role("link", name="Katan").click()
    expect(page.get_by_label("Key", exact=True)).to_have_value("")
    assert KEY not in page.content()
    page.locator(".bottom-acts").get_by_role("button", name="Try").click()
    expect(trial(page)).to_contain_text("It works.", timeout=60_000)
    assert KEY not in page.content()


def test_a_server_that_is_not_there_is_told_and_the_words_stay(visit: Visit) -> None:
    page = visit("/connections")
    fill(page, f"http://127.0.0.1:{free_port()}/v1", Model="echo", Name="Nobody")
    page.locator(".bottom-acts").get_by_role("button", name="Try").click()
    expect(trial(page).locator(".trouble")).to_be_visible(timeout=30_000)
    expect(page.get_by_label("Name", exact=True)).to_have_value("Nobody")
    shoot(page, "connection-trouble")


def test_a_server_that_fails_is_told_exactly(visit: Visit) -> None:
    with katan(error_rate=1.0) as failing:
        page = visit("/connections")
        fill(page, f"{failing}/v1", Model="echo")
        page.locator(".bottom-acts").get_by_role("button", name="Try").click()
        expect(trial(page).locator(".trouble")).to_be_visible(timeout=60_000)


def test_samplers_come_back_as_they_were_set(visit: Visit, peer: str) -> None:
    page = visit("/connections")
    fill(page, f"{peer}/v1", Model="echo", Name="Katan")
    page.locator("summary", has_text="How it writes").click()
    for label, value in {"Temperature": "0.8", "Min P": "0.05", "Window": "8192", "Stop at": "\\n\\n"}.items():
        page.get_by_label(label, exact=True).fill(value)
    page.get_by_label("Further fields").fill('{"mirostat": ')
    page.get_by_role("button", name="Keep").last.click()
    expect(page.locator("#extra_body-trouble")).to_contain_text("A JSON object")
    page.get_by_label("Further fields").fill('{"mirostat": 2}')
    page.get_by_label("Key").fill(KEY)
    page.get_by_role("button", name="Keep").last.click()
    page.get_by_role("link", name="Katan").click()
    expect(page.get_by_label("Temperature")).to_have_value("0.8")
    expect(page.get_by_label("Stop at")).to_have_value("\\n\\n")
    expect(page.get_by_label("Further fields")).to_have_value(re.compile("mirostat"))


def test_a_connection_is_deleted_and_brought_back(visit: Visit, peer: str) -> None:
    page = visit("/connections")
    fill(page, f"{peer}/v1", Model="echo", Name="Katan")
    page.get_by_role("button", name="Keep").last.click()
    page.get_by_role("button", name="Delete “Katan”").click()
    expect(page.locator(".connection")).to_have_count(0)
    page.get_by_role("button", name="Undo").click()
    expect(page.locator(".connection", has_text="Katan")).to_be_visible()


def test_this_computer_is_looked_through_when_asked(visit: Visit) -> None:
    page = visit("/connections")
    expect(page.locator("#found > li")).to_have_count(0)
    page.get_by_role("button", name="Look for servers").click()
    expect(page.locator("#found > li").first).to_be_visible()


@pytest.mark.parametrize(("phone", "dark", "language"), [(False, False, "en"), (True, True, "zh")])
def test_the_pages_of_models_are_sound_and_fit(visit: Visit, peer: str, phone: bool, dark: bool, language: str) -> None:
    page = visit("/connections", phone=phone, dark=dark, language=language)
    page.goto("/connections/new?choice=other")
    page.locator("#base_url").fill(f"{peer}/v1")
    page.locator("#model").fill("echo")
    page.locator(".button.primary").click()
    saved = page.locator("a.line-way").first.get_attribute("href")
    found = []
    for room, path in {
        "models": "/connections",
        "connecting": "/connections/new?choice=ollama",
        "model": saved,
    }.items():
        page.goto(str(path))
        folded = page.locator("details:not([open]) > summary")
        while folded.count():
            folded.first.click()
        shoot(page, f"{room}-{'phone' if phone else 'desktop'}-{'dark' if dark else 'light'}-{language}", whole=True)
        found += [f"{room}: {fault}" for fault in faults(page)]
        assert overflow(page) == 0, room
    assert found == []
