"""The first panel beside a story: its title, who the reader is in it, and which model plays. Here one chooses them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, ClassVar, Literal

from fastapi import APIRouter, Form, Request, Response
from sqlalchemy import Connection

from liyuan.domain.entry import ConversationId
from liyuan.play.casting import choose_player, choose_reader, choose_tools
from liyuan.store.cast import load_story_card, tools_chosen
from liyuan.store.conversations import Conversation, load_conversation, rename
from liyuan.store.library import list_connections, list_personas
from liyuan.store.settings_at import load_settings
from liyuan.store.tree import load_entry
from liyuan.web.redraw import is_partial, resources_of, to_story
from liyuan.web.render import View, render
from liyuan.web.story import address_of

router = APIRouter(prefix="/stories/{story_id}", include_in_schema=False)


@dataclass(frozen=True, slots=True)
class Option:
    """Something to choose; the empty id stands for the default."""

    id: str
    name: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Facts:
    """What the panel tells of a story and lets the reader choose. `tools` is empty where the settings decide."""

    id: ConversationId
    address: str
    title: str
    character: str
    character_id: str | None
    turns: int
    personas: tuple[Option, ...]
    persona_id: str
    connections: tuple[Option, ...]
    connection_id: str
    tools: Literal["", "on", "off"]


@dataclass(frozen=True)
class AboutView(View):
    """What a story is, and what can be done with the whole of it."""

    template: ClassVar[str] = "play/_about.html"
    facts: Facts


@dataclass(frozen=True)
class TitleView(View):
    """The title, wherever the page shows it."""

    template: ClassVar[str] = "play/_title.html"
    title: str


async def draw(request: Request, story_id: ConversationId) -> AboutView:
    return AboutView(await resources_of(request).database.read(load_facts, story_id))


def load_facts(connection: Connection, story_id: ConversationId) -> Facts:
    conversation = load_conversation(connection, story_id)
    return Facts(
        id=conversation.id,
        address=address_of(conversation.id),
        title=conversation.title,
        character=load_story_card(connection, conversation.card_id).char,
        character_id=conversation.card_id,
        turns=conversation.turns,
        personas=tuple(Option(row.id, row.name) for row in list_personas(connection)),
        persona_id=conversation.persona_id or "",
        connections=tuple(Option(row.id, row.name) for row in list_connections(connection)),
        connection_id=conversation.connection_id or "",
        tools=_tools(connection, conversation),
    )


def _tools(connection: Connection, conversation: Conversation) -> Literal["", "on", "off"]:
    leaf = load_entry(connection, conversation.id, conversation.leaf_id) if conversation.leaf_id else None
    chosen = tools_chosen(load_settings(connection, leaf.place.setting_id if leaf else None))
    return "" if chosen is None else "on" if chosen else "off"


@router.post("/title")
async def title(request: Request, story_id: ConversationId, title: Annotated[str, Form()]) -> Response:
    return await entitle(request, story_id, title)


async def entitle(request: Request, story_id: ConversationId, title: str) -> Response:
    """Gives the story another title, in the panel or by command."""
    await resources_of(request).database.write(rename, story_id, title)
    if not is_partial(request):
        return to_story(story_id, "panel")
    story = await resources_of(request).database.read(load_conversation, story_id)
    return render(request, TitleView(story.title), headers={"HX-Trigger": "said"})


@router.post("/persona")
async def persona(request: Request, story_id: ConversationId, chosen: Annotated[str, Form()] = "") -> Response:
    """Who the reader is from now on; lines already said are shown under the new name too."""
    await choose_reader(resources_of(request), story_id, chosen or None)
    return Response(status_code=204) if is_partial(request) else to_story(story_id, "panel")


@router.post("/connection")
async def connection(request: Request, story_id: ConversationId, chosen: Annotated[str, Form()] = "") -> Response:
    """Which saved connection plays from the next reply on."""
    await choose_player(resources_of(request), story_id, chosen or None)
    return Response(status_code=204) if is_partial(request) else to_story(story_id, "panel")


@router.post("/tools")
async def tools(
    request: Request, story_id: ConversationId, chosen: Annotated[Literal["", "on", "off"], Form()] = ""
) -> Response:
    """Whether the model may use its context tools from the next reply on."""
    await choose_tools(resources_of(request), story_id, {"on": True, "off": False}.get(chosen))
    return Response(status_code=204) if is_partial(request) else to_story(story_id, "panel")
