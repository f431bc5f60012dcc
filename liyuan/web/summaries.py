"""Summaries in the reader's hands: asking for one, putting it another way, taking it out of force from here on."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Form, Request, Response

from liyuan.domain.entry import ConversationId, EntryId
from liyuan.play.summaries import compact, correct
from liyuan.store.branch import PAGE
from liyuan.web.booked import booked
from liyuan.web.fields import plain_lines
from liyuan.web.redraw import moved, resources_of

router = APIRouter(prefix="/stories/{story_id}", include_in_schema=False)

Leaf = Annotated[EntryId | None, Form()]
Shown = Annotated[int, Form()]


@router.post("/summarise")
async def summarise(request: Request, story_id: ConversationId, expected_leaf: Leaf = None) -> Response:
    """Asks for a summary now; the word at the last reply tells how far it is."""
    await compact(resources_of(request), story_id, expected_leaf=expected_leaf)
    return await booked(request, story_id)


@router.post("/summaries/{summary_id}")
async def put_right(
    request: Request,
    story_id: ConversationId,
    summary_id: EntryId,
    text: Annotated[str, Form()] = "",
    expected_leaf: Leaf = None,
    shown: Shown = PAGE,
) -> Response:
    """Another text from here on. An empty one takes the summary out of force, and the full story counts again."""
    await correct(resources_of(request), story_id, summary_id, plain_lines(text), expected_leaf=expected_leaf)
    return await moved(request, story_id, shown=shown)
