"""Saving like in a game: make one, load the quick one, name it anew, delete and bring back. Going back is `leave`."""

from __future__ import annotations

import json
from typing import Annotated

from fastapi import APIRouter, Form, Request, Response
from starlette.responses import RedirectResponse

from liyuan.domain.entry import ConversationId, EntryId
from liyuan.play import saves
from liyuan.store.branch import PAGE
from liyuan.store.saves import Saved
from liyuan.web.redraw import Toast, ToastView, is_partial, moved, resources_of
from liyuan.web.render import render
from liyuan.web.story import address_of

router = APIRouter(prefix="/stories/{story_id}", include_in_schema=False)

Leaf = Annotated[EntryId | None, Form()]
Name = Annotated[str, Form()]
#: Pages of the story itself send how much of it they show; on others there is no story to draw anew.
Shown = Annotated[int | None, Form()]
#: Tells what shows saves that it is to be drawn anew.
CHANGED = {"saves-changed": {"target": "body"}}


@router.post("/saves")
async def save(
    request: Request, story_id: ConversationId, name: Name = "", expected_leaf: Leaf = None, shown: Shown = None
) -> Response:
    """Saves where the reader is; without a name, under one from the story."""
    saved = await saves.save(resources_of(request), story_id, name, expected_leaf=expected_leaf)
    return await told(request, story_id, saved, shown)


@router.post("/saves/quick")
async def quick_save(
    request: Request, story_id: ConversationId, expected_leaf: Leaf = None, shown: Shown = None
) -> Response:
    saved = await saves.quick_save(resources_of(request), story_id, expected_leaf=expected_leaf)
    return await told(request, story_id, saved, shown)


@router.post("/saves/load")
async def quick_load(
    request: Request, story_id: ConversationId, expected_leaf: Leaf = None, shown: Annotated[int, Form()] = PAGE
) -> Response:
    """Back to the last quick save, at once; the way back is offered."""
    await saves.quick_load(resources_of(request), story_id, expected_leaf=expected_leaf)
    toast = Toast(kind="left", undo=f"{address_of(story_id)}/undo")
    return await moved(request, story_id, shown=shown, toast=toast)


async def told(
    request: Request, story_id: ConversationId, saved: Saved, shown: int | None, *, is_command: bool = False
) -> Response:
    """After a save was made: its name, and the line where it begins one. A command has been said by that."""
    toast = Toast(
        kind="forked" if saved.plan.kind == "fork" else "saved",
        undo="",
        name=saved.save.name,
        line=saved.worldline_name,
    )
    if shown is not None:
        news = {**CHANGED, "said": {}} if is_command else CHANGED
        headers = {"HX-Trigger": json.dumps(news)}
        return await moved(request, story_id, shown=shown, toast=toast, headers=headers)
    return _changed(request, toast, f"{address_of(story_id)}/lines?save={saved.save.id}")


@router.post("/saves/{save_id}/name")
async def rename(request: Request, story_id: ConversationId, save_id: EntryId, name: Name = "") -> Response:
    await saves.rename_save(resources_of(request), story_id, save_id, name)
    return _changed(request, None, f"{address_of(story_id)}/lines?save={save_id}")


@router.post("/saves/{save_id}/delete")
async def delete(request: Request, story_id: ConversationId, save_id: EntryId) -> Response:
    """Takes a save off its line; the story it saved stays."""
    gone = await saves.delete_save(resources_of(request), story_id, save_id)
    address = address_of(story_id)
    toast = Toast(kind="deleted", undo=f"{address}/saves/{save_id}/undelete", name=gone.name)
    return _changed(request, toast, f"{address}/lines")


@router.post("/saves/{save_id}/undelete")
async def undelete(request: Request, story_id: ConversationId, save_id: EntryId) -> Response:
    """Brings a save back, to its line or, where that has gone elsewhere, as a fork."""
    back, _ = await saves.undelete_save(resources_of(request), story_id, save_id)
    toast = Toast(kind="returned", undo="", name=back.name)
    return _changed(request, toast, f"{address_of(story_id)}/lines?save={back.id}")


@router.post("/worldlines/{line_id}/name")
async def rename_line(request: Request, story_id: ConversationId, line_id: str, name: Name = "") -> Response:
    await saves.rename_worldline(resources_of(request), story_id, line_id, name)
    return _changed(request, None, f"{address_of(story_id)}/lines?view=list")


def _changed(request: Request, toast: Toast | None, then: str) -> Response:
    """With scripts the page hears that saves have changed; without them it is drawn anew."""
    if not is_partial(request):
        return RedirectResponse(then, 303)
    headers = {"HX-Trigger": json.dumps(CHANGED)}
    return render(request, ToastView(toast), headers=headers) if toast else Response(status_code=204, headers=headers)
