"""Runs that outlive the process: dbos keeps them in a queue of its database and takes them up again after a crash.

Ours is the row in `runs`, written with the reply; dbos only sees to it that the run is carried out, in order for each
conversation. What it forgets (another process that never came back) is found by its silence and submitted anew; the
leaf guard and the run's own entry ids make a second execution harmless. dbos takes seconds to import and starts in a
thread, after the first page has been served. See docs/decisions/0007-runs-and-dbos.md.
"""

from __future__ import annotations

import asyncio
import socket
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from importlib import import_module
from types import ModuleType
from typing import Any

import structlog
from sqlalchemy import Connection

from liyuan.jobs.after_turn import after_turn
from liyuan.resources import Resources
from liyuan.store.runs import Run, load_forgotten

QUEUE = "after_turn"
# Conversations that are accounted for at the same time in one process.
AT_ONCE = 4
POLL_EVERY = 0.2
LOOK_EVERY = 20.0
# Seconds before dbos is woken, so that its import does not stand in the way of the first page.
REST = 3.0
# Seconds without a sign of life after which a run is submitted anew; a running one gives a sign every ten.
SILENCE = 60.0

log = structlog.get_logger(__name__)


class DurableWorker:
    """Submits runs to dbos and carries out what dbos hands back, on the loop that opened it."""

    def __init__(self) -> None:
        self._resources: Resources | None = None
        self._loop: asyncio.AbstractEventLoop | None = None
        self._ready = asyncio.Event()
        self._dbos: ModuleType | None = None
        self._workflow: Any = None
        self._waking: asyncio.Task[None] | None = None

    async def open(self, resources: Resources) -> None:
        """Begins to wake dbos in the background. Runs submitted before it is awake are taken up when it is."""
        self._resources = resources
        self._loop = asyncio.get_running_loop()
        self._waking = asyncio.create_task(self._wake(), name="wake dbos")

    async def submit(self, run: Run) -> None:
        """Hands a run over; until dbos is awake the row in the database is enough."""
        if self._ready.is_set():
            await asyncio.to_thread(self._enqueue, run)

    async def close(self) -> None:
        """Lets go of dbos; runs that are not done stay in its queue."""
        self._ready.clear()
        if self._waking:
            self._waking.cancel()
            with suppress(asyncio.CancelledError):
                await self._waking
        if self._dbos:
            await asyncio.to_thread(self._dbos.DBOS.destroy, destroy_registry=True)

    async def _wake(self) -> None:
        await asyncio.sleep(REST)
        await asyncio.to_thread(self._launch)
        self._ready.set()
        while True:
            await self._take_up()
            await asyncio.sleep(LOOK_EVERY)

    async def _take_up(self) -> None:
        """Submits every open run that nobody seems to be working on."""
        assert self._resources is not None
        for run in await self._resources.database.read(_open_runs):
            await asyncio.to_thread(self._enqueue, run)

    def _launch(self) -> None:
        assert self._resources is not None
        settings = self._resources.settings
        self._dbos = import_module("dbos")
        url = settings.database_url
        if url.startswith("sqlite"):
            url = f"sqlite:///{settings.data_dir / 'jobs.sqlite3'}"
        self._dbos.DBOS(
            config={
                "name": "liyuan",
                "system_database_url": url,
                # One version for ever: a run needs nothing but its id, so a newer liyuan may finish an older one's.
                "application_version": "1",
                "executor_id": f"{socket.gethostname()}:{settings.port}",
                "log_level": "ERROR",
            }
        )

        @self._dbos.DBOS.workflow(name="after_turn")  # type: ignore[untyped-decorator]
        async def carry_out(run_id: str) -> str:
            return await self._carry_out(run_id)

        self._workflow = carry_out
        self._dbos.DBOS.launch()
        self._dbos.DBOS.register_queue(
            QUEUE, partition_concurrency=1, worker_concurrency=AT_ONCE, polling_interval_sec=POLL_EVERY
        )

    def _enqueue(self, run: Run) -> None:
        assert self._dbos is not None
        with (
            self._dbos.SetWorkflowID(f"{run.id}:{run.attempts}"),
            self._dbos.SetEnqueueOptions(queue_partition_key=run.conversation_id),
        ):
            self._dbos.DBOS.enqueue_workflow(QUEUE, self._workflow, run.id)

    async def _carry_out(self, run_id: str) -> str:
        """The workflow. dbos runs it on a loop of its own; models and streams live on ours."""
        assert self._resources is not None and self._loop is not None
        working = asyncio.run_coroutine_threadsafe(after_turn(self._resources, run_id), self._loop)
        return await asyncio.wrap_future(working)


def _open_runs(connection: Connection) -> list[Run]:
    """Runs that were queued before dbos was awake, and those that fell silent."""
    silent = (datetime.now(UTC) - timedelta(seconds=SILENCE)).isoformat(timespec="milliseconds").replace("+00:00", "Z")
    everything = load_forgotten(connection, before="9999")
    return [run for run in everything if run.attempts == 0 or run.beat_at < silent]
