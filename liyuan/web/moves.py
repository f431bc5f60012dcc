"""Taking back a move and making it again, over the journal. What is left behind either way is still there."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated

from fastapi import APIRouter, Form, Request, Response

from liyuan.domain.entry import ConversationId, EntryId
from liyuan.play import travel
from liyuan.store.branch import PAGE
from liyuan.web.redraw import Toast, moved, resources_of
from liyuan.web.story import address_of

router = APIRouter(prefix="/stories/{story_id}", include_in_schema=False)

Leaf = Annotated[EntryId | None, Form()]
Shown = Annotated[int, Form()]


@router.post("/undo")
async def undo(request: Request, story_id: ConversationId, expected_leaf: Leaf = None, shown: Shown = PAGE) -> Response:
    return await take_back(request, story_id, expected_leaf, shown)


@router.post("/redo")
async def redo(request: Request, story_id: ConversationId, expected_leaf: Leaf = None, shown: Shown = PAGE) -> Response:
    return await make_again(request, story_id, expected_leaf, shown)


async def take_back(
    request: Request,
    story_id: ConversationId,
    leaf: EntryId | None,
    shown: int,
    headers: Mapping[str, str] | None = None,
) -> Response:
    """The same for a button, a key and a command."""
    await travel.undo(resources_of(request), story_id, expected_leaf=leaf)
    toast = Toast(kind="undone", undo=f"{address_of(story_id)}/redo")
    return await moved(request, story_id, shown=shown, toast=toast, headers=headers)


async def make_again(
    request: Request,
    story_id: ConversationId,
    leaf: EntryId | None,
    shown: int,
    headers: Mapping[str, str] | None = None,
) -> Response:
    await travel.redo(resources_of(request), story_id, expected_leaf=leaf)
    toast = Toast(kind="redone", undo=f"{address_of(story_id)}/undo")
    return await moved(request, story_id, shown=shown, toast=toast, headers=headers)
