"""A browser and a program, as far as the server can tell them apart: what they send along by themselves, and keep."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import httpx
from bs4 import BeautifulSoup
from fastapi import FastAPI

ADDRESS = "http://127.0.0.1:7620"
HTML = "text/html,application/xhtml+xml,*/*;q=0.8"


class Browser:
    """Keeps cookies, says where a form came from, and repeats the token of the page it has read."""

    def __init__(self, client: httpx.AsyncClient) -> None:
        self.client = client

    @property
    def token(self) -> str:
        return self.client.cookies.get("liyuan_browser", "")

    async def arrive(self) -> None:
        """Opens a page, if none has been opened yet: the door, or one that tells there is nothing."""
        for path in ("/login", "/nowhere"):
            if not self.token:
                await self.read(path)

    async def read(self, path: str, **headers: str) -> httpx.Response:
        """Follows a link."""
        return await self.client.get(path, headers={"Accept": HTML, **headers})

    async def send(
        self, path: str, fields: dict[str, Any] | None = None, *, files: Any = None, **headers: str
    ) -> httpx.Response:
        """Sends a form of a page that was read before, without any script."""
        await self.arrive()
        body = {"csrf": self.token, **(fields or {})}
        from_here = {"Accept": HTML, "Origin": ADDRESS, "Sec-Fetch-Site": "same-origin"}
        return await self.client.post(path, data=body, files=files, headers={**from_here, **headers})

    async def act(
        self, path: str, fields: dict[str, Any] | None = None, *, files: Any = None, **headers: str
    ) -> httpx.Response:
        """What htmx sends: the token in a header, and the answer as a fragment."""
        await self.arrive()
        said = {
            "Accept": "text/html",
            "HX-Request": "true",
            "X-CSRF-Token": self.token,
            "Sec-Fetch-Site": "same-origin",
        }
        return await self.client.post(path, data=fields or {}, files=files, headers={**said, **headers})


def page(response: httpx.Response) -> BeautifulSoup:
    """The answer as a parsed page."""
    return BeautifulSoup(response.text, "html.parser")


@asynccontextmanager
async def visiting(app: FastAPI, **options: Any) -> AsyncIterator[httpx.AsyncClient]:
    """A client of a server that has started up and will be shut down."""
    transport = httpx.ASGITransport(app, **options)
    async with (
        app.router.lifespan_context(app),
        httpx.AsyncClient(transport=transport, base_url=ADDRESS, follow_redirects=False) as client,
    ):
        yield client
