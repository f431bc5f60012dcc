"""The line to a server: an HTTP client per event loop, which notices what is no stream and how a stream ended.

Heavy (HTTP client, SDK types): imported only through `providers`.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Generic, TypeVar
from weakref import WeakKeyDictionary

import httpx2
from pydantic_ai.models import create_async_httpx2_client

from liyuan.model.connect import ModelSettings
from liyuan.model.troubles import clean, trouble, trouble_of_status, words_of

_TAIL = 4096
_COST = re.compile(rb'(?<!\\)"cost"\s*:\s*([0-9]+(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?)')
_T = TypeVar("_T")


class Watch:
    """What one request's bytes looked like on the line."""

    def __init__(self, settings: ModelSettings) -> None:
        self.settings = settings
        self.tail = b""
        self.response: httpx2.Response | None = None

    async def hang_up(self) -> None:
        """Close the connection of a stream that is left in the middle; not every library does."""
        if self.response is not None:
            await self.response.aclose()

    @property
    def said_done(self) -> bool:
        """True when the stream ended with the line that OpenAI's protocol ends with."""
        return b"[DONE]" in self.tail

    @property
    def cost(self) -> float | None:
        """US dollars, where a gateway (OpenRouter) puts them into the usage at the end."""
        found = _COST.findall(self.tail)
        return float(found[-1]) if found else None


_watch: ContextVar[Watch | None] = ContextVar("watch", default=None)


@contextmanager
def watched(watch: Watch) -> Iterator[None]:
    """The request that is sent inside is seen by this watch. No `yield` of a generator may come between."""
    token = _watch.set(watch)
    try:
        yield
    finally:
        _watch.reset(token)


#: Connections at once. A transport by itself would open a hundred and let the next caller wait until it is refused.
LIMITS = httpx2.Limits(max_connections=1000, max_keepalive_connections=20)


def http_client(settings: ModelSettings) -> httpx2.AsyncClient:
    """A client with our time limits. A server at home is reached past any proxy of the environment."""
    longest = max(settings.first_timeout, settings.idle_timeout) + 5
    client = create_async_httpx2_client(
        timeout=httpx2.Timeout(longest, connect=settings.connect_timeout, pool=settings.connect_timeout),
        limits=LIMITS,
        transport=httpx2.AsyncHTTPTransport(limits=LIMITS) if settings.at_home else None,
    )
    client.event_hooks["response"].append(_look_at)
    return client


class Lines(Generic[_T]):
    """What was made with an HTTP client, once for each running event loop: loops cannot share connections."""

    def __init__(self, settings: ModelSettings, make: Callable[[ModelSettings, httpx2.AsyncClient], _T]) -> None:
        self._settings = settings
        self._make = make
        self._made: WeakKeyDictionary[asyncio.AbstractEventLoop, tuple[httpx2.AsyncClient, _T]] = WeakKeyDictionary()

    def here(self) -> _T:
        loop = asyncio.get_running_loop()
        if loop not in self._made:
            client = http_client(self._settings)
            self._made[loop] = (client, self._make(self._settings, client))
        return self._made[loop][1]

    async def close(self) -> None:
        """Hang up the connections of this loop; the next request opens new ones."""
        made = self._made.pop(asyncio.get_running_loop(), None)
        if made is not None:
            await made[0].aclose()


async def _look_at(response: httpx2.Response) -> None:
    watch = _watch.get()
    if watch is None or response.status_code >= 400:
        return
    watch.response = response
    kind = response.headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind == "text/html":
        raise trouble(watch.settings, "malformed/page")
    if kind == "application/json":
        raise await _not_streamed(watch.settings, response)
    if isinstance(response.stream, httpx2.AsyncByteStream):
        response.stream = _Tapped(response.stream, watch)


async def _not_streamed(settings: ModelSettings, response: httpx2.Response) -> Exception:
    """Some gateways answer 200 with an error in JSON; others are asked to stream and do not."""
    body = await response.aread()
    if b'"error"' in body[:400] and clean(words_of(body), settings):
        return trouble_of_status(settings, 400, body)
    return trouble(settings, "malformed/whole")


class _Tapped(httpx2.AsyncByteStream):
    def __init__(self, inner: httpx2.AsyncByteStream, watch: Watch) -> None:
        self._inner = inner
        self._watch = watch

    async def __aiter__(self) -> AsyncIterator[bytes]:
        async for chunk in self._inner:
            self._watch.tail = (self._watch.tail + chunk)[-_TAIL:]
            yield chunk

    async def aclose(self) -> None:
        await self._inner.aclose()
