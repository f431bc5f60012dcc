"""What a person does with characters: bring in, write, change, copy, give out, delete. Every act is a plain form."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal
from urllib.parse import quote

from fastapi import APIRouter, Request, Response
from starlette.datastructures import FormData, UploadFile
from starlette.responses import RedirectResponse

from liyuan.domain.card import parse_card
from liyuan.domain.errors import LiyuanError
from liyuan.domain.note import Note
from liyuan.play.cards import duplicate_card, export_card, import_card, revise_card, write_card
from liyuan.resources import Resources
from liyuan.store.cast import card_of
from liyuan.store.library import CardRow, delete_card, list_personas, load_card, undelete_card
from liyuan.web.card_form import CardForm, changes, form_of_card, form_of_fields, rearranged
from liyuan.web.cards import Arrival, characters_view
from liyuan.web.fields import text, upload, uploads
from liyuan.web.media import picture_address
from liyuan.web.problem import explain
from liyuan.web.render import View, render
from liyuan.web.shelf import poster
from liyuan.web.undo import brought_back
from liyuan.web.visitor import Visitor, visitor_of

router = APIRouter(include_in_schema=False)

MOST_FILES = 100
CHANGED_ELSEWHERE = (
    "This character was changed in another window since you opened it here. Your words stand below; "
    "keep them to put them in place of the other ones."
)


@dataclass(frozen=True)
class ArrivalsView(View):
    """What became of the files that were brought in."""

    template: ClassVar[str] = "characters/_arrivals.html"
    arrivals: tuple[Arrival, ...]


@dataclass(frozen=True)
class CardFormView(View):
    """The editor. `id` is None for a new character; `seen` the moment from which the form has its words."""

    template: ClassVar[str] = "pages/character_form.html"
    id: str | None
    form: CardForm
    image: str | None
    seen: str
    trouble: str | None = None
    added: bool = False


@router.post("/characters/import")
async def bring_in(request: Request) -> Response:
    """Takes several files; what is wrong with one does not touch the others."""
    async with request.form(max_files=MOST_FILES) as form:
        arrivals = tuple([await _arrive(request, file) for file in uploads(form, "files")])
    if "hx-request" in request.headers:
        return render(request, ArrivalsView(arrivals), headers={"HX-Trigger": "characters-changed"})
    return render(request, await characters_view(request, arrivals=arrivals))


@router.get("/characters/new")
async def blank(request: Request) -> Response:
    return render(request, CardFormView(None, CardForm(), None, ""))


@router.post("/characters/new")
async def write(request: Request) -> Response:
    resources: Resources = request.app.state.resources
    async with request.form() as sent:
        form = form_of_fields(sent)
        if drawn := _rearranged_view(sent, None, form, None):
            return render(request, drawn)
        try:
            fields = changes(parse_card({"name": ""})[0], form)
            row = await write_card(resources, picture=await upload(sent, "picture"), **fields)
        except LiyuanError as error:
            return _again(request, CardFormView(None, form, None, "", _words(request, error)), error)
    return RedirectResponse(f"/characters/{row.id}?told=kept", 303)


@router.get("/characters/{card_id}/edit")
async def editor(request: Request, card_id: str) -> Response:
    row = await _load(request, card_id)
    return render(request, CardFormView(row.id, form_of_card(card_of(row)), _picture(row), row.updated_at))


@router.post("/characters/{card_id}/edit")
async def revise(request: Request, card_id: str) -> Response:
    resources: Resources = request.app.state.resources
    row = await _load(request, card_id)
    async with request.form() as sent:
        form = form_of_fields(sent)
        if drawn := _rearranged_view(sent, row.id, form, _picture(row)):
            return render(request, drawn)
        if text(sent, "seen") != row.updated_at:
            told = visitor_of(request).words.gettext(CHANGED_ELSEWHERE)
            return render(request, CardFormView(row.id, form, _picture(row), row.updated_at, told), status=409)
        try:
            picture = await upload(sent, "picture")
            await revise_card(resources, card_id, picture=picture, **changes(card_of(row), form))
        except LiyuanError as error:
            view = CardFormView(row.id, form, _picture(row), row.updated_at, _words(request, error))
            return _again(request, view, error)
    return RedirectResponse(f"/characters/{card_id}?told=kept", 303)


@router.post("/characters/{card_id}/copy")
async def copy(request: Request, card_id: str) -> Response:
    row = await duplicate_card(request.app.state.resources, card_id)
    return RedirectResponse(f"/characters/{row.id}?told=copied", 303)


@router.get("/characters/{card_id}/export")
async def give_out(request: Request, card_id: str, format: Literal["png", "json"] = "png") -> Response:
    file = await export_card(request.app.state.resources, card_id, format)
    disposition = f"attachment; filename*=UTF-8''{quote(file.name)}"
    return Response(file.content, media_type=file.media_type, headers={"Content-Disposition": disposition})


@router.post("/characters/{card_id}/delete")
async def take_away(request: Request, card_id: str) -> Response:
    resources: Resources = request.app.state.resources
    await resources.database.write(delete_card, card_id)
    return RedirectResponse(f"/characters?deleted={card_id}", 303)


@router.post("/characters/{card_id}/undelete")
async def bring_back(request: Request, card_id: str) -> Response:
    resources: Resources = request.app.state.resources
    await resources.database.write(undelete_card, card_id)
    return brought_back(request, "characters", f"/characters/{card_id}")


async def _arrive(request: Request, file: UploadFile) -> Arrival:
    resources: Resources = request.app.state.resources
    name = file.filename or ""
    try:
        arrived = await import_card(resources, await file.read(), name)
    except LiyuanError as error:
        return Arrival(name, None, (), _words(request, error))
    personas = len(await resources.database.read(list_personas))
    visitor = visitor_of(request)
    notes = tuple(note_in_words(note, visitor) for note in arrived.notes)
    return Arrival(name, poster(arrived.row, visitor.language, personas), notes, None)


def note_in_words(note: Note, visitor: Visitor) -> str:
    """A note in the visitor's language."""
    return visitor.words.gettext(note.template).format_map(note.fields)


def _rearranged_view(sent: FormData, card_id: str | None, form: CardForm, image: str | None) -> CardFormView | None:
    """The editor after a button of its list of greetings, when it was one of these."""
    act = text(sent, "act")
    form_now = rearranged(form, act)
    return CardFormView(card_id, form_now, image, text(sent, "seen"), added=act == "add") if form_now else None


def _again(request: Request, view: CardFormView, error: LiyuanError) -> Response:
    return render(request, view, status=error.status_code)


def _words(request: Request, error: LiyuanError) -> str:
    return explain(error, visitor_of(request), request.method).detail


async def _load(request: Request, card_id: str) -> CardRow:
    resources: Resources = request.app.state.resources
    return await resources.database.read(load_card, card_id)


def _picture(row: CardRow) -> str | None:
    return picture_address(row.image_id, "poster")
