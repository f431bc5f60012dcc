"""A reader at the play page of one story, as the server sees them: what they read, and what they send."""

from __future__ import annotations

from typing import Any

import httpx
from bs4 import BeautifulSoup, Tag

from tests.tale import Tale
from tests.web.browser import Browser, page


class Reader:
    """Acts through htmx, as a page does that shows the story as it is; `send` is the same without scripts."""

    def __init__(self, browser: Browser, tale: Tale) -> None:
        self.browser = browser
        self.tale = tale
        self.address = f"/stories/{tale.id}"

    async def read(self, path: str = "", **headers: str) -> BeautifulSoup:
        answer = await self.browser.read(self.address + path, **headers)
        assert answer.status_code == 200, answer.text
        return page(answer)

    async def act(self, path: str, **fields: Any) -> httpx.Response:
        return await self.browser.act(f"{self.address}/{path}", await self._believing(fields))

    async def send(self, path: str, **fields: Any) -> httpx.Response:
        return await self.browser.send(f"{self.address}/{path}", await self._believing(fields))

    async def _believing(self, fields: dict[str, Any]) -> dict[str, Any]:
        return {"expected_leaf": await self.tale.leaf() or "", **fields}

    async def settle(self) -> None:
        """Waits until nobody performs."""
        performance = self.tale.resources.stage.here(self.tale.id)
        if performance:
            await performance.ended()


def parts(answer: httpx.Response) -> dict[str, BeautifulSoup]:
    """The parts of the page in an answer, by what they are for."""
    found = page(answer).find_all("hx-partial")
    return {str(part["hx-target"]): BeautifulSoup(part.decode_contents(), "html.parser") for part in found}


def texts(soup: BeautifulSoup | Tag) -> list[str]:
    """The messages in a page or a part of it."""
    return [prose.get_text(" ", strip=True) for prose in soup.select(".speech .prose:not(.leaving)")]


def leaf_of(soup: BeautifulSoup | Tag) -> str:
    field = soup.select_one("input.leaf")
    assert field is not None
    return str(field["value"])
