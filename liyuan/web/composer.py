"""What the composer sends: words, commands, and the wish that somebody goes on, speaks for the reader, or stops."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Form, Request, Response

from liyuan.domain.entry import ConversationId, EntryId
from liyuan.domain.errors import LeafMoved
from liyuan.play.travel import move
from liyuan.play.turn import carry_on, hear, stop
from liyuan.store.branch import PAGE
from liyuan.store.conversations import keep_draft, load_conversation
from liyuan.web.commands import parse_command
from liyuan.web.fields import plain_lines
from liyuan.web.order import Order
from liyuan.web.orders import obey, speak_for_me
from liyuan.web.play import conflict
from liyuan.web.redraw import SAID, begun, heard, is_partial, resources_of, to_story

router = APIRouter(prefix="/stories/{story_id}", include_in_schema=False)

Words = Annotated[str, Form()]
Leaf = Annotated[EntryId | None, Form()]
Shown = Annotated[int, Form()]


@router.post("/turns")
async def say(
    request: Request, story_id: ConversationId, text: Words = "", expected_leaf: Leaf = None, shown: Shown = PAGE
) -> Response:
    """Words or a command. Where the story has moved on, the words stay and the reader chooses."""
    text = plain_lines(text)
    if command := parse_command(text):
        order = Order(request=request, story_id=story_id, command=command, leaf=expected_leaf, shown=shown)
        return await obey(order)
    resources = resources_of(request)
    try:
        performance = await hear(resources, story_id, text, expected_leaf=expected_leaf)
    except LeafMoved:
        await resources.database.write(keep_draft, story_id, text)
        return await conflict(request, story_id, expected_leaf, text)
    return await heard(request, story_id, performance, shown)


@router.post("/turns/anyway")
async def say_anyway(
    request: Request, story_id: ConversationId, text: Words = "", from_leaf: Leaf = None, shown: Shown = PAGE
) -> Response:
    """The answer to a conflict: the words are said where the reader believed to be, as a branch."""
    resources = resources_of(request)
    story = await resources.database.read(load_conversation, story_id)
    if from_leaf:
        await move(resources, story_id, from_leaf, expected_leaf=story.leaf_id)
    performance = await hear(resources, story_id, plain_lines(text), expected_leaf=from_leaf)
    return await begun(request, story_id, performance, shown=shown, headers=SAID)


@router.post("/continue")
async def go_on(
    request: Request, story_id: ConversationId, expected_leaf: Leaf = None, shown: Shown = PAGE
) -> Response:
    performance = await carry_on(resources_of(request), story_id, expected_leaf=expected_leaf)
    return await begun(request, story_id, performance, shown=shown)


@router.post("/impersonate")
async def write_for_me(request: Request, story_id: ConversationId, shown: Shown = PAGE) -> Response:
    return await speak_for_me(request, story_id, shown)


@router.post("/stop")
async def be_silent(request: Request, story_id: ConversationId) -> Response:
    """What the stopped performance leaves behind comes over the news of the page."""
    await stop(resources_of(request), story_id)
    return Response(status_code=204) if is_partial(request) else to_story(story_id)


@router.post("/draft")
async def draft(request: Request, story_id: ConversationId, text: Words = "") -> Response:
    """Keeps what is typed, so that another day and another device find it."""
    await resources_of(request).database.write(keep_draft, story_id, plain_lines(text))
    return Response(status_code=204) if is_partial(request) else to_story(story_id)
