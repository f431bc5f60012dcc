"""A write is taken from our own pages and from programs, and from no other site. What was typed stays."""

from __future__ import annotations

import httpx
import pytest

from tests.web.browser import ADDRESS, Browser, page

EVIL = "http://evil.example"


async def test_a_form_of_our_own_page_is_taken(browser: Browser) -> None:
    answer = await browser.send("/probe", {"text": "good evening"})
    assert answer.json() == {"said": "good evening"}


async def test_a_request_of_htmx_brings_the_token_in_a_header(browser: Browser) -> None:
    answer = await browser.act("/probe", {"text": "good evening"})
    assert answer.json() == {"said": "good evening"}


@pytest.mark.parametrize(
    "said",
    [
        {"Origin": EVIL, "Sec-Fetch-Site": "cross-site"},
        {"Origin": "null", "Sec-Fetch-Site": "cross-site"},
        {"Origin": "http://127.0.0.1:8000", "Sec-Fetch-Site": "same-site"},
    ],
)
async def test_a_form_on_another_site_is_refused_even_with_the_token(browser: Browser, said: dict[str, str]) -> None:
    answer = await browser.send("/probe", {"text": "x"}, **said)
    assert answer.status_code == 403


@pytest.mark.parametrize(
    "origin", [EVIL, "null", "http://127.0.0.1:8000", "http://127.0.0.1", f"{ADDRESS}.evil.example"]
)
async def test_a_browser_that_tells_only_the_origin_is_judged_by_it(program: httpx.AsyncClient, origin: str) -> None:
    answer = await program.post("/api/v1/probe", json={"text": "x"}, headers={"Origin": origin})
    assert answer.status_code == 403
    assert answer.json()["type"] == "foreign-origin"


async def test_the_same_origin_may_use_the_api_with_json(program: httpx.AsyncClient) -> None:
    answer = await program.post("/api/v1/probe", json={"text": "x"}, headers={"Origin": ADDRESS})
    assert answer.status_code == 200


async def test_a_page_without_the_token_may_not_write(browser: Browser) -> None:
    answer = await browser.send("/probe", {"text": "x", "csrf": ""})
    assert answer.status_code == 403
    assert page(answer).find("h1").text == "This page is too old"


async def test_a_wrong_token_may_not_write(browser: Browser) -> None:
    assert (await browser.act("/probe", {"text": "x"}, **{"X-CSRF-Token": "x" * 43})).status_code == 403


async def test_a_form_may_not_write_to_the_api_with_our_cookie_alone(browser: Browser) -> None:
    await browser.arrive()
    refused = await browser.client.post("/api/v1/probe/form", data={"text": "x"}, headers={"Origin": ADDRESS})
    assert refused.status_code == 403


async def test_what_was_typed_into_a_stale_page_is_shown_again(browser: Browser) -> None:
    await browser.arrive()
    answer = await browser.send("/probe", {"csrf": "old", "text": "Wait <for> me", "expected_leaf": "e1"})
    shown = page(answer)
    assert shown.find("textarea", {"name": "text"}).text == "Wait <for> me"
    assert shown.find("input", {"name": "expected_leaf"})["value"] == "e1"


async def test_what_was_typed_into_a_stale_page_can_be_sent_again(browser: Browser) -> None:
    answer = await browser.send("/probe", {"csrf": "old", "text": "Wait for me"})
    form = page(answer).select_one("main form")
    fields = {field["name"]: field.get("value", field.text) for field in form.find_all(["input", "textarea"])}
    again = await browser.client.post(form["action"], data=fields, headers={"Origin": ADDRESS})
    assert again.json() == {"said": "Wait for me"}


async def test_htmx_is_told_of_a_stale_page_and_keeps_the_form(browser: Browser) -> None:
    answer = await browser.act("/probe", {"text": "x"}, **{"X-CSRF-Token": "old"})
    assert answer.status_code == 403
    assert answer.headers["HX-Retarget"] == "#toasts"
    assert answer.headers["HX-Reswap"] == "beforeend"


async def test_what_the_page_itself_put_into_the_form_is_not_shown_as_written(browser: Browser) -> None:
    answer = await browser.send(
        "/probe", {"csrf": "old", "text": "Hi", "shown": "4", "note": "by the river", "mode": "branch"}
    )
    assert [field["name"] for field in page(answer).find_all("textarea")] == ["text", "note"]
    assert page(answer).find("input", {"name": "mode"})["value"] == "branch"


async def test_a_key_that_was_typed_is_never_sent_back(browser: Browser) -> None:
    answer = await browser.send("/probe", {"csrf": "old", "name": "My server", "api_key": "sk-123", "password": "p4ss"})
    assert "My server" in answer.text
    assert "sk-123" not in answer.text
    assert "p4ss" not in answer.text


async def test_a_program_needs_no_token(program: httpx.AsyncClient) -> None:
    answer = await program.post("/api/v1/probe", json={"text": "good evening"})
    assert answer.json() == {"text": "good evening", "turns": 0}


async def test_a_program_may_send_a_file(program: httpx.AsyncClient) -> None:
    answer = await program.post("/api/v1/probe/file", files={"file": ("card.json", b"{}")})
    assert answer.json() == {"bytes": 2}


async def test_a_program_that_has_read_our_pages_may_send_a_file_too(browser: Browser) -> None:
    await browser.arrive()
    answer = await browser.client.post("/api/v1/probe/file", files={"file": ("card.json", b"{}")})
    assert answer.json() == {"bytes": 2}


@pytest.mark.parametrize(
    "said", [{"Origin": ADDRESS}, {"Sec-Fetch-Site": "same-origin"}, {"User-Agent": "Mozilla/5.0 (X11; rv:60.0)"}]
)
async def test_a_browser_that_sends_a_file_to_the_api_still_needs_the_token(
    browser: Browser, said: dict[str, str]
) -> None:
    await browser.arrive()
    refused = await browser.client.post("/api/v1/probe/file", files={"file": ("card.json", b"{}")}, headers=said)
    assert refused.json()["type"] == "stale-page"


async def test_a_large_upload_of_a_form_is_taken_when_its_token_comes_first(browser: Browser) -> None:
    answer = await browser.send("/probe/file", files={"file": ("card.png", bytes(50_000))})
    assert answer.json() == {"bytes": 50_000}


async def test_a_large_upload_with_a_wrong_token_is_refused(browser: Browser) -> None:
    answer = await browser.send("/probe/file", {"csrf": "old"}, files={"file": ("card.png", bytes(50_000))})
    assert answer.status_code == 403


async def test_reading_needs_no_proof(program: httpx.AsyncClient) -> None:
    assert (await program.get("/probe", headers={"Origin": EVIL, "Sec-Fetch-Site": "cross-site"})).status_code == 200
