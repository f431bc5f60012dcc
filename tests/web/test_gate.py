"""With a password set, nothing is open but the door, the health checks and the files of the pages."""

from __future__ import annotations

from pathlib import Path

import httpx
import pytest
from fastapi import FastAPI

from liyuan.model.scripted import ScriptedModel
from liyuan.store.library import keep_preferences
from liyuan.store.sign_ins import end_sign_in, list_sign_ins
from tests.web.browser import Browser, page, visiting
from tests.web.conftest import PASSWORD, made

BEARER = {"Authorization": f"Bearer {PASSWORD}".encode()}


async def test_a_password_in_the_settings_locks_the_server(tmp_path: Path, model: ScriptedModel) -> None:
    async with visiting(made(tmp_path / "data", model, password=PASSWORD)) as client:
        assert (await client.get("/probe")).status_code == 401
        assert (await client.get("/probe", headers=BEARER)).status_code == 200


@pytest.mark.parametrize("path", ["/healthz", "/readyz", "/login", "/static/css/base.css"])
async def test_the_door_and_the_health_checks_are_open(stranger: Browser, path: str) -> None:
    assert (await stranger.read(path)).status_code == 200


@pytest.mark.parametrize(
    "path", ["/probe", "/api/v1/probe", "/api/v1/nowhere", "/metrics", "/openapi.json", "/media/x", "//login"]
)
async def test_everything_else_is_locked(stranger: Browser, path: str) -> None:
    answer = await stranger.client.get(path)
    assert (answer.status_code, answer.headers["WWW-Authenticate"]) == (401, 'Bearer realm="liyuan"')


async def test_a_person_is_led_to_the_door_and_back_to_where_they_wanted(stranger: Browser) -> None:
    answer = await stranger.read("/probe?leaf=a%26b")
    assert answer.status_code == 303
    form = page(await stranger.read(answer.headers["Location"])).find("form")
    after = await stranger.send("/login", {"password": PASSWORD, "next": form.find("input", {"name": "next"})["value"]})
    assert after.headers["Location"] == "/probe?leaf=a%26b"
    assert (await stranger.read("/probe")).json() == {"seen": "yes"}


async def test_the_api_opens_to_a_bearer(stranger: Browser) -> None:
    assert (await stranger.client.get("/metrics", headers=BEARER)).status_code == 200
    answer = await stranger.client.post("/api/v1/probe", json={"text": "x"}, headers=BEARER)
    assert answer.status_code == 200


async def test_a_wrong_bearer_does_not_open_it(stranger: Browser) -> None:
    for said in ("Bearer guess", "Bearer", f"Basic {PASSWORD}".encode(), "bearer  "):
        answer = await stranger.client.get("/api/v1/probe", headers={"Authorization": said})
        assert answer.status_code == 401


async def test_guesses_of_a_bearer_are_throttled(stranger: Browser) -> None:
    answers = [await stranger.client.get("/probe", headers={"Authorization": f"Bearer {n}"}) for n in range(8)]
    assert [answer.status_code for answer in answers] == [401] * 5 + [429] * 3
    assert int(answers[-1].headers["Retry-After"]) >= 1


async def test_a_cookie_somebody_made_up_does_not_open_it(stranger: Browser) -> None:
    stranger.client.cookies.set("liyuan_sign_in", "x" * 43)
    assert (await stranger.client.get("/probe")).status_code == 401


async def test_what_was_typed_when_the_sign_in_had_ended_is_kept(owner: Browser, locked_app: FastAPI) -> None:
    await end_every_sign_in(locked_app)
    answer = await owner.send("/probe", {"text": "Wait for me by the river"})
    assert answer.status_code == 401
    shown = page(answer)
    assert shown.find("textarea", {"name": "text"}).text == "Wait for me by the river"
    assert shown.find("a", target="_blank")["href"].startswith("/login")


async def test_after_signing_in_elsewhere_the_same_form_can_be_sent_again(owner: Browser, locked_app: FastAPI) -> None:
    await end_every_sign_in(locked_app)
    form = page(await owner.send("/probe", {"text": "Wait for me"})).select_one("main form")
    await owner.send("/login", {"password": PASSWORD})
    fields = {field["name"]: field.get("value", field.text) for field in form.find_all(["input", "textarea"])}
    answer = await owner.client.post(form["action"], data=fields, headers={"Sec-Fetch-Site": "same-origin"})
    assert answer.json() == {"said": "Wait for me"}


async def test_htmx_is_given_a_way_to_sign_in_beside_the_form(owner: Browser, locked_app: FastAPI) -> None:
    await end_every_sign_in(locked_app)
    answer = await owner.act("/probe", {"text": "Wait for me"})
    assert answer.status_code == 401
    assert answer.headers["HX-Retarget"] == "#toasts"
    assert page(answer).find("a", target="_blank")["href"].startswith("/login")


async def test_a_page_drawn_before_the_sign_in_ended_can_send_after_a_new_one(
    owner: Browser, locked_app: FastAPI
) -> None:
    drawn_with = owner.token
    await end_every_sign_in(locked_app)
    await owner.send("/login", {"password": PASSWORD})
    assert (await owner.act("/probe", {"text": "x"}, **{"X-CSRF-Token": drawn_with})).status_code == 200


async def test_a_new_password_ends_every_sign_in(owner: Browser, locked_app: FastAPI, tmp_path: Path) -> None:
    other = made(tmp_path / "data", ScriptedModel(), password="another password")
    async with visiting(other) as client:
        client.cookies = owner.client.cookies
        assert (await client.get("/probe")).status_code == 401


async def test_no_preference_of_the_owner_shows_at_the_door_of_another_language(
    owner: Browser, locked_app: FastAPI
) -> None:
    resources = locked_app.state.resources
    await resources.database.write(keep_preferences, language="zh", theme="dark", text_size=99)
    root = page(await owner.read("/nowhere")).find("html")
    assert (root["lang"], root["data-theme"], root["data-text"]) == ("zh-Hans", "dark", "18")


async def test_without_a_password_everything_on_this_machine_is_open(program: httpx.AsyncClient) -> None:
    for path in ("/probe", "/metrics", "/openapi.json"):
        assert (await program.get(path)).status_code == 200


async def end_every_sign_in(app: FastAPI) -> None:
    database = app.state.resources.database
    for sign_in in await database.read(list_sign_ins):
        await database.write(end_sign_in, sign_in.id)
