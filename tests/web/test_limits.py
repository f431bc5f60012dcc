"""Bodies have limits: uploads a large one, all else a small one, declared or not. (The server here: 20 and 100 kB.)"""

from __future__ import annotations

from collections.abc import AsyncIterator

import httpx

from tests.web.browser import Browser, page


async def endless() -> AsyncIterator[bytes]:
    """More than anybody takes, and no length told beforehand."""
    yield b'{"text": "'
    for _ in range(1000):
        yield b"x" * 1000
    yield b'"}'


async def test_a_body_of_the_usual_size_is_taken(program: httpx.AsyncClient) -> None:
    assert (await program.post("/api/v1/probe", json={"text": "x" * 10_000})).status_code == 200


async def test_a_body_that_says_it_is_too_large_is_refused(program: httpx.AsyncClient) -> None:
    answer = await program.post("/api/v1/probe", json={"text": "x" * 21_000})
    assert (answer.status_code, answer.json()["type"]) == (413, "too-large")


async def test_a_body_that_does_not_say_how_large_it_is_is_counted(program: httpx.AsyncClient) -> None:
    headers = {"Content-Type": "application/json"}
    answer = await program.post("/api/v1/probe", content=endless(), headers=headers)
    assert (answer.status_code, answer.json()["type"]) == (413, "too-large")


async def test_a_form_too_large_is_refused_with_a_page(browser: Browser) -> None:
    answer = await browser.send("/probe", {"text": "x" * 21_000})
    assert answer.status_code == 413
    assert page(answer).find("h1").text == "Too large"


async def test_a_file_may_be_larger_than_a_form(program: httpx.AsyncClient) -> None:
    answer = await program.post("/api/v1/probe/file", files={"file": ("card.png", bytes(60_000))})
    assert answer.json() == {"bytes": 60_000}


async def test_a_file_has_its_limit_too(program: httpx.AsyncClient) -> None:
    answer = await program.post("/api/v1/probe/file", files={"file": ("card.png", bytes(120_000))})
    assert (answer.status_code, answer.json()["type"]) == (413, "too-large")
