"""The Memory panel in a browser: it knows the branch one is on, and a swipe changes what it finds."""

from __future__ import annotations

import asyncio
from concurrent.futures import ThreadPoolExecutor

from playwright.sync_api import expect

from liyuan.jobs.indexing import index_all
from liyuan.store.indexing import order
from liyuan.store.memories import story_shelf
from tests.e2e.evening import Evening
from tests.e2e.house import House, faults, overflow, shoot


def remember(house: House, story_id: str) -> None:
    """What the indexer does behind the curtain."""
    resources = house.app.state.resources
    with resources.database.writing_now() as connection:
        order(connection, story_shelf(story_id))  # type: ignore[arg-type]
    with ThreadPoolExecutor(1) as beside:  # The browser has a loop in this thread.
        beside.submit(lambda: asyncio.run(index_all(resources))).result()


def search(evening: Evening, words: str) -> None:
    evening.page.locator(".memory-search input").fill(words)
    evening.page.locator(".memory-search input").press("Enter")
    expect(evening.page.locator("#memory-found")).to_be_visible()


def test_a_swipe_changes_what_memory_finds(evening: Evening, house: House) -> None:
    found = evening.page.locator("[aria-labelledby=memory-found] .memory-text")
    evening.say("Hello?")
    remember(house, evening.story_id)
    evening.open_panel("memory")
    search(evening, "Reply 1")
    expect(found.filter(has_text="Reply 1.")).to_have_count(1)
    evening.click("another")
    evening.expect_counter("2/2")
    evening.expect_idle()
    remember(house, evening.story_id)
    search(evening, "Reply 1 or Reply 2")
    expect(found.filter(has_text="Reply 2.")).to_have_count(1)
    expect(found.filter(has_text="Reply 1.")).to_have_count(0)
    evening.click("previous")
    evening.expect_counter("1/2")
    search(evening, "Reply 1 or Reply 2")
    expect(found.filter(has_text="Reply 1.")).to_have_count(1)
    expect(found.filter(has_text="Reply 2.")).to_have_count(0)


def test_a_memory_is_pinned_and_a_document_added(evening: Evening, house: House) -> None:
    evening.say("Where is the key?")
    remember(house, evening.story_id)
    evening.open_panel("memory")
    search(evening, "key")
    evening.page.get_by_role("button", name="Pin", exact=True).first.click()
    expect(evening.page.locator(".memory-line.is-pinned")).to_have_count(1)
    evening.page.locator("#memory-adding summary").click()
    file = {"name": "harbour.md", "mimeType": "text/markdown", "buffer": b"The ferry runs twice a day."}
    evening.page.locator("#memory-adding input[type=file]").set_input_files(file)  # type: ignore[arg-type]
    evening.page.locator("#memory-adding form button").click()
    expect(evening.page.locator(".documents b")).to_have_text("harbour.md")
    search(evening, "ferry")
    expect(evening.page.locator(".memory-where").filter(has_text="harbour.md")).to_have_count(1)
    assert faults(evening.page) == []
    assert overflow(evening.page) == 0
    shoot(evening.page, "memory")
