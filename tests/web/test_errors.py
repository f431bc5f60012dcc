"""Every trouble is told in the shape its asker can use, and no inside of the server is told at all."""

from __future__ import annotations

import json

import httpx
import pytest
from structlog.testing import capture_logs

from tests.web.browser import Browser, page

WRITTEN = {"text": "Wait for me by the river"}


async def test_the_api_answers_with_a_problem(program: httpx.AsyncClient) -> None:
    answer = await program.get("/api/v1/trouble/moved")
    assert answer.status_code == 409
    assert answer.headers["content-type"] == "application/problem+json"
    assert answer.json() == {
        "type": "leaf-moved",
        "title": "The story has moved on",
        "status": 409,
        "detail": "The story has moved on since this page was drawn. Nothing was changed and your words are kept.",
        "leaf_id": "0123",
    }


async def test_a_person_is_answered_with_a_page(browser: Browser) -> None:
    answer = await browser.read("/probe/busy")
    assert answer.status_code == 409
    assert page(answer).find("h1").text == "A reply is being written"


async def test_htmx_is_answered_with_a_toast_that_moves_nothing_else(browser: Browser) -> None:
    answer = await browser.act("/probe/busy", WRITTEN)
    assert answer.status_code == 409
    assert answer.headers["HX-Retarget"] == "#toasts"
    assert answer.headers["HX-Push-Url"] == "false"
    toast = page(answer).find(class_="toast")
    assert toast["data-kind"] == "busy"
    assert "Wait for it, or stop it" in toast.text
    assert "<html" not in answer.text


async def test_words_sent_without_script_come_back_whatever_went_wrong(browser: Browser) -> None:
    for trouble in ("busy", "moved", "invalid", "fault"):
        answer = await browser.send(f"/probe/{trouble}", WRITTEN)
        assert page(answer).find("textarea").text == WRITTEN["text"]


async def test_an_unknown_address_is_told_as_such(browser: Browser) -> None:
    assert (await browser.read("/nowhere")).status_code == 404
    told = await browser.client.get("/api/v1/nowhere")
    assert (told.status_code, told.json()["type"]) == (404, "not-found")


async def test_a_method_that_is_not_taken_names_those_that_are(program: httpx.AsyncClient) -> None:
    answer = await program.delete("/api/v1/probe")
    assert (answer.status_code, answer.json()["type"]) == (405, "method-not-allowed")
    assert answer.headers["allow"] == "POST"


async def test_a_field_that_is_wrong_is_named_and_not_repeated(program: httpx.AsyncClient) -> None:
    answer = await program.post("/api/v1/probe", json={"text": "x", "turns": "sk-a-key-in-the-wrong-field"})
    assert (answer.status_code, answer.json()["type"]) == (422, "invalid")
    assert answer.json()["errors"][0]["loc"] == ["body", "turns"]
    assert "sk-a-key" not in answer.text


async def test_a_body_that_is_no_json_is_told_as_such(program: httpx.AsyncClient) -> None:
    answer = await program.post("/api/v1/probe", content=b"{", headers={"Content-Type": "application/json"})
    assert (answer.status_code, answer.json()["type"]) == (422, "invalid")


@pytest.mark.parametrize("path", ["/probe/fault", "/api/v1/trouble/fault"])
async def test_a_fault_of_ours_shows_a_number_and_nothing_of_the_server(program: httpx.AsyncClient, path: str) -> None:
    with capture_logs() as logs:
        answer = await program.post(path, data=WRITTEN, headers={"Authorization": "Bearer x"})
    assert answer.status_code == 500
    assert "secret" not in answer.text
    assert "Traceback" not in answer.text
    (fault,) = [line for line in logs if line["event"] == "fault"]
    assert fault["number"] in answer.text


async def test_the_log_of_a_fault_holds_its_place_and_no_words(browser: Browser) -> None:
    with capture_logs() as logs:
        await browser.send("/probe/fault", WRITTEN)
    (fault,) = [line for line in logs if line["event"] == "fault"]
    assert fault["kind"] == "RuntimeError"
    assert fault["route"] == "/probe/{trouble}"
    assert any("conftest.py" in place for place in fault["at"])
    assert "river" not in json.dumps(logs)
    assert "secret" not in json.dumps(logs)


async def test_an_error_speaks_the_language_of_the_browser(browser: Browser) -> None:
    answer = await browser.read("/probe/busy", **{"Accept-Language": "zh-CN,zh;q=0.9,en;q=0.1"})
    assert page(answer).find("h1").text == "正在写回复"
    assert page(answer).find("html")["lang"] == "zh-Hans"


async def test_a_page_that_failed_leads_back_to_where_the_person_was(browser: Browser) -> None:
    answer = await browser.read("/probe/busy", Referer="http://127.0.0.1:7620/conversations/c1")
    assert page(answer).find("a", string="Back to where you were")["href"] == "/conversations/c1"


async def test_a_page_that_failed_never_leads_to_another_site(browser: Browser) -> None:
    answer = await browser.read("/probe/busy", Referer="http://evil.example/trap")
    assert page(answer).find("a", string="Back to where you were")["href"] == "/"


async def test_a_program_that_takes_no_pages_gets_a_problem_everywhere(program: httpx.AsyncClient) -> None:
    answer = await program.get("/probe/busy", headers={"Accept": "application/json"})
    assert answer.json()["type"] == "busy"
