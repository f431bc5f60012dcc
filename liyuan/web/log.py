"""The way here as a skeleton, with tags to put on it and checkouts of them. Models and programs see it too."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, ClassVar

from fastapi import APIRouter, Form, Request, Response
from starlette.responses import RedirectResponse

from liyuan.domain.context_log import ContextLog
from liyuan.domain.entry import ConversationId, EntryId
from liyuan.play import context
from liyuan.store.branch import PAGE
from liyuan.store.cast import load_story_card
from liyuan.store.conversations import load_conversation
from liyuan.web.fields import plain_lines
from liyuan.web.redraw import Toast, is_partial, moved, resources_of
from liyuan.web.render import View, render
from liyuan.web.story import address_of

router = APIRouter(prefix="/stories/{story_id}", include_in_schema=False)

#: Items of the skeleton at first, and how many more each time that is asked for more.
SHOWN = 60


@dataclass(frozen=True, slots=True, kw_only=True)
class WayHere:
    """The log of a story. `more` is how many items to ask for to see further up; None at the beginning."""

    address: str
    title: str
    lang: str
    leaf: EntryId | None
    log: ContextLog
    more: int | None


@dataclass(frozen=True)
class LogView(View):
    """The page."""

    template: ClassVar[str] = "pages/log.html"
    way: WayHere


@router.get("/log")
async def log(request: Request, story_id: ConversationId, limit: int = SHOWN) -> Response:
    resources = resources_of(request)
    conversation = await resources.database.read(load_conversation, story_id)
    card = await resources.database.read(load_story_card, conversation.card_id)
    found = await context.log(resources, story_id, limit=min(max(limit, 1), context.MOST))
    way = WayHere(
        address=address_of(story_id),
        title=conversation.title or card.name,
        lang=card.language,
        leaf=conversation.leaf_id,
        log=found,
        more=limit + SHOWN if found.above and limit < context.MOST else None,
    )
    return render(request, LogView(way))


@router.post("/tags")
async def put_tag(
    request: Request,
    story_id: ConversationId,
    name: Annotated[str, Form()] = "",
    entry_id: Annotated[EntryId | None, Form()] = None,
) -> Response:
    """Puts a tag on an entry, by default on the leaf."""
    await context.tag(resources_of(request), story_id, name, entry_id or None)
    return _to_log(request, story_id)


@router.post("/untag")
async def take_tag_off(
    request: Request,
    story_id: ConversationId,
    tag: Annotated[str, Form()] = "",
    shown: Annotated[int | None, Form()] = None,
) -> Response:
    """From the story's own page the story is drawn anew; from the log one comes back to it."""
    await context.untag(resources_of(request), story_id, tag)
    if shown is None:
        return _to_log(request, story_id)
    return await moved(request, story_id, shown=shown, toast=Toast(kind="untagged", undo="", name=tag))


@router.post("/checkout")
async def checkout(
    request: Request,
    story_id: ConversationId,
    target: Annotated[str, Form()] = "",
    message: Annotated[str, Form()] = "",
    backup_tag: Annotated[str, Form()] = "",
    expected_leaf: Annotated[EntryId | None, Form()] = None,
) -> Response:
    """Goes to a tag, an entry or "root" and leaves the message there."""
    await context.checkout(
        resources_of(request),
        story_id,
        target.strip(),
        plain_lines(message),
        backup_tag=backup_tag.strip() or None,
        expected_leaf=expected_leaf,
    )
    if is_partial(request):
        return Response(status_code=204, headers={"HX-Redirect": f"{address_of(story_id)}#composer"})
    return await moved(request, story_id, shown=PAGE)


def _to_log(request: Request, story_id: ConversationId) -> Response:
    address = f"{address_of(story_id)}/log"
    if is_partial(request):
        return Response(status_code=204, headers={"HX-Redirect": address})
    return RedirectResponse(address, 303)
