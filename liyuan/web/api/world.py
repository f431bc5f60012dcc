"""The ledger, the runs that keep it, and summaries on demand."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter

from liyuan.play.summaries import compact
from liyuan.play.world import amend, load_ledger
from liyuan.resources import Resources
from liyuan.store.conversations import load_conversation
from liyuan.store.runs import load_run, load_runs, requeue
from liyuan.web.api.asked import AtEntry, InConversation, OfRow, Open
from liyuan.web.api.problems import problems
from liyuan.web.api.wishes import Guard
from liyuan.web.api.world_schemas import Amended, Amendment, Run, Runs, World

router = APIRouter(prefix="/conversations/{conversation_id}", tags=["world"], responses=problems(404))


@router.get("/world")
async def read_world(resources: Open, conversation_id: InConversation, leaf: AtEntry = None) -> World:
    """What is true at a leaf, by default at the active one."""
    return World.of(await resources.database.read(load_ledger, conversation_id, leaf))


@router.patch("/world", responses=problems(409, 422))
async def amend_world(resources: Open, conversation_id: InConversation, wish: Amendment) -> Amended:
    """Changes the world at the leaf by a patch, and the pins where given. What cannot be applied is told."""
    leaf: Any = wish.expected_leaf
    ledger, changes, notes = await amend(resources, conversation_id, wish.patch, pins=wish.pins, expected_leaf=leaf)
    return Amended.made(ledger, changes, notes)


@router.post("/compact", status_code=202, responses=problems(409))
async def compact_story(resources: Open, conversation_id: InConversation, guard: Guard) -> Run:
    """Asks for a summary now, due or not. It is written in the background, if the reader is still here by then."""
    leaf: Any = guard.expected_leaf
    return Run.of(await compact(resources, conversation_id, expected_leaf=leaf))


@router.get("/jobs")
async def list_jobs(resources: Open, conversation_id: InConversation) -> Runs:
    """The latest runs after a turn, latest first. "stale" is no failure: the reader had gone elsewhere."""
    await resources.database.read(load_conversation, conversation_id)
    return Runs(items=[Run.of(run) for run in await resources.database.read(load_runs, conversation_id)])


@router.post("/jobs/{run_id}/retry", status_code=202)
async def retry_job(resources: Open, conversation_id: InConversation, run_id: OfRow) -> Run:
    """Queues a run again that failed. Where the reader has gone elsewhere since, it ends as stale."""
    run = await resources.database.read(load_run, run_id)
    if run.conversation_id == conversation_id and run.state in ("failed", "stale"):
        run = await _again(resources, run_id)
    return Run.of(run)


async def _again(resources: Resources, run_id: str) -> Any:
    run = await resources.database.write(requeue, run_id)
    await resources.worker.submit(run)
    return run
