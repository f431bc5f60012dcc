"""The page of the models: what is connected, what plays, and that no key ever comes back."""

from __future__ import annotations

import json
import sys
from collections.abc import AsyncIterator

import pytest
from pydantic import SecretStr

from tests.peers import WildServer, answer, fault, openai_stream
from tests.web.browser import Browser, page, visiting
from tests.web.conftest import made

KEY = "sk-never-to-be-seen"


@pytest.fixture
async def server() -> AsyncIterator[WildServer]:
    wild = WildServer(openai_stream("There is ", "a room left."))
    async with wild.serving():
        yield wild


def fields(server: WildServer, **more: str) -> dict[str, str]:
    return {"provider": "openai", "base_url": server.url, "model": "wild", "key": KEY, "act": "keep", **more}


async def connect(browser: Browser, server: WildServer, **more: str) -> str:
    """Saves a connection; gives the address of its editor."""
    kept = await browser.send("/connections/new", fields(server, **more))
    assert kept.headers["location"] == "/connections"
    return str(page(await browser.read("/connections")).select("a.line-way")[-1]["href"])


async def who_plays(browser: Browser) -> list[str]:
    lines = page(await browser.read("/connections")).select(".line")
    return [line.select_one(".line-title").text for line in lines if line.select_one(".badge")]  # type: ignore[union-attr]


async def test_the_first_connection_plays_and_the_understudy_can_be_called_back(
    browser: Browser, server: WildServer
) -> None:
    assert await who_plays(browser) == ["The understudy"]
    await connect(browser, server, name="Home")
    away = await connect(browser, server, name="Away")
    assert await who_plays(browser) == ["Home"]
    await browser.send("/connections/default")
    assert await who_plays(browser) == ["The understudy"]
    await browser.send(f"{away}/default")
    assert await who_plays(browser) == ["Away"]


async def test_a_key_is_never_sent_to_the_browser_again(browser: Browser, server: WildServer) -> None:
    address = await connect(browser, server)
    pages = [await browser.read("/connections"), await browser.read(address)]
    pages += [await browser.act(address, fields(server, act=act)) for act in ("try", "models")]
    pages += [await browser.send(address, fields(server, temperature="hot"))]
    assert [KEY in one.text for one in pages] == [False] * 5
    assert "key saved" in pages[0].text


async def test_an_empty_key_keeps_the_saved_one_and_it_is_sent_to_its_server(
    browser: Browser, server: WildServer
) -> None:
    address = await connect(browser, server)
    tried = await browser.act(address, fields(server, key="", act="try"))
    assert "There is a room left." in tried.text
    assert server.asked[-1].headers["authorization"] == f"Bearer {KEY}"


async def test_a_saved_key_does_not_follow_to_another_address(browser: Browser, server: WildServer) -> None:
    address = await connect(browser, server)
    other = WildServer(openai_stream("I collect keys."))
    async with other.serving():
        answers = [await browser.send(address, fields(other, key="", act=act)) for act in ("try", "models", "keep")]
    assert other.asked == []
    assert answers[-1].status_code == 422
    assert all("not sent anywhere else" in one.text for one in answers)


async def test_trying_says_how_long_it_took_and_saves_nothing(browser: Browser, server: WildServer) -> None:
    tried = await browser.act("/connections/new", fields(server, act="try"))
    shown = page(tried).select_one("#trial")
    assert shown is not None and "It works." in shown.text and "There is a room left." in shown.text
    assert page(await browser.read("/connections")).select("a.line-way") == []


async def test_a_trouble_is_told_exactly(browser: Browser) -> None:
    server = WildServer(fault(401, {"error": {"message": "bad key"}}))
    async with server.serving():
        address = await connect(browser, server)
        tried = await browser.act(f"{address}/try")
        without_scripts = await browser.send(f"{address}/try")
    assert page(tried).select_one(".trouble") is not None
    assert page(tried).find("html") is None
    shown = page(without_scripts).select_one(f"#trial-{address.rpartition('/')[2]} .trouble")
    assert shown is not None and shown.text == page(tried).select_one(".trouble").text  # type: ignore[union-attr]


async def test_models_are_listed_and_a_single_one_is_filled_in(browser: Browser) -> None:
    one = WildServer([answer(200, json.dumps({"data": [{"id": "qwen-9b"}]}).encode())])
    async with one.serving():
        listed = page(await browser.act("/connections/new", fields(one, model="", act="models")))
    assert [option["value"] for option in listed.select("#models option")] == ["qwen-9b"]
    assert listed.select_one("#model")["value"] == "qwen-9b"  # type: ignore[index]
    refused = WildServer(fault(401, {}))
    async with refused.serving():
        told = page(await browser.act("/connections/new", fields(refused, act="models")))
    assert told.select_one("#model-field .field-trouble") is not None


async def test_what_cannot_be_read_is_told_and_nothing_is_saved(browser: Browser, server: WildServer) -> None:
    answers = [
        await browser.send("/connections/new", fields(server, top_p="2", act=act)) for act in ("keep", "try", "models")
    ]
    assert [one.status_code for one in answers] == [422, 422, 422]
    assert page(answers[0]).select_one("#top_p-trouble") is not None
    assert page(answers[1]).select_one("#trial .trouble") is not None
    assert page(answers[2]).select_one("#model-field .field-trouble") is not None
    assert server.asked == []
    assert page(await browser.read("/connections")).select("a.line-way") == []


async def test_a_ready_choice_fills_the_editor_in(browser: Browser) -> None:
    choices = page(await browser.read("/connections")).select("a.ready-choice")
    assert len(choices) == 11
    shown = page(await browser.read("/connections/new?choice=anthropic"))
    assert shown.select_one("option[selected]")["value"] == "anthropic"  # type: ignore[index]
    assert shown.select_one("main header a")["href"].startswith("https://")  # type: ignore[index, union-attr]


async def test_looking_around_is_done_when_asked_with_scripts_and_without(browser: Browser) -> None:
    assert page(await browser.read("/connections")).select_one("#found > li") is None
    assert page(await browser.act("/connections/local")).find("li") is not None
    assert page(await browser.send("/connections/local")).select_one("#found > li") is not None


async def test_a_deleted_connection_comes_back_with_its_key(browser: Browser, server: WildServer) -> None:
    address = await connect(browser, server)
    gone = await browser.send(f"{address}/delete")
    undo = page(await browser.read(gone.headers["location"])).select_one("form.toast")
    assert undo is not None and undo["action"] == f"{address}/undelete"
    assert await who_plays(browser) == ["The understudy"]
    await browser.act(f"{address}/undelete")
    await browser.act(f"{address}/try")
    assert server.asked[-1].headers["authorization"] == f"Bearer {KEY}"


async def test_the_environments_connection_is_shown_and_cannot_be_changed(tmp_path, model, server: WildServer) -> None:  # type: ignore[no-untyped-def]
    given = {"model_base_url": server.url, "model_name": "given", "model_api_key": SecretStr(KEY)}
    async with visiting(made(tmp_path / "data", model, **given)) as client:
        browser = Browser(client)
        shown = await browser.read("/connections")
        assert await who_plays(browser) == ["given"]
        assert page(shown).select("a.line-way") == []
        assert KEY not in shown.text
        assert "There is a room left." in (await browser.act("/connections/built-in/try")).text


async def test_whoever_opens_the_editor_need_not_wait_for_the_library_when_they_try(browser: Browser) -> None:
    await browser.read("/connections/new?choice=gemini")
    assert "liyuan.model.dialect_google" in sys.modules
