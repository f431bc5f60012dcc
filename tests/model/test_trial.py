"""Models are listed and found, and a trial tells the exact trouble."""

from __future__ import annotations

from dataclasses import replace

import pytest

from liyuan.domain.errors import Invalid, ModelFailed
from liyuan.model.choices import READY_CHOICES
from liyuan.model.connect import PROVIDERS, ModelSettings, Provider
from liyuan.model.local import Found, find_local
from liyuan.model.trial import list_models, try_connection
from tests.model.conftest import KEY
from tests.peers import Step, WildServer, answer, anthropic_stream, fault, free_port, google_stream, openai_stream

LISTS = {
    "openai": {"object": "list", "data": [{"id": "zeta"}, {"id": "alpha"}, {"id": "alpha"}]},
    "anthropic": {"data": [{"type": "model", "id": "claude-a"}], "has_more": False},
    "google": {
        "models": [
            {"name": "models/gemini-a", "supportedGenerationMethods": ["generateContent"]},
            {"name": "models/embed-a", "supportedGenerationMethods": ["embedContent"]},
        ]
    },
}
NAMES = {"openai": ["alpha", "zeta"], "anthropic": ["claude-a"], "google": ["gemini-a"]}


def settings(server: WildServer, provider: Provider = "openai") -> ModelSettings:
    return ModelSettings(provider=provider, base_url=server.url, api_key=KEY, name="wild", connect_timeout=5)


@pytest.mark.parametrize("provider", LISTS)
async def test_every_provider_lists_its_models(provider: Provider) -> None:
    async with WildServer(fault(200, LISTS[provider])).serving() as server:
        assert await list_models(settings(server, provider)) == NAMES[provider]
    assert any(KEY in value for value in server.asked[0].headers.values())


async def test_a_bare_list_is_a_list_too() -> None:
    async with WildServer(fault(200, ["b", "a"])).serving() as server:
        assert await list_models(settings(server)) == ["a", "b"]


async def test_the_understudy_lists_itself() -> None:
    assert await list_models(ModelSettings()) == ["understudy"]


@pytest.mark.parametrize(
    ("said", "kind"),
    [
        (fault(401, {"error": {"message": f"bad key {KEY}"}}), "unauthorized"),
        (fault(404, {}), "no-such-model"),
        (fault(429, {}, retry_after="3"), "rate-limited"),
        (fault(500, {}), "server-error"),
        ([answer(200, b"<html></html>", "text/html")], "malformed"),
        ([answer(200, b"{nonsense")], "malformed"),
        (fault(200, {"object": "nothing"}), "malformed"),
        ([], "cut-off"),
    ],
)
async def test_a_list_that_cannot_be_had_tells_why(said: list[Step], kind: str) -> None:
    async with WildServer(said).serving() as server:
        with pytest.raises(ModelFailed) as failure:
            await list_models(settings(server))
    assert failure.value.fields["kind"] == kind
    assert KEY not in f"{failure.value}{failure.value.fields}"


async def test_a_list_from_nobody() -> None:
    nobody = ModelSettings(provider="openai", base_url=f"http://127.0.0.1:{free_port()}", name="m")
    with pytest.raises(ModelFailed) as failure:
        await list_models(nobody)
    assert failure.value.fields["kind"] == "unreachable"


async def test_an_unreadable_key_is_not_sent() -> None:
    async with WildServer(fault(200, [])).serving() as server:
        with pytest.raises(ModelFailed):
            await list_models(replace(settings(server), api_key="密钥"))
        assert not server.asked


@pytest.mark.parametrize(
    ("provider", "said"),
    [
        ("openai", openai_stream("Yes, ", "one.")),
        ("anthropic", anthropic_stream("Yes, one.")),
        ("google", google_stream("Yes, one.")),
    ],
)
async def test_a_trial_shows_the_latency_and_what_was_said(provider: Provider, said: list[Step]) -> None:
    async with WildServer(said).serving() as server:
        tried = await try_connection(settings(server, provider))
    assert (tried.sample, tried.model) == ("Yes, one.", "wild")
    assert tried.latency > 0


async def test_a_trial_raises_the_trouble() -> None:
    async with WildServer(fault(404, {"error": {"message": "no such model"}})).serving() as server:
        with pytest.raises(ModelFailed) as failure:
            await try_connection(settings(server))
    assert failure.value.fields["kind"] == "no-such-model"


async def test_the_understudy_can_be_tried() -> None:
    tried = await try_connection(ModelSettings())
    assert tried.model == "understudy"
    assert tried.sample


async def test_a_trial_without_a_model_name_asks_for_one() -> None:
    with pytest.raises(Invalid):
        await try_connection(ModelSettings(provider="openai"))


async def test_local_servers_are_found_by_what_they_say() -> None:
    tabby = fault(200, {"data": [{"id": "mythos", "owned_by": "tabbyAPI"}]})
    kobold = fault(200, {"data": [{"id": "koboldcpp/tale"}]})
    async with (
        WildServer(tabby).serving() as one,
        WildServer(kobold).serving() as two,
        WildServer([answer(200, b"<html>", "text/html")]).serving() as page,
        WildServer(fault(401, {})).serving() as locked,
    ):
        ports = {int(server.url.rsplit(":", 1)[1]): "Something" for server in (one, two, page, locked)}
        found = await find_local({**ports, free_port(): "Nobody"})
    assert found == [
        Found(kind="TabbyAPI", base_url=f"{one.url}/v1", models=("mythos",)),
        Found(kind="KoboldCpp", base_url=f"{two.url}/v1", models=("koboldcpp/tale",)),
        Found(kind="Something", base_url=f"{locked.url}/v1", models=()),
    ]


def test_the_ready_choices_can_be_opened() -> None:
    for choice in READY_CHOICES:
        assert choice.provider in PROVIDERS
        if choice.base_url:
            assert ModelSettings(provider=choice.provider, base_url=choice.base_url).address == choice.base_url
        assert choice.needs_key == bool(choice.key_url) or choice.id == "tabbyapi"
    assert len({choice.id for choice in READY_CHOICES}) == len(READY_CHOICES)
