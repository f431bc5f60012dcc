"""A ChatModel that plays a script, for tests. It keeps every request and fails loudly at the script's end."""

from __future__ import annotations

import asyncio
from collections import defaultdict, deque
from collections.abc import AsyncGenerator, Awaitable, Callable
from typing import TypeAlias

from liyuan.model.chat import ChatModel, Delta, Finish, Purpose, Reasoning, Request, Spoken, ToolCall

Piece: TypeAlias = str | Reasoning | ToolCall | Finish | asyncio.Event | Exception | float
"""Said (str, Reasoning, ToolCall, Finish), waited for (an Event, seconds), or raised (an exception)."""

Step: TypeAlias = Piece | Callable[[], Awaitable[object]]
Reply: TypeAlias = Piece | list[Step]
Script: TypeAlias = Reply | Callable[[Request], Reply]


class ScriptExhausted(AssertionError):
    """The code under test asked the model once more than the test foresaw."""


class ScriptedModel:
    """Answers requests from a queue of replies.

    A reply is a text, or a list of steps: pieces of text, `Reasoning`, a `ToolCall`, an `asyncio.Event` to wait
    for, a pause in seconds, an async function to await, an exception to raise, a `Finish`. A plain Finish is added
    when none is given; after a call it waits for answers. A function from the request to a reply does as well.
    `enqueue(..., purpose="scribe")` keeps a queue of its own for one purpose; `otherwise` answers whenever the queues
    are empty.
    """

    def __init__(self, *replies: Script, otherwise: Script | None = None, name: str = "scripted") -> None:
        self._name = name
        self._queues: defaultdict[Purpose | None, deque[Script]] = defaultdict(deque)
        self._otherwise = otherwise
        self._news = asyncio.Condition()
        self.requests: list[Request] = []
        self.overruns: list[Request] = []
        """Requests the script had no reply for. A test may check that this stayed empty."""
        self.stopped: list[Request] = []
        """Requests whose stream was closed, cancelled or broken before its Finish."""
        self.enqueue(*replies)

    @property
    def name(self) -> str:
        return self._name

    def enqueue(self, *replies: Script, purpose: Purpose | None = None) -> None:
        """Add replies at the end; with a purpose they wait for requests of that purpose alone."""
        self._queues[purpose].extend(replies)

    def asked(self, purpose: Purpose) -> list[Request]:
        return [request for request in self.requests if request.purpose == purpose]

    async def until_asked(self, times: int = 1) -> Request:
        """Wait until the model has been asked this often in all; gives the request that made it so."""
        async with self._news:
            await self._news.wait_for(lambda: len(self.requests) >= times)
        return self.requests[times - 1]

    @property
    def spent(self) -> bool:
        """True when every queued reply has been used and none was missing."""
        return not any(self._queues.values()) and not self.overruns

    async def stream(self, request: Request) -> AsyncGenerator[Spoken, None]:
        self.requests.append(request)
        steps = self._next_steps(request)
        async with self._news:
            self._news.notify_all()
        finished = called = False
        try:
            for step in steps:
                for spoken in await _perform(step):
                    finished = isinstance(spoken, Finish)
                    called = called or isinstance(spoken, ToolCall)
                    yield spoken
            if not finished:
                finished = True
                yield Finish(model=self._name, reason="tools" if called else "stop")
        finally:
            if not finished:
                self.stopped.append(request)

    def _next_steps(self, request: Request) -> list[Step]:
        for queue in (self._queues[request.purpose], self._queues[None]):
            if queue:
                return _steps(queue.popleft(), request)
        if self._otherwise is not None:
            return _steps(self._otherwise, request)
        self.overruns.append(request)
        raise ScriptExhausted(f"No reply left for request {len(self.requests)} ({request.purpose}).")


def _steps(script: Script, request: Request) -> list[Step]:
    reply = script(request) if callable(script) else script
    return reply if isinstance(reply, list) else [reply]


async def _perform(step: Step) -> list[Spoken]:
    match step:
        case str():
            return [Delta(step)] if step else []
        case Reasoning() | ToolCall() | Finish():
            return [step]
        case Exception():
            raise step
        case asyncio.Event():
            await step.wait()
        case int() | float():
            await asyncio.sleep(step)
        case _:
            await step()
    return []


def _conforms(model: ScriptedModel) -> ChatModel:
    return model
