"""Against llm-katan, a server nobody here wrote: its OpenAI and Anthropic shapes, latency, errors and limits."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from liyuan.domain.errors import ModelFailed
from liyuan.model.chat import Delta, Request, Said
from liyuan.model.connect import ConnectedModel, ModelSettings, Provider, open_model
from liyuan.model.trial import list_models, try_connection
from tests.model.conftest import Reply, hear
from tests.peers import katan

pytestmark = pytest.mark.slow

BOTH: tuple[Provider, ...] = ("openai", "anthropic")
STORY = Request(
    messages=(
        Said(role="system", text="You are the keeper of an inn.", stable=True),
        Said(role="assistant", text="*The lamp is lit.* “Come in.”", stable=True),
        Said(role="user", text="青梧在吗？🏮 Is anyone here?"),
    )
)


@pytest.fixture(scope="module")
def peer() -> Iterator[str]:
    with katan(providers="openai,anthropic", itl_ms=2) as url:
        yield url


def settings(url: str, provider: Provider, **other: object) -> ModelSettings:
    return ModelSettings(provider=provider, base_url=url, api_key="test", name="echo", **other)  # type: ignore[arg-type]


async def reply(url: str, provider: Provider, request: Request = STORY, **other: object) -> Reply:
    model = open_model(settings(url, provider, **other))
    assert isinstance(model, ConnectedModel)
    try:
        return await hear(model, request)
    finally:
        await model.close()


@pytest.mark.parametrize("provider", BOTH)
async def test_it_streams_a_whole_reply(peer: str, provider: Provider) -> None:
    heard = await reply(peer, provider)
    assert "青梧在吗？🏮 Is anyone here?" in heard.text
    assert len([piece for piece in heard.pieces if isinstance(piece, Delta)]) > 3
    assert heard.finish.reason == "stop"
    assert heard.finish.usage.input_tokens


@pytest.mark.parametrize("provider", BOTH)
async def test_it_takes_a_continuation(peer: str, provider: Provider) -> None:
    request = Request(messages=STORY.messages[:2], purpose="continue")
    assert (await reply(peer, provider, request)).finish.reason == "stop"


async def test_its_models_are_listed(peer: str) -> None:
    assert await list_models(settings(peer, "openai")) == ["echo"]


@pytest.mark.parametrize("provider", BOTH)
async def test_a_connection_is_tried_with_a_real_request(peer: str, provider: Provider) -> None:
    tried = await try_connection(settings(peer, provider))
    assert (tried.model, bool(tried.sample), tried.latency > 0) == ("echo", True, True)


async def test_a_missing_key_is_told() -> None:
    with katan(validate_keys=True, api_keys="openai=right") as url:
        assert (await reply(url, "openai")).kind == "unauthorized"
        with pytest.raises(ModelFailed) as failure:
            await try_connection(settings(url, "openai"))
        assert failure.value.fields["kind"] == "unauthorized"


@pytest.mark.parametrize(
    ("option", "value", "kind"),
    [
        ("rate_limit_after", 1, "rate-limited"),
        ("timeout_after", 1, "server-error"),
        ("error_rate", 1.0, "server-error"),
    ],
)
async def test_its_injected_errors_are_told_apart(option: str, value: float, kind: str) -> None:
    with katan(providers="openai,anthropic", **{option: value}) as url:
        first = await reply(url, "openai")
        assert first.failure is None or option == "error_rate"
        assert (await reply(url, "openai")).kind == kind
        assert (await reply(url, "anthropic")).kind == kind


async def test_a_slow_first_word_runs_into_the_limit_and_a_patient_reader_hears_it() -> None:
    with katan(ttft_ms=700) as url:
        assert (await reply(url, "openai", first_timeout=0.2)).kind == "timeout"
        assert (await reply(url, "openai")).finish.reason == "stop"
