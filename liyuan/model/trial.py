"""Trying a connection before it is used: the models a server lists, and a real request with its latency."""

from __future__ import annotations

import time
from collections.abc import AsyncIterator
from contextlib import aclosing, asynccontextmanager
from dataclasses import dataclass
from typing import Any, Final

import httpx

from liyuan.domain.errors import ModelFailed
from liyuan.model.causes import causes_of, why_no_line
from liyuan.model.chat import ChatModel, Delta, Finish, Reasoning, Request, Said, Sampling
from liyuan.model.connect import ConnectedModel, ModelSettings, open_model
from liyuan.model.troubles import trouble, trouble_of_status

_LIST_SECONDS: Final = 15.0
_SAMPLE: Final = 200
# A thinking model needs room to come to its first word.
_TRIAL_TOKENS: Final = 512
_ASK: Final = (
    Said(role="system", text="You are the keeper of a small inn. Answer in one short sentence."),
    Said(role="user", text="Good evening. Is there a room left?"),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Tried:
    """A connection that works. `latency` is seconds to the first piece, thinking included."""

    latency: float
    sample: str
    model: str


async def list_models(settings: ModelSettings) -> list[str]:
    """The names of the models a server offers, sorted. Raises ModelFailed, or Invalid for an address that is none."""
    if settings.provider == "understudy":
        return ["understudy"]
    address, headers, params = _listing(settings)
    timeout = httpx.Timeout(_LIST_SECONDS, connect=settings.connect_timeout)
    try:
        async with httpx.AsyncClient(timeout=timeout, trust_env=not settings.at_home) as client:
            answer = await client.get(address, headers=headers, params=params)
    except httpx.HTTPError as error:
        raise _of_line(error, settings) from None
    if answer.status_code >= 400:
        raise trouble_of_status(settings, answer.status_code, answer.content, _retry_after(answer))
    if "html" in answer.headers.get("content-type", ""):
        raise trouble(settings, "malformed/page")
    return _names(answer, settings)


async def try_connection(settings: ModelSettings) -> Tried:
    """Puts one small request, as a story would. Raises ModelFailed with the exact trouble, or Invalid."""
    model = open_model(settings)
    request = Request(messages=_ASK, sampling=Sampling(max_tokens=_TRIAL_TOKENS), purpose="test", char="Innkeeper")
    if isinstance(model, ConnectedModel):
        await model.load()
    start = time.monotonic()
    latency: float | None = None
    sample, answered_as = "", settings.name
    async with _closed_after(model), aclosing(model.stream(request)) as pieces:
        async for spoken in pieces:
            if latency is None:
                latency = time.monotonic() - start
            match spoken:
                case Delta(text):
                    sample += text
                case Finish(model=name):
                    answered_as = name or answered_as
                case Reasoning():
                    pass
    return Tried(latency=latency or 0.0, sample=sample.strip()[:_SAMPLE], model=answered_as or model.name)


@asynccontextmanager
async def _closed_after(model: ChatModel) -> AsyncIterator[None]:
    try:
        yield
    finally:
        if isinstance(model, ConnectedModel):
            await model.close()


def _listing(settings: ModelSettings) -> tuple[str, dict[str, str], dict[str, str]]:
    key = settings.api_key.strip()
    if not key.isascii() or not key.isprintable() or " " in key:
        raise trouble(settings, "unauthorized/unreadable")
    match settings.provider:
        case "anthropic":
            headers = {"x-api-key": key, "authorization": f"Bearer {key}", "anthropic-version": "2023-06-01"}
            return f"{settings.address}/v1/models", headers, {"limit": "1000"}
        case "google":
            return f"{settings.address}/v1beta/models", {"x-goog-api-key": key}, {"pageSize": "1000"}
        case _:
            return f"{settings.address}/models", {"authorization": f"Bearer {key}"} if key else {}, {}


def _names(answer: httpx.Response, settings: ModelSettings) -> list[str]:
    try:
        names = names_in(answer.json())
    except ValueError:
        names = None
    if names is None:
        raise trouble(settings, "malformed")
    return names


def names_in(listed: Any) -> list[str] | None:
    """The names in a decoded list of models, in any provider's form; None when it is no such list."""
    if isinstance(listed, dict):
        listed = next((listed[key] for key in ("data", "models") if isinstance(listed.get(key), list)), None)
    return sorted({name for name in map(_name, listed) if name}) if isinstance(listed, list) else None


def _name(entry: Any) -> str:
    """A model by its id; Gemini's models that cannot write text are passed over."""
    if isinstance(entry, str):
        return entry
    if not isinstance(entry, dict):
        return ""
    methods = entry.get("supportedGenerationMethods")
    if isinstance(methods, list) and "generateContent" not in methods:
        return ""
    name = entry.get("id") or entry.get("name") or entry.get("model") or ""
    return str(name).removeprefix("models/")


def _retry_after(answer: httpx.Response) -> float | None:
    try:
        return float(answer.headers.get("retry-after", ""))
    except ValueError:
        return None


def _of_line(error: httpx.HTTPError, settings: ModelSettings) -> ModelFailed:
    if isinstance(error, httpx.ConnectTimeout | httpx.PoolTimeout):
        return trouble(settings, "timeout/connect", seconds=round(settings.connect_timeout))
    if isinstance(error, httpx.TimeoutException):
        return trouble(settings, "timeout/first", seconds=round(_LIST_SECONDS))
    unreachable = "unreachable" if isinstance(error, httpx.ConnectError) else "cut-off/early"
    return trouble(settings, why_no_line(causes_of(error)) or unreachable)
