"""Only the server's own names are answered: the guard against DNS rebinding."""

from __future__ import annotations

from pathlib import Path

import httpx
import pytest

from liyuan.settings import Settings
from liyuan.web.hosts import is_ours


def settings(**given: object) -> Settings:
    return Settings(_env_file=None, data_dir=Path("data"), **given)  # type: ignore[arg-type, call-arg]


@pytest.mark.parametrize(
    "host", ["evil.example:7620", "localhost.evil.example", "127.0.0.1.evil.example", "", "[", "2130706433"]
)
async def test_a_foreign_name_bound_to_this_server_is_refused(program: httpx.AsyncClient, host: str) -> None:
    answer = await program.get("/api/v1/probe", headers={"Host": host})
    assert answer.status_code == 403
    assert answer.json()["type"] == "foreign-host"


async def test_a_foreign_name_gets_no_page_and_no_file(program: httpx.AsyncClient) -> None:
    for path in ("/probe", "/login", "/static/css/base.css", "/healthz", "/metrics"):
        answer = await program.get(path, headers={"Host": "evil.example"})
        assert answer.status_code == 403


@pytest.mark.parametrize(
    "host", ["localhost:7620", "LOCALHOST", "localhost.", "127.0.0.1", "[::1]:7620", "127.9.9.9:1"]
)
async def test_the_names_of_this_machine_are_answered(program: httpx.AsyncClient, host: str) -> None:
    assert (await program.get("/probe", headers={"Host": host})).status_code == 200


def test_an_address_of_another_machine_is_not_ours_on_loopback() -> None:
    assert not is_ours("192.168.1.5", settings())


def test_any_address_is_ours_once_others_are_served() -> None:
    everywhere = settings(host="0.0.0.0", password="p")
    assert is_ours("192.168.1.5", everywhere)
    assert is_ours("fe80::1", everywhere)
    assert not is_ours("evil.example", everywhere)


def test_the_configured_name_is_ours() -> None:
    assert is_ours("story.home.arpa", settings(host="Story.home.arpa", password="p"))


def test_listed_names_are_ours_and_a_star_stands_for_what_is_below() -> None:
    listed = settings(allowed_hosts="inn.example, *.rain.example")
    assert is_ours("inn.example", listed)
    assert is_ours("a.b.rain.example", listed)
    assert not is_ours("rain.example", listed)
    assert not is_ours("arain.example", listed)
    assert not is_ours("inn.example.evil.example", listed)
