"""A real server and a real browser. Every test has a server and a folder of its own; the browser is shared."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any, TypeAlias

import pytest
from playwright.sync_api import Browser, ConsoleMessage, Page, expect, sync_playwright

from tests.e2e.house import House, serving

CHROMIUM = os.environ.get("CHROMIUM", "/usr/bin/chromium")
DESKTOP = {"width": 1280, "height": 800}
PHONE = {"width": 390, "height": 844}
LOCALES = {"en": "en-US", "zh": "zh-CN"}

# No test waits for time to pass: what comes, comes sooner, and a machine with other work may take its time.
PATIENCE = 20_000
expect.set_options(timeout=PATIENCE)

Visit: TypeAlias = Callable[..., Page]


@pytest.fixture(scope="module")
def chromium() -> Iterator[Browser]:
    """One browser for each file: while Playwright is open its loop runs in this thread, and no async test could."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield browser
        browser.close()


@pytest.fixture
def house(tmp_path: Path) -> Iterator[House]:
    """A server where the understudy plays and no password is asked for."""
    with serving(tmp_path / "data") as house:
        yield house


@pytest.fixture
def visit(chromium: Browser, house: House) -> Iterator[Visit]:
    """Opens pages of `house`: `visit("/", phone=True, dark=True, language="zh", script=False)`.

    Each call is a visitor with cookies of its own. What the browser complains of fails the test.
    """
    complaints: list[str] = []
    with ExitStack() as open_pages:

        def open_page(
            path: str = "/",
            *,
            phone: bool = False,
            dark: bool = False,
            language: str = "en",
            script: bool = True,
            **options: Any,
        ) -> Page:
            context = open_pages.enter_context(
                chromium.new_context(
                    base_url=house.url,
                    viewport=PHONE if phone else DESKTOP,  # type: ignore[arg-type]
                    has_touch=phone,
                    is_mobile=phone,
                    color_scheme="dark" if dark else "light",
                    locale=LOCALES[language],
                    java_script_enabled=script,
                    **options,
                )
            )
            context.set_default_timeout(PATIENCE)
            page = context.new_page()
            page.on("pageerror", lambda error: complaints.append(str(error)))
            page.on("console", lambda message: complaints.extend(_complaints(message)))
            page.goto(path)
            return page

        yield open_page
    assert complaints == []


#: That an answer was refused, or a test has cut the line, is no fault of the page: the test looks at what it says.
EXPECTED = (
    "Failed to load resource: the server responded with a status of",
    "Failed to load resource: net::ERR_FAILED",
    "htmx: htmx:error: Failed to fetch",
)


def _complaints(message: ConsoleMessage) -> list[str]:
    """Errors of scripts."""
    return [message.text] if message.type == "error" and not message.text.startswith(EXPECTED) else []
