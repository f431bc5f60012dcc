"""Google's Gemini: one system text, turns that begin with the user, no fields of one's own in the body."""

from __future__ import annotations

from typing import Any, Final

import httpx2
from pydantic_ai.models import Model
from pydantic_ai.models.google import GoogleModel
from pydantic_ai.providers.google import GoogleProvider

from liyuan.model.chat import Sampling
from liyuan.model.connect import ModelSettings
from liyuan.model.dialect import Dialect, common_sampling, given


def open_google(settings: ModelSettings, http_client: httpx2.AsyncClient) -> Model[Any]:
    provider = GoogleProvider(
        api_key=settings.api_key.strip() or "no-key",
        base_url=settings.address,
        http_client=http_client,
    )
    return GoogleModel(settings.name, provider=provider)


def google_sampling(_: ModelSettings, sampling: Sampling) -> dict[str, Any]:
    """Gemini takes five stop strings at most; `extra_body` has no place in its library and is left out."""
    values = common_sampling(sampling) | given(
        top_k=sampling.top_k,
        frequency_penalty=sampling.frequency_penalty,
        presence_penalty=sampling.presence_penalty,
        seed=sampling.seed,
    )
    if "stop_sequences" in values:
        values["stop_sequences"] = values["stop_sequences"][:5]
    return values


DIALECT: Final = Dialect(open=open_google, sampling=google_sampling, strict_roles=lambda _: True, takes_schema=True)
