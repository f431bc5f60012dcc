"""A model whose lines the test speaks itself, piece by piece, so that nothing hangs on how long things take."""

from __future__ import annotations

import asyncio
import queue
from collections.abc import AsyncGenerator
from typing import TypeAlias

from liyuan.model.chat import ChatModel, Delta, Finish, Reasoning, Request, Spoken, ToolCall, Usage

Line: TypeAlias = Delta | Reasoning | ToolCall | Finish | Exception
USAGE = Usage(input_tokens=1834, output_tokens=212, cost_usd=0.0031)
LOOK_EVERY = 0.005


class Prompter:
    """Answers `Reply n.` at once, n counting all requests. After `hold` it says only what the test tells it to."""

    def __init__(self) -> None:
        self.requests: list[Request] = []
        self.is_held = False
        self._lines: queue.SimpleQueue[Line] = queue.SimpleQueue()

    @property
    def name(self) -> str:
        return "prompter"

    def hold(self) -> None:
        self.is_held = True

    def say(self, text: str) -> None:
        self._lines.put(Delta(text))

    def think(self, text: str) -> None:
        self._lines.put(Reasoning(text))

    def call(self, call: ToolCall) -> None:
        """Asks for a tool and waits for the answer; the next line is of the next answer."""
        self._lines.put(call)
        self._lines.put(Finish(model=self.name, usage=USAGE, reason="tools"))

    def end(self) -> None:
        self._lines.put(Finish(model=self.name, usage=USAGE))

    def fail(self, error: Exception) -> None:
        self._lines.put(error)

    async def stream(self, request: Request) -> AsyncGenerator[Spoken, None]:
        self.requests.append(request)
        if not self.is_held:
            yield Delta(f"Reply {len(self.requests)}.")
            yield Finish(model=self.name, usage=USAGE)
            return
        while True:
            # The test runs in another thread, so there is no event of this loop it could set.
            while self._lines.empty():  # noqa: ASYNC110
                await asyncio.sleep(LOOK_EVERY)
            line = self._lines.get()
            if isinstance(line, Exception):
                raise line
            yield line
            if isinstance(line, Finish):
                return


def _conforms(model: Prompter) -> ChatModel:
    return model
