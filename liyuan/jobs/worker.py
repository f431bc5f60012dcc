"""Carries out runs in this process, those of one conversation in order.

Used as it is where nothing has to outlive the process; `durable.py` puts a durable queue in front of it.
"""

from __future__ import annotations

import asyncio
from collections import defaultdict

import structlog

from liyuan.domain.entry import ConversationId
from liyuan.jobs.after_turn import after_turn
from liyuan.resources import Resources
from liyuan.store.runs import Run

log = structlog.get_logger(__name__)


class Worker:
    """Carries out runs, one after the other for each conversation. `open` before the first, `close` after the last."""

    def __init__(self) -> None:
        self._resources: Resources | None = None
        self._locks: defaultdict[ConversationId, asyncio.Lock] = defaultdict(asyncio.Lock)
        self._tasks: set[asyncio.Task[None]] = set()

    async def open(self, resources: Resources) -> None:
        self._resources = resources

    async def submit(self, run: Run) -> None:
        task = asyncio.create_task(self._run(run), name=f"run {run.id}")
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _run(self, run: Run) -> None:
        assert self._resources is not None, "open the worker first"
        async with self._locks[run.conversation_id]:
            try:
                await after_turn(self._resources, run.id)
            except Exception:
                log.exception("a run after a turn broke down", run_id=run.id)

    async def idle(self) -> None:
        """Waits until everything submitted so far is done."""
        while self._tasks:
            await asyncio.wait(set(self._tasks))

    async def close(self) -> None:
        """Stops what is running; its rows stay open and are taken up again later."""
        for task in self._tasks:
            task.cancel()
        if self._tasks:
            await asyncio.wait(set(self._tasks))
