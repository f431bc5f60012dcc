"""The door: who has the password comes in, and who leaves must show it again."""

from __future__ import annotations

import pytest
from fastapi import FastAPI

from liyuan.store.sign_ins import list_sign_ins
from liyuan.web.login import local
from tests.web.browser import Browser, page
from tests.web.conftest import PASSWORD


async def test_the_right_password_lets_the_browser_in(stranger: Browser) -> None:
    answer = await stranger.send("/login", {"password": PASSWORD, "next": "/probe"})
    assert (answer.status_code, answer.headers["Location"]) == (303, "/probe")
    assert (await stranger.read("/probe")).status_code == 200


async def test_the_cookie_is_kept_from_scripts_and_from_other_sites(stranger: Browser) -> None:
    cookie = (await stranger.send("/login", {"password": PASSWORD})).headers["Set-Cookie"]
    assert cookie.startswith("liyuan_sign_in=")
    assert "HttpOnly" in cookie
    assert "SameSite=Lax" in cookie


async def test_only_a_hash_of_the_cookie_is_stored(owner: Browser, locked_app: FastAPI) -> None:
    token = owner.client.cookies["liyuan_sign_in"]
    (kept,) = await locked_app.state.resources.database.read(list_sign_ins)
    assert token not in repr(kept)


async def test_a_wrong_password_says_so_and_lets_nobody_in(stranger: Browser) -> None:
    answer = await stranger.send("/login", {"password": "guess", "next": "/probe"})
    assert answer.status_code == 401
    assert "That is not the password" in page(answer).find(role="alert").text
    assert page(answer).find("input", {"name": "next"})["value"] == "/probe"
    assert "guess" not in answer.text
    assert (await stranger.client.get("/probe")).status_code == 401


async def test_guesses_at_the_door_are_throttled(stranger: Browser) -> None:
    answers = [await stranger.send("/login", {"password": str(number)}) for number in range(6)]
    assert [answer.status_code for answer in answers] == [401] * 5 + [429]
    assert answers[-1].headers["Retry-After"] == "1"
    assert "Too many tries" in page(answers[-1]).find(role="alert").text


async def test_another_site_may_not_sign_a_browser_in(stranger: Browser) -> None:
    answer = await stranger.send(
        "/login", {"password": PASSWORD}, Origin="http://evil.example", **{"Sec-Fetch-Site": "cross-site"}
    )
    assert answer.status_code == 403


async def test_signing_out_ends_this_sign_in_for_good(owner: Browser, locked_app: FastAPI) -> None:
    token = owner.client.cookies["liyuan_sign_in"]
    assert (await owner.send("/logout")).status_code == 303
    owner.client.cookies.set("liyuan_sign_in", token)
    assert (await owner.client.get("/probe")).status_code == 401
    assert await locked_app.state.resources.database.read(list_sign_ins) == ()


async def test_who_is_in_already_goes_on(owner: Browser) -> None:
    answer = await owner.read("/login?next=/probe")
    assert (answer.status_code, answer.headers["Location"]) == (303, "/probe")


async def test_a_server_without_password_has_no_door(browser: Browser) -> None:
    assert (await browser.read("/login")).headers["Location"] == "/"


@pytest.mark.parametrize("address", ["/", "/conversations/c1?leaf=e1#e1"])
def test_an_address_of_ours_may_follow(address: str) -> None:
    assert local(address) == address


@pytest.mark.parametrize(
    "address", ["http://evil.example", "//evil.example", "/\\evil.example", "javascript:alert(1)", "", "x", "/a\nb"]
)
def test_no_other_address_may_follow(address: str) -> None:
    assert local(address) == "/"
