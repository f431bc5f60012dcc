"""OpenAI's chat completions, as OpenAI and the many servers that took them over speak them."""

from __future__ import annotations

from functools import cached_property
from typing import Any, Final
from urllib.parse import urlsplit

import httpx2
from openai import AsyncOpenAI
from openai.resources.chat import AsyncChat, AsyncCompletions
from pydantic_ai.models import Model
from pydantic_ai.models.openai import OpenAIChatModel
from pydantic_ai.profiles.openai import OpenAIModelProfile
from pydantic_ai.providers.openai import OpenAIProvider
from pydantic_ai.providers.openai_compatible import OpenAICompatibleProvider

from liyuan.model.chat import Sampling
from liyuan.model.connect import ModelSettings
from liyuan.model.dialect import Dialect, common_sampling, given

_NO_KEY: Final = "no-key"
# Services known to take system texts anywhere and the assistant speaking first.
_EASY: Final = ("api.openai.com", "openrouter.ai", "api.deepseek.com", "api.mistral.ai", "api.x.ai")


class _Completions(AsyncCompletions):
    """Hands messages to the line as they are. They are plain JSON already, and the SDK compares each of them with
    every kind of message it knows before it sends it: 0.1 to 0.3 s for the four hundred messages of a full window.
    """

    async def create(self, *, messages: Any, extra_body: Any = None, **rest: Any) -> Any:
        return await super().create(messages=[], extra_body={**(extra_body or {}), "messages": messages}, **rest)


class _Chat(AsyncChat):
    @cached_property
    def completions(self) -> _Completions:
        return _Completions(self._client)


class _Client(AsyncOpenAI):
    @cached_property
    def chat(self) -> _Chat:
        return _Chat(self)


def open_openai(settings: ModelSettings, http_client: httpx2.AsyncClient) -> Model[Any]:
    client = _Client(
        base_url=settings.address,
        api_key=settings.api_key.strip() or _NO_KEY,
        http_client=http_client,
        max_retries=0,
    )
    profile = OpenAIModelProfile(
        # `ThoughtsApart` does this, also when a tag is cut in two.
        thinking_tags=("", ""),
        supports_json_schema_output=True,
    )
    if _is_openai(settings):
        return OpenAIChatModel(settings.name, provider=OpenAIProvider(openai_client=client), profile=profile)
    profile = profile | OpenAIModelProfile(
        openai_chat_supports_max_completion_tokens=False,
        openai_chat_supports_multiple_system_messages=False,
        openai_supports_strict_tool_definition=False,
    )
    provider = OpenAICompatibleProvider("compatible", openai_client=client)
    return OpenAIChatModel(settings.name, provider=provider, profile=profile)


def openai_sampling(settings: ModelSettings, sampling: Sampling) -> dict[str, Any]:
    """Samplers OpenAI does not know go into the body as the other servers call them.

    OpenAI itself refuses unknown fields and a fifth stop string, so there they are left out. Servers at home
    know the repetition penalty under three names.
    """
    values = common_sampling(sampling) | given(
        frequency_penalty=sampling.frequency_penalty,
        presence_penalty=sampling.presence_penalty,
        seed=sampling.seed,
    )
    body: dict[str, Any] = {}
    if _is_openai(settings):
        if "stop_sequences" in values:
            values["stop_sequences"] = values["stop_sequences"][:4]
    else:
        body = given(top_k=sampling.top_k, min_p=sampling.min_p, repetition_penalty=sampling.repetition_penalty)
        if settings.at_home:
            body |= given(repeat_penalty=sampling.repetition_penalty, rep_pen=sampling.repetition_penalty)
    body |= dict(sampling.extra_body)
    return values | ({"extra_body": body} if body else {})


def _host(settings: ModelSettings) -> str:
    return urlsplit(settings.address).hostname or ""


def _is_openai(settings: ModelSettings) -> bool:
    return _host(settings) == "api.openai.com"


def _is_strict(settings: ModelSettings) -> bool:
    return _host(settings) not in _EASY


DIALECT: Final = Dialect(open=open_openai, sampling=openai_sampling, strict_roles=_is_strict, takes_schema=True)
