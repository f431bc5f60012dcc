"""The pages of the characters: the shelf, one character, and a story's beginning with it. Acts are in `card_acts`."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import ClassVar
from urllib.parse import urlencode

from fastapi import APIRouter, Request, Response
from sqlalchemy import Connection

from liyuan.domain.card import Card
from liyuan.domain.macros import Scope, expand, scope_of
from liyuan.domain.persona import Persona
from liyuan.resources import Resources
from liyuan.store.cast import card_of, reader_of
from liyuan.store.library import CardRow, PersonaRow, list_cards, list_personas, load_card
from liyuan.web.media import picture_address
from liyuan.web.render import View, render
from liyuan.web.shelf import Poster, plain, poster
from liyuan.web.visitor import visitor_of

router = APIRouter(include_in_schema=False)

#: Characters shown at once; more come as one scrolls.
POSTERS = 48


@dataclass(frozen=True, slots=True)
class Arrival:
    """What became of one file that was brought in: a character with notes on what was odd, or a trouble."""

    filename: str
    character: Poster | None
    notes: tuple[str, ...]
    trouble: str | None


@dataclass(frozen=True)
class CharactersView(View):
    """`more` is the address of the next ones, `arrivals` are the files just brought in, `deleted` is an id."""

    template: ClassVar[str] = "pages/characters.html"
    query: str
    posters: tuple[Poster, ...]
    more: str | None
    arrivals: tuple[Arrival, ...] = ()
    deleted: str | None = None


@dataclass(frozen=True, slots=True)
class Greeting:
    """One way a story can begin. `first_words` are for a list."""

    index: int
    text: str
    first_words: str


@dataclass(frozen=True, slots=True)
class Role:
    """A persona to play as."""

    id: str
    name: str
    image: str | None
    is_default: bool


@dataclass(frozen=True)
class CharacterView(View):
    """One character as its maker wrote it; in `scope` are the longer texts with the names filled in."""

    template: ClassVar[str] = "pages/character.html"
    id: str
    card: Card
    scope: Scope
    image: str | None
    notes: str
    greetings: tuple[Greeting, ...]
    has_choice: bool
    told: str | None


@dataclass(frozen=True)
class BeginningView(View):
    """The choices before a story: how it begins, and who the reader is in it."""

    template: ClassVar[str] = "pages/beginning.html"
    id: str
    name: str
    script: str
    image: str | None
    greetings: tuple[Greeting, ...]
    roles: tuple[Role, ...]


@router.get("/characters")
async def characters(
    request: Request, query: str = "", before: str | None = None, deleted: str | None = None
) -> Response:
    return render(request, await characters_view(request, query, before=before, deleted=deleted))


async def characters_view(
    request: Request,
    query: str = "",
    *,
    before: str | None = None,
    arrivals: tuple[Arrival, ...] = (),
    deleted: str | None = None,
) -> CharactersView:
    resources: Resources = request.app.state.resources
    language = visitor_of(request).language
    found = await resources.database.read(load_posters, language, query, POSTERS + 1, before)
    shown = found[:POSTERS]
    further = {"query": query, "before": shown[-1].id} if len(found) > POSTERS else None
    more = f"/characters?{urlencode(further)}" if further else None
    return CharactersView(query, shown, more, arrivals, deleted)


@router.get("/characters/{card_id}")
async def character(request: Request, card_id: str, told: str | None = None) -> Response:
    """One character. `told` names what has just been done: `kept` or `copied`."""
    resources: Resources = request.app.state.resources
    row, personas, reader = await resources.database.read(_load_character, card_id)
    card = card_of(row)
    scope = scope_of(card, reader, seed=row.id, now=datetime.now().astimezone())
    greetings = greetings_of(card, scope)
    view = CharacterView(
        id=row.id,
        card=card,
        scope=scope,
        image=picture_address(row.image_id, "page"),
        notes=card.creator_notes_in(visitor_of(request).language),
        greetings=greetings,
        has_choice=len(greetings) > 1 or len(personas) > 1,
        told=told if told in ("kept", "copied") else None,
    )
    return render(request, view)


@router.get("/characters/{card_id}/play")
async def beginning(request: Request, card_id: str) -> Response:
    resources: Resources = request.app.state.resources
    row, personas, reader = await resources.database.read(_load_character, card_id)
    card = card_of(row)
    view = BeginningView(
        id=row.id,
        name=card.name,
        script=card.language,
        image=picture_address(row.image_id, "poster"),
        greetings=greetings_of(card, scope_of(card, reader, seed=row.id, now=datetime.now().astimezone())),
        roles=tuple(map(_role, personas)),
    )
    return render(request, view)


def load_posters(
    connection: Connection, language: str, query: str, limit: int, before: str | None = None
) -> tuple[Poster, ...]:
    """So many characters whose name holds `query`, the newest first, below the one with the id `before`."""
    personas = len(list_personas(connection))
    rows = list_cards(connection, query, limit=limit, before=before)
    return tuple(poster(row, language, personas) for row in rows)


def greetings_of(card: Card, scope: Scope) -> tuple[Greeting, ...]:
    """The greetings with their macros filled in, as a story would have them."""
    told = [expand(text, scope) for text in card.greetings]
    return tuple(Greeting(index, text, plain(text)[:120]) for index, text in enumerate(told))


def _load_character(connection: Connection, card_id: str) -> tuple[CardRow, tuple[PersonaRow, ...], Persona]:
    row = load_card(connection, card_id)
    return row, list_personas(connection), reader_of(connection, None, card_of(row))


def _role(row: PersonaRow) -> Role:
    return Role(row.id, row.name, picture_address(row.image_id), row.is_default)
