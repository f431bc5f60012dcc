"""What happens behind the curtain after a turn: one run, whose baton is the leaf. A step may move it on, never away.

A step reads the path, asks a model, and appends under the leaf guard. Where the reader has gone elsewhere, the guard
refuses, everything of that step is dropped, and the run ends as stale (semantics §4). Entry ids are made from the
run's, so a run that was killed between its write and its end writes nothing twice.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import TypeAlias

import structlog

from liyuan.domain.entry import EntryId
from liyuan.domain.errors import Busy, LeafMoved, LiyuanError, NotFound
from liyuan.domain.trouble import kept
from liyuan.jobs.autosave import autosave
from liyuan.jobs.branch_summary import branch_summary
from liyuan.jobs.compaction import compaction
from liyuan.jobs.remember import remember
from liyuan.jobs.scribe import scribe
from liyuan.resources import Resources
from liyuan.store.runs import Run, State, beat, finish, mark, start

BEAT_EVERY = 10.0
Step: TypeAlias = Callable[[Resources, Run, EntryId], Awaitable[EntryId]]
STEPS: tuple[tuple[str, Step], ...] = (
    ("branch-summary", branch_summary),
    ("scribe", scribe),
    ("compaction", compaction),
    ("remember", remember),
    ("autosave", autosave),
)

log = structlog.get_logger(__name__)


async def after_turn(resources: Resources, run_id: str) -> State:
    """Carries out one run and answers how it ended. Never raises for what a person can be told."""
    run = await resources.database.write(start, run_id)
    beating = asyncio.create_task(_beat(resources, run_id))
    try:
        state, trouble = await _carry_out(resources, run)
    finally:
        beating.cancel()
        with suppress(asyncio.CancelledError):
            await beating
    await resources.database.write(finish, run_id, state, trouble)
    return state


async def _carry_out(resources: Resources, run: Run) -> tuple[State, str]:
    leaf, trouble = run.anchor_id, ""
    for name, step in STEPS:
        try:
            reached = await step(resources, run, leaf)
        except (LeafMoved, Busy, NotFound):
            await resources.database.write(mark, run.id, name, "stale")
            return "stale", ""
        except LiyuanError as error:
            log.warning("a step after the turn failed", step=name, run_id=run.id, trouble=type(error).__name__)
            trouble = trouble or kept(error)
            await resources.database.write(mark, run.id, name, "failed")
            continue
        has_done = reached != leaf or step is remember  # Remembering writes no entry.
        await resources.database.write(mark, run.id, name, "done" if has_done else "nothing to do")
        leaf = reached
    return ("failed", trouble) if trouble else ("done", "")


async def _beat(resources: Resources, run_id: str) -> None:
    while True:
        await asyncio.sleep(BEAT_EVERY)
        await resources.database.write(beat, run_id)
