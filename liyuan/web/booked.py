"""What a page is told when the ledger has grown below it: nothing the reader reads has changed, so nothing moves."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from fastapi import APIRouter, Request, Response
from sqlalchemy import Connection

from liyuan.domain.entry import SUMMARY, ConversationId
from liyuan.domain.errors import NotFound
from liyuan.store.runs import Run, load_run, requeue
from liyuan.store.tree import load_entry
from liyuan.web.divider import Divider
from liyuan.web.redraw import is_partial, resources_of, to_story
from liyuan.web.render import View, render
from liyuan.web.speech import Speech, slot_of
from liyuan.web.story import Helm, load_story

router = APIRouter(prefix="/stories/{story_id}", include_in_schema=False)

#: So many entries back the words at the replies are renewed.
NEAR = 16


@dataclass(frozen=True)
class BookedView(View):
    """The lines below the last replies. `divider` is there when a summary has just come, `place` where it belongs."""

    template: ClassVar[str] = "play/_booked.html"
    speeches: tuple[Speech, ...]
    helm: Helm
    turns: int
    divider: Divider | None
    place: str


def load_booked(connection: Connection, story_id: ConversationId) -> BookedView:
    near = load_story(connection, story_id, shown=NEAR)
    leaf = load_entry(connection, story_id, near.leaf) if near.leaf else None
    divider = load_story(connection, story_id).divider if leaf is not None and leaf.kind == SUMMARY else None
    return BookedView(
        speeches=tuple(one for one in near.speeches if not one.who.is_reader),
        helm=near.helm,
        turns=near.turns,
        divider=divider,
        place=slot_of(load_entry(connection, story_id, divider.below).parent_id) if divider else "",
    )


async def booked(request: Request, story_id: ConversationId) -> Response:
    """After an act that concerns the ledger only."""
    if not is_partial(request):
        return to_story(story_id)
    return render(request, await resources_of(request).database.read(load_booked, story_id))


@router.post("/runs/{run_id}/retry")
async def retry(request: Request, story_id: ConversationId, run_id: str) -> Response:
    """Queues a run again that failed or came too late. Where the reader has gone elsewhere, it ends as stale again."""
    resources = resources_of(request)
    run = await resources.database.write(_again, story_id, run_id)
    if run is not None:
        await resources.worker.submit(run)
    return await booked(request, story_id)


def _again(connection: Connection, story_id: ConversationId, run_id: str) -> Run | None:
    run = load_run(connection, run_id)
    if run.conversation_id != story_id:
        raise NotFound(what="run", id=run_id)
    return requeue(connection, run_id) if run.state in ("failed", "stale") else None
