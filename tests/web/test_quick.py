"""Light or dark and the language, chosen beside any page: one stays where one was."""

from __future__ import annotations

import pytest

from tests.web.browser import ADDRESS, Browser, page


async def test_a_choice_leads_back_to_the_page_it_was_made_on(browser: Browser) -> None:
    answer = await browser.send("/settings/quick", {"theme": "dark"}, Referer=f"{ADDRESS}/characters?query=ash")
    assert (answer.status_code, answer.headers["location"]) == (303, "/characters?query=ash")
    root = page(await browser.read("/characters")).select_one("html")
    assert root and root["data-theme"] == "dark"


@pytest.mark.parametrize("referer", ["", "https://evil.example//evil.example/x", "javascript:alert(1)"])
async def test_it_never_leads_to_another_server(browser: Browser, referer: str) -> None:
    answer = await browser.send("/settings/quick", {"theme": "dark"}, Referer=referer)
    assert answer.headers["location"].startswith("/")
    assert not answer.headers["location"].startswith("//")


async def test_the_other_language_is_offered_in_its_own_words(browser: Browser) -> None:
    offered = page(await browser.read("/characters")).select_one(".quick [name=language]")
    assert offered and (offered["value"], offered.text) == ("zh", "中文")
    await browser.send("/settings/quick", {"language": "zh"})
    offered = page(await browser.read("/characters")).select_one(".quick [name=language]")
    assert offered and (offered["value"], offered.text) == ("en", "English")


async def test_one_choice_leaves_the_others_as_they_are(browser: Browser) -> None:
    await browser.send("/settings/quick", {"theme": "dark"})
    await browser.send("/settings/quick", {"language": "zh"})
    root = page(await browser.read("/characters")).select_one("html")
    assert root and (root["data-theme"], root["lang"]) == ("dark", "zh-Hans")


async def test_what_is_no_choice_is_refused(browser: Browser) -> None:
    assert (await browser.send("/settings/quick", {"theme": "purple"})).status_code == 422
