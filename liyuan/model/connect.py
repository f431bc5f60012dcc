"""Where a model is and how to open it. Light: nothing heavy is imported before the first word is asked for."""

from __future__ import annotations

import asyncio
import importlib
import ipaddress
from collections.abc import AsyncGenerator
from contextlib import aclosing
from dataclasses import dataclass, field
from typing import Literal, Protocol, TypeAlias, cast
from urllib.parse import urlsplit, urlunsplit

from liyuan.domain.errors import Invalid
from liyuan.model.chat import ChatModel, Request, Spoken
from liyuan.model.understudy import Understudy

Provider: TypeAlias = Literal["understudy", "openai", "anthropic", "google"]
"""`openai` is any server that speaks OpenAI's chat completions; `understudy` is the built-in performer."""

PROVIDERS: tuple[Provider, ...] = ("understudy", "openai", "anthropic", "google")

_HOME: dict[str, str] = {
    "openai": "https://api.openai.com/v1",
    "anthropic": "https://api.anthropic.com",
    "google": "https://generativelanguage.googleapis.com",
}
# What people paste after the part that is asked for.
_OVERHANG = {
    "openai": ("/chat/completions", "/completions", "/models"),
    "anthropic": ("/v1/messages", "/messages", "/v1"),
    "google": ("/v1beta/openai", "/v1beta", "/v1"),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelSettings:
    """Everything needed to speak to one model. Times are in seconds.

    `base_url` may be left empty for the provider's own address; what people paste (no scheme, no `/v1`, a
    whole endpoint) is understood, see `address`. `connect_timeout` is for reaching the server, `first_timeout`
    runs from there to the first piece (a local model may read a long prompt for minutes), `idle_timeout`
    between two pieces. `strict_roles` and `prefill` are decided by the server's kind when None:

    - strict roles: one system text in front, then user and assistant in turns, beginning with user. Many
      chat templates of local models take nothing else.
    - prefill: a request with purpose "continue" ends with the assistant's words for the server to carry on,
      instead of asking for the continuation in a last user message.
    """

    provider: Provider = "understudy"
    base_url: str = ""
    api_key: str = field(default="", repr=False)
    name: str = ""
    connect_timeout: float = 10.0
    first_timeout: float = 180.0
    idle_timeout: float = 60.0
    strict_roles: bool | None = None
    prefill: bool | None = None

    @property
    def address(self) -> str:
        """The base URL in the form the provider's library wants. Raises Invalid."""
        return _address(self.provider, self.base_url)

    @property
    def server(self) -> str:
        """Host and port for people to read: never a path, a user name or a password."""
        parts = urlsplit(self.address)
        return f"{parts.hostname}:{parts.port}" if parts.port else parts.hostname or ""

    @property
    def at_home(self) -> bool:
        """True when the server is on this computer or in the local network."""
        return is_near(urlsplit(self.address).hostname or "")


def open_model(settings: ModelSettings | None = None) -> ChatModel:
    """The model these settings speak of; the understudy when there are none. Opens no connection yet.

    Raises Invalid for an unknown provider, an address that is none, or a missing model name.
    """
    if settings is None or settings.provider == "understudy":
        return Understudy()
    if settings.provider not in PROVIDERS:
        raise Invalid("This cannot be done: there is no provider called {provider}.", provider=settings.provider)
    _address(settings.provider, settings.base_url)
    if not settings.name.strip():
        raise Invalid("This cannot be done: choose a model first.")
    return ConnectedModel(settings)


async def warm_up(settings: ModelSettings) -> None:
    """Load the libraries for this provider in a thread (some seconds), so that the first turn need not wait."""
    if settings.provider != "understudy":
        await asyncio.to_thread(_loaded, settings)


def is_near(host: str) -> bool:
    """True for loopback and private addresses and for names without a dot or ending in `.local`."""
    try:
        address = ipaddress.ip_address(host)
    except ValueError:
        return host == "host.docker.internal" or "." not in host or host.endswith((".local", ".lan", ".internal"))
    return address.is_loopback or address.is_private or address.is_link_local


class ConnectedModel:
    """A model on a server. The library that speaks to it is loaded at the first request."""

    def __init__(self, settings: ModelSettings) -> None:
        self._settings = settings
        self._inner: _Closing | None = None

    @property
    def name(self) -> str:
        return self._settings.name

    async def load(self) -> None:
        """Load the library now; the first `stream` does it otherwise."""
        if self._inner is None:
            self._inner = await asyncio.to_thread(_loaded, self._settings)

    async def stream(self, request: Request) -> AsyncGenerator[Spoken, None]:
        await self.load()
        assert self._inner is not None
        async with aclosing(self._inner.stream(request)) as pieces:
            async for spoken in pieces:
                yield spoken

    async def close(self) -> None:
        """Hang up the connections kept for the next request. The model can be used again afterwards."""
        if self._inner is not None:
            await self._inner.close()


class _Closing(ChatModel, Protocol):
    async def close(self) -> None: ...


def _loaded(settings: ModelSettings) -> _Closing:
    return cast(_Closing, importlib.import_module("liyuan.model.providers").ProviderModel(settings))


def _address(provider: str, given: str) -> str:
    text = given.strip() or _HOME.get(provider, "")
    if "://" not in text:
        text = f"{'http' if is_near(_host(text)) else 'https'}://{text}"
    try:
        parts = urlsplit(text)
        usable = parts.scheme in ("http", "https") and bool(parts.hostname) and (parts.port or 1) > 0
    except ValueError:
        usable = False
    if not usable or any(ch.isspace() for ch in text):
        raise Invalid("This cannot be done: {address} is not a web address.", address=given.strip()[:200])
    return urlunsplit((parts.scheme, parts.netloc, _path(provider, parts.path), "", ""))


def _path(provider: str, path: str) -> str:
    path = path.rstrip("/")
    for overhang in _OVERHANG.get(provider, ()):
        path = path.removesuffix(overhang)
    return "/v1" if provider == "openai" and not path else path


def _host(text: str) -> str:
    return urlsplit(f"//{text}").hostname or ""
