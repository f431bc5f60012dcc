"""The home page: the stories, latest first, and who can play in a new one. The first visit goes straight to a story."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, ClassVar
from urllib.parse import urlencode

from fastapi import APIRouter, Form, Request, Response
from sqlalchemy import Connection
from starlette.responses import RedirectResponse

from liyuan.domain.entry import ConversationId
from liyuan.play.connections import understudy_plays
from liyuan.play.opening import open_story
from liyuan.play.welcome import welcome
from liyuan.resources import Resources
from liyuan.store.conversations import (
    Listed,
    delete,
    list_conversations,
    load_listed,
    rename,
    undelete,
)
from liyuan.store.excerpts import Excerpt, load_excerpts
from liyuan.web.cards import load_posters
from liyuan.web.render import View, render
from liyuan.web.shelf import Poster, StoryLine, story_line
from liyuan.web.undo import brought_back
from liyuan.web.visitor import visitor_of

router = APIRouter(include_in_schema=False)

STORIES = 20
POSTERS = 12


@dataclass(frozen=True)
class HomeView(View):
    """`more` is the address of the next stories; `deleted` the id of a story that was just deleted."""

    template: ClassVar[str] = "pages/home.html"
    query: str
    stories: tuple[StoryLine, ...]
    more: str | None
    posters: tuple[Poster, ...]
    understudy_plays: bool
    deleted: str | None


@dataclass(frozen=True)
class StoriesView(View):
    """The stories alone: a search, or the next ones of the list."""

    template: ClassVar[str] = "home/_stories.html"
    query: str
    stories: tuple[StoryLine, ...]
    more: str | None


@dataclass(frozen=True)
class StoryView(View):
    """One line of the list."""

    template: ClassVar[str] = "home/_story.html"
    story: StoryLine


@dataclass(frozen=True)
class NamingView(View):
    """One line of the list while it is given another name."""

    template: ClassVar[str] = "home/_naming.html"
    story: StoryLine


@dataclass(frozen=True)
class NamingPageView(View):
    """The same as a page, for browsers without scripts."""

    template: ClassVar[str] = "pages/naming.html"
    story: StoryLine


@dataclass(frozen=True)
class DeletedStoryView(View):
    """The word that a story is gone, with the way to bring it back."""

    template: ClassVar[str] = "home/_deleted.html"
    deleted: str


@dataclass(frozen=True, slots=True)
class Shelf:
    """What one look into the database tells of the home page."""

    listed: list[Listed]
    cursor: str | None
    excerpts: dict[ConversationId, Excerpt]
    posters: tuple[Poster, ...]


@router.get("/")
async def home(request: Request, query: str = "", deleted: str | None = None) -> Response:
    resources: Resources = request.app.state.resources
    language = visitor_of(request).language
    if request.method == "GET" and (story := await welcome(resources, language)):
        return RedirectResponse(f"/stories/{story.id}", 303)
    shelf = await resources.database.read(_load_shelf, language, query, None, POSTERS)
    view = HomeView(
        query=query,
        stories=_lines(shelf, language),
        more=_more(query, shelf.cursor),
        posters=shelf.posters,
        understudy_plays=await understudy_plays(resources),
        deleted=deleted,
    )
    return render(request, view)


@router.get("/stories")
async def stories(request: Request, query: str = "", cursor: str | None = None) -> Response:
    """The next stories, or those a search finds; without a script, the home page with that search."""
    if "hx-request" not in request.headers:
        return RedirectResponse(f"/?{urlencode({'query': query})}" if query else "/", 303)
    resources: Resources = request.app.state.resources
    language = visitor_of(request).language
    shelf = await resources.database.read(_load_shelf, language, query, cursor, 0)
    lines = _lines(shelf, language)
    return render(request, StoriesView(query, lines, _more(query, shelf.cursor)))


@router.post("/stories")
async def open_new(
    request: Request,
    card_id: Annotated[str | None, Form()] = None,
    persona_id: Annotated[str | None, Form()] = None,
    greeting: Annotated[int, Form()] = 0,
    title: Annotated[str | None, Form()] = None,
) -> Response:
    resources: Resources = request.app.state.resources
    story = await open_story(
        resources, card_id=card_id or None, persona_id=persona_id or None, greeting=greeting, title=title or None
    )
    return RedirectResponse(f"/stories/{story.id}", 303)


@router.get("/stories/{conversation_id}/name")
async def naming(request: Request, conversation_id: ConversationId) -> Response:
    line = await _line(request, conversation_id)
    return render(request, NamingView(line) if "hx-request" in request.headers else NamingPageView(line))


@router.get("/stories/{conversation_id}/line")
async def line(request: Request, conversation_id: ConversationId) -> Response:
    """The line as it was, when naming is given up."""
    return render(request, StoryView(await _line(request, conversation_id)))


@router.post("/stories/{conversation_id}/name")
async def name(request: Request, conversation_id: ConversationId, title: Annotated[str, Form()] = "") -> Response:
    """A name of nothing but blanks leaves the old one."""
    resources: Resources = request.app.state.resources
    if title.strip():
        await resources.database.write(rename, conversation_id, title)
    if "hx-request" not in request.headers:
        return RedirectResponse("/", 303)
    return render(request, StoryView(await _line(request, conversation_id)))


@router.post("/stories/{conversation_id}/delete")
async def take_away(request: Request, conversation_id: ConversationId) -> Response:
    resources: Resources = request.app.state.resources
    await resources.database.write(delete, conversation_id)
    if "hx-request" not in request.headers:
        return RedirectResponse(f"/?deleted={conversation_id}", 303)
    return render(request, DeletedStoryView(conversation_id))


@router.post("/stories/{conversation_id}/undelete")
async def bring_back(request: Request, conversation_id: ConversationId) -> Response:
    resources: Resources = request.app.state.resources
    await resources.database.write(undelete, conversation_id)
    return brought_back(request, "stories", "/")


def _load_shelf(connection: Connection, language: str, query: str, cursor: str | None, most_posters: int) -> Shelf:
    listed, further = list_conversations(connection, query=query, limit=STORIES, cursor=cursor)
    excerpts = load_excerpts(connection, [one.conversation.id for one in listed], query)
    posters = load_posters(connection, language, query, most_posters) if most_posters else ()
    return Shelf(listed, further, excerpts, posters)


def _lines(shelf: Shelf, language: str) -> tuple[StoryLine, ...]:
    return tuple(story_line(one, language, shelf.excerpts.get(one.conversation.id)) for one in shelf.listed)


def _more(query: str, cursor: str | None) -> str | None:
    if cursor is None:
        return None
    return f"/stories?{urlencode({'query': query, 'cursor': cursor} if query else {'cursor': cursor})}"


async def _line(request: Request, conversation_id: ConversationId) -> StoryLine:
    resources: Resources = request.app.state.resources
    listed = await resources.database.read(load_listed, conversation_id)
    return story_line(listed, visitor_of(request).language)
