"""An adversarial scheduler: every database hop and every answer of a job waits until the test lets it go on."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Callable, Coroutine
from typing import Any, Concatenate, ParamSpec, TypeVar

from sqlalchemy import Connection

from liyuan.model.chat import Delta, Finish, Request, Spoken
from liyuan.store.database import Database

P = ParamSpec("P")
T = TypeVar("T")


class Adversary:
    """Holds jobs at their pauses. `step` lets one go on to its next pause, `kill` ends one where it stands."""

    def __init__(self) -> None:
        self.waiting: list[tuple[asyncio.Task[Any], asyncio.Future[None]]] = []
        self.jobs: set[asyncio.Task[Any]] = set()

    def begin(self, job: Coroutine[Any, Any, Any]) -> None:
        self.jobs.add(asyncio.create_task(job))

    async def pause(self) -> None:
        task = asyncio.current_task()
        assert task is not None
        if task not in self.jobs:
            return  # The heartbeat of a run, for instance: it writes nothing on the tree.
        turn: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self.waiting.append((task, turn))
        await turn

    async def settle(self) -> None:
        """Waits until every job stands at a pause or is over."""
        while True:
            self.jobs = {job for job in self.jobs if not job.done()}
            standing = {task for task, turn in self.waiting if not turn.done()}
            if self.jobs <= standing:
                return
            await asyncio.sleep(0.0005)

    async def step(self, pick: int) -> None:
        if self.waiting:
            _task, turn = self.waiting.pop(pick % len(self.waiting))
            turn.set_result(None)
        await self.settle()

    async def kill(self, pick: int) -> None:
        if self.waiting:
            task, _turn = self.waiting.pop(pick % len(self.waiting))
            task.cancel()
            await asyncio.wait({task})
        await self.settle()

    async def drain(self) -> None:
        await self.settle()
        while self.waiting:
            await self.step(0)


class PausingDatabase(Database):
    """A database that asks the adversary before every unit of work, and again before its caller hears of it."""

    def __init__(self, url: str, adversary: Adversary) -> None:
        super().__init__(url)
        self._adversary = adversary

    async def read(self, work: Callable[Concatenate[Connection, P], T], *args: P.args, **kwargs: P.kwargs) -> T:
        await self._adversary.pause()
        return await super().read(work, *args, **kwargs)

    async def write(self, work: Callable[Concatenate[Connection, P], T], *args: P.args, **kwargs: P.kwargs) -> T:
        await self._adversary.pause()
        done = await super().write(work, *args, **kwargs)
        await self._adversary.pause()
        return done


class Booking:
    """A model that always replies, always books something, and always summarises. It pauses before it speaks."""

    name = "booking"

    def __init__(self, adversary: Adversary) -> None:
        self._adversary = adversary
        self.spoken = 0

    async def stream(self, request: Request) -> AsyncGenerator[Spoken, None]:
        await self._adversary.pause()
        self.spoken += 1
        answers = {"scribe": f'{{"location": "place {self.spoken}"}}', "summary": f"summary {self.spoken}"}
        yield Delta(answers.get(request.purpose, f"reply {self.spoken}"))
        yield Finish()
