"""Anthropic's messages: turns that alternate, cache marks at the ends of stable parts, and a reply to carry on."""

from __future__ import annotations

from typing import Any, Final

import httpx2
from anthropic import AsyncAnthropic
from pydantic_ai.models import Model
from pydantic_ai.models.anthropic import AnthropicModel
from pydantic_ai.providers.anthropic import AnthropicProvider

from liyuan.model.chat import Sampling
from liyuan.model.connect import ModelSettings
from liyuan.model.dialect import Dialect, common_sampling, given

_HOME: Final = "api.anthropic.com"
_REPLY_TOKENS: Final = 4096


def open_anthropic(settings: ModelSettings, http_client: httpx2.AsyncClient) -> Model[Any]:
    key = settings.api_key.strip() or "no-key"
    client = AsyncAnthropic(
        base_url=settings.address,
        api_key=key,
        # The library sends the key as a bearer; servers that stand in for Anthropic look for the older header.
        default_headers={} if settings.server == _HOME else {"x-api-key": key},
        http_client=http_client,
        max_retries=0,
    )
    return AnthropicModel(settings.name, provider=AnthropicProvider(anthropic_client=client))


def anthropic_sampling(_: ModelSettings, sampling: Sampling) -> dict[str, Any]:
    """Anthropic wants a limit, a temperature of at most 1, no stop string of white space only, and not
    temperature and top_p together: the temperature wins."""
    values = {"max_tokens": _REPLY_TOKENS} | common_sampling(sampling) | given(top_k=sampling.top_k)
    if sampling.temperature is not None:
        values["temperature"] = min(sampling.temperature, 1.0)
        values.pop("top_p", None)
    stops = [stop for stop in values.pop("stop_sequences", ()) if stop.strip()]
    if stops:
        values["stop_sequences"] = stops
    if sampling.extra_body:
        values["extra_body"] = dict(sampling.extra_body)
    return values


DIALECT: Final = Dialect(
    open=open_anthropic,
    sampling=anthropic_sampling,
    strict_roles=lambda _: True,
    prefills=True,
    cache_marks=True,
    extra={"anthropic_cache_instructions": True},
)
