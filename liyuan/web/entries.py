"""What can be done with one message: another telling, editing, branching, pruning, a closer look."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, ClassVar, Literal

from fastapi import APIRouter, Form, Request, Response
from sqlalchemy import Connection

from liyuan.domain.card_world import card_world
from liyuan.domain.entry import ConversationId, EntryId
from liyuan.play import edits, swipe
from liyuan.play.travel import move
from liyuan.store.branch import PAGE, load_shown
from liyuan.store.cast import load_story_card
from liyuan.store.conversations import load_conversation
from liyuan.store.standing import settled_at
from liyuan.store.tags import load_tags
from liyuan.web.fields import plain_lines
from liyuan.web.more import More, load_more
from liyuan.web.redraw import Toast, begun, moved, resources_of
from liyuan.web.remembered import forget_drawn
from liyuan.web.render import View, render
from liyuan.web.runs import load_booking
from liyuan.web.speech import Speech, slot_of, speech_of
from liyuan.web.story import address_of, load_cast
from liyuan.web.uses import NO_TAGS
from liyuan.web.visitor import visitor_of

router = APIRouter(prefix="/stories/{story_id}/entries/{entry_id}", include_in_schema=False)

Leaf = Annotated[EntryId | None, Form()]
Shown = Annotated[int, Form()]


@dataclass(frozen=True)
class DrawnView(View):
    """One message as it stands in the story."""

    template: ClassVar[str] = "play/_drawn.html"
    speech: Speech
    address: str


@dataclass(frozen=True)
class GlanceView(View):
    """The words of another telling, to be looked at without going there."""

    template: ClassVar[str] = "play/_glance.html"
    speech: Speech
    address: str
    beside: bool


@dataclass(frozen=True)
class EditView(View):
    """A message being rewritten where it stands."""

    template: ClassVar[str] = "play/_editing.html"
    speech: Speech
    address: str
    leaf: EntryId | None
    shown: int


@dataclass(frozen=True)
class MoreView(View):
    """The menu of one message."""

    template: ClassVar[str] = "play/_more.html"
    more: More


@router.get("")
async def entry(request: Request, story_id: ConversationId, entry_id: EntryId, opens: bool = True) -> Response:
    speech = await resources_of(request).database.read(_load, story_id, entry_id, opens)
    return render(request, DrawnView(speech, address_of(story_id)))


@router.get("/glance")
async def glance(request: Request, story_id: ConversationId, entry_id: EntryId, beside: bool = False) -> Response:
    """`beside` adds the way to the other tellings, for a glance beside one that is being told."""
    speech = await resources_of(request).database.read(_load, story_id, entry_id, False)
    return render(request, GlanceView(speech, address_of(story_id), beside))


@router.get("/edit")
async def editor(
    request: Request,
    story_id: ConversationId,
    entry_id: EntryId,
    expected_leaf: EntryId | None = None,
    shown: int = PAGE,
    opens: bool = True,
) -> Response:
    """The editor believes what its page believes, so an old page cannot change a story that has moved on."""
    speech = await resources_of(request).database.read(_load, story_id, entry_id, opens)
    return render(request, EditView(speech, address_of(story_id), expected_leaf, shown))


@router.get("/more")
async def more(request: Request, story_id: ConversationId, entry_id: EntryId) -> Response:
    language = visitor_of(request).language
    return render(request, MoreView(await resources_of(request).database.read(load_more, story_id, entry_id, language)))


@router.post("/another")
async def another(
    request: Request, story_id: ConversationId, entry_id: EntryId, expected_leaf: Leaf = None, shown: Shown = PAGE
) -> Response:
    performance = await swipe.another(resources_of(request), story_id, entry_id, expected_leaf=expected_leaf)
    return await begun(request, story_id, performance, shown=shown)


@router.post("/choose")
async def choose(
    request: Request, story_id: ConversationId, entry_id: EntryId, expected_leaf: Leaf = None, shown: Shown = PAGE
) -> Response:
    await swipe.choose(resources_of(request), story_id, entry_id, expected_leaf=expected_leaf)
    return await moved(request, story_id, shown=shown)


@router.post("/branch")
async def branch(
    request: Request, story_id: ConversationId, entry_id: EntryId, expected_leaf: Leaf = None, shown: Shown = PAGE
) -> Response:
    """Makes the message the end of the story, its turn booked as it was. What followed stays on its own line, and the
    way back is offered."""
    resources = resources_of(request)
    before = await resources.database.read(load_conversation, story_id)
    end = await resources.database.read(settled_at, story_id, entry_id)
    after = await move(resources, story_id, end, expected_leaf=expected_leaf)
    undo = f"{address_of(story_id)}/undo"
    toast = Toast(kind="left", undo=undo, turns=max(before.turns - after.turns, 0))
    return await moved(request, story_id, shown=shown, toast=toast)


@router.post("/edit")
async def edit(
    request: Request,
    story_id: ConversationId,
    entry_id: EntryId,
    text: Annotated[str, Form()] = "",
    mode: Annotated[Literal["branch", "in_place"], Form()] = "branch",
    expected_leaf: Leaf = None,
    shown: Shown = PAGE,
) -> Response:
    changed = await edits.edit(
        resources_of(request), story_id, entry_id, plain_lines(text), mode=mode, expected_leaf=expected_leaf
    )
    return await moved(request, story_id, shown=shown, replaced=slot_of(changed.entry.parent_id))


@router.post("/prune")
async def prune(
    request: Request, story_id: ConversationId, entry_id: EntryId, expected_leaf: Leaf = None, shown: Shown = PAGE
) -> Response:
    await edits.prune(resources_of(request), story_id, entry_id, expected_leaf=expected_leaf)
    toast = Toast(kind="pruned", undo=f"{address_of(story_id)}/entries/{entry_id}/restore")
    return await moved(request, story_id, shown=shown, toast=toast)


@router.post("/restore")
async def restore(
    request: Request, story_id: ConversationId, entry_id: EntryId, expected_leaf: Leaf = None, shown: Shown = PAGE
) -> Response:
    await edits.restore(resources_of(request), story_id, entry_id, expected_leaf=expected_leaf)
    return await moved(request, story_id, shown=shown)


@router.post("/redact")
async def redact(request: Request, story_id: ConversationId, entry_id: EntryId) -> Response:
    await edits.redact(resources_of(request), story_id, entry_id)
    forget_drawn()
    return await moved(request, story_id)


def _load(connection: Connection, story_id: ConversationId, entry_id: EntryId, opens: bool) -> Speech:
    """A message as it is seen from the active leaf."""
    conversation = load_conversation(connection, story_id)
    shown = load_shown(connection, story_id, entry_id)
    card = load_story_card(connection, conversation.card_id)
    cast = load_cast(connection, conversation, card)
    who = cast.reader if shown.entry.is_user else cast.character
    fields = card_world(card.extensions).fields
    booking = load_booking(connection, story_id, shown.entry, conversation.leaf_id, fields)
    tags = load_tags(connection, story_id) if shown.entry.data.get("tools") else NO_TAGS
    return speech_of(shown, who, opens=opens, booking=booking, tags=tags)
