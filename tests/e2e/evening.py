"""One evening at the play page: what a reader sees of it and does there, for the tests to say in one line."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

import httpx
from playwright.sync_api import Locator, Page, expect

from tests.e2e.house import House
from tests.tale import card

API = "/api/v1"


class Evening:
    """A page of one story."""

    def __init__(self, page: Page, story_id: str) -> None:
        self.page = page
        self.story_id = story_id

    @property
    def address(self) -> str:
        return f"/stories/{self.story_id}"

    @property
    def words(self) -> Locator:
        return self.page.locator("#words")

    @property
    def speeches(self) -> Locator:
        return self.page.locator(".speech")

    @property
    def last(self) -> Locator:
        return self.speeches.last

    def expect_texts(self, *texts: str) -> None:
        """The messages on the page, from the first to the last."""
        expect(self.page.locator(".speech .prose:not(.leaving)")).to_have_text(list(texts))

    def expect_counter(self, counter: str, speech: Locator | None = None) -> None:
        expect((speech or self.last).locator(".count")).to_have_text(counter)

    def begin(self, text: str) -> None:
        """Says something, and does not wait for the end of the answer."""
        self.words.fill(text)
        self.words.press("Enter")
        expect(self.words).to_have_value("")

    def say(self, text: str) -> None:
        """Says something and hears the answer out."""
        self.begin(text)
        self.expect_idle()

    def expect_idle(self) -> None:
        expect(self.page.locator(".performing")).to_have_count(0)
        expect(self.page.locator("[data-act=send]")).to_be_visible()

    def expect_performing(self) -> None:
        expect(self.page.locator("[data-act=stop]")).to_be_visible()

    def click(self, act: str, speech: Locator | None = None) -> None:
        """A control of a message, by default of the last one."""
        speech = speech or self.last
        speech.hover()
        speech.locator(f"[data-act={act}]").first.click()

    def choose_in_menu(self, words: str, speech: Locator | None = None) -> None:
        self.click("more", speech)
        self.page.locator("#more").get_by_text(words).click()

    def open_panel(self, name: str) -> None:
        """The panel under a tab, such as "world"."""
        tab = self.page.locator(f"#tab-{name}")
        tab.click()
        expect(tab).to_have_attribute("aria-selected", "true")

    def turns(self) -> int:
        self.open_panel("story")
        return int(self.page.locator("#turns").inner_text())

    def expect_at_the_end(self) -> None:
        """The end of the page is at the lower edge of the window, once the next frame has been painted."""
        page = "document.scrollingElement"
        self.until(f"{page}.scrollHeight - innerHeight - {page}.scrollTop <= 1")

    def until(self, holds: str) -> None:
        """Waits until an expression holds. Asked from outside: the page's policy lets nothing be evaluated in it."""
        for _ in range(400):
            if self.page.evaluate(holds):
                return
            self.page.wait_for_timeout(50)
        raise AssertionError(f"it never came to be that {holds}")


def open_story(house: House, *greetings: str, title: str = "The inn") -> str:
    """A new story with a character of these greetings; its id."""
    raw = card(greetings=greetings or ("Good evening.",))
    with httpx.Client(base_url=house.url + API) as client:
        file = {"file": ("ash.json", json.dumps(raw), "application/json")}
        made = client.post("/cards", files=file).raise_for_status().json()
        asked = {"card_id": made["id"], "title": title}
        return str(client.post("/conversations", json=asked).raise_for_status().json()["id"])


def plant_story(house: House, texts: Sequence[str], title: str = "A long one") -> str:
    """A story of these messages, the first one a greeting and then the reader's and replies in turn."""
    lines: list[dict[str, Any]] = [
        {"type": "conversation", "version": 1, "id": "long", "title": title, "card": card(), "persona": None}
    ]
    for number, text in enumerate(texts):
        lines.append(
            {
                "type": "entry",
                "id": f"e{number}",
                "parent_id": f"e{number - 1}" if number else None,
                "kind": "message",
                "role": "user" if number % 2 else "assistant",
                "text": text,
                "data": {},
                "status": "complete",
                "created_at": "2026-01-31T12:00:00Z",
            }
        )
    lines.append({"type": "leaf", "entry_id": f"e{len(texts) - 1}", "cause": "append", "at": "2026-01-31T12:00:00Z"})
    body = "\n".join(json.dumps(line) for line in lines) + "\n"
    with httpx.Client(base_url=house.url + API, timeout=120) as client:
        file = {"file": ("long.jsonl", body, "application/jsonl")}
        return str(client.post("/conversations/import", files=file).raise_for_status().json()["conversation"]["id"])
