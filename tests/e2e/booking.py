"""A model that plays, keeps the ledger and writes summaries as the test has told it, and waits where it is held."""

from __future__ import annotations

import asyncio
import json
import threading
from collections import defaultdict
from collections.abc import AsyncGenerator
from typing import Any

from liyuan.model.chat import ChatModel, Delta, Finish, Request, Spoken

LOOK_EVERY = 0.005


class Company:
    """Replies are `Reply n.`; a patch or a summary is what was handed in last, or nothing new."""

    def __init__(self) -> None:
        self.requests: list[Request] = []
        self.patches: list[Any] = []
        self.summary = "They met at the inn."
        self._told: defaultdict[str, int] = defaultdict(int)
        self._free = threading.Event()
        self._free.set()

    @property
    def name(self) -> str:
        return "company"

    def book(self, **patch: Any) -> None:
        """The next answer of the scribe."""
        self.patches.append(patch)

    def hold_the_scribe(self) -> None:
        self._free.clear()

    def let_the_scribe_go(self) -> None:
        self._free.set()

    def asked(self, purpose: str) -> list[Request]:
        return [request for request in self.requests if request.purpose == purpose]

    async def stream(self, request: Request) -> AsyncGenerator[Spoken, None]:
        self.requests.append(request)
        yield Delta(await self._answer(request))
        yield Finish(model=self.name)

    async def _answer(self, request: Request) -> str:
        if request.purpose == "scribe":
            # The test runs in another thread, so there is no event of this loop it could set.
            while not self._free.is_set():  # noqa: ASYNC110
                await asyncio.sleep(LOOK_EVERY)
            patch = self.patches.pop(0) if self.patches else {}
            if isinstance(patch, Exception):
                raise patch
            return json.dumps(patch, ensure_ascii=False)
        if request.purpose == "summary":
            return self.summary
        self._told[request.purpose] += 1
        return f"Reply {self._told[request.purpose]}."


def _conforms(model: Company) -> ChatModel:
    return model
