"""The reader's own characters: who one is in the stories, and who one is by default."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from fastapi import APIRouter, Request, Response
from starlette.responses import RedirectResponse

from liyuan.domain.errors import LiyuanError
from liyuan.play.personas import revise_persona, write_persona
from liyuan.resources import Resources
from liyuan.store.library import (
    PersonaRow,
    delete_persona,
    list_personas,
    load_persona,
    prefer_persona,
    undelete_persona,
)
from liyuan.web.fields import text, upload
from liyuan.web.media import picture_address
from liyuan.web.problem import explain
from liyuan.web.render import View, render
from liyuan.web.undo import brought_back
from liyuan.web.visitor import visitor_of

router = APIRouter(include_in_schema=False)


@dataclass(frozen=True, slots=True)
class PersonaLine:
    """One persona as the list shows it."""

    id: str
    name: str
    description: str
    image: str | None
    is_default: bool


@dataclass(frozen=True)
class PersonasView(View):
    """`deleted` is the id of one that was just deleted."""

    template: ClassVar[str] = "pages/personas.html"
    personas: tuple[PersonaLine, ...]
    deleted: str | None


@dataclass(frozen=True)
class PersonaFormView(View):
    """The editor; `id` is None for a new persona."""

    template: ClassVar[str] = "pages/persona_form.html"
    id: str | None
    name: str = ""
    description: str = ""
    image: str | None = None
    trouble: str | None = None


@router.get("/personas")
async def personas(request: Request, deleted: str | None = None) -> Response:
    resources: Resources = request.app.state.resources
    rows = await resources.database.read(list_personas)
    return render(request, PersonasView(tuple(map(_line, rows)), deleted))


@router.get("/personas/new")
async def blank(request: Request) -> Response:
    return render(request, PersonaFormView(None))


@router.get("/personas/{persona_id}")
async def editor(request: Request, persona_id: str) -> Response:
    row = await _load(request, persona_id)
    image = picture_address(row.image_id, "poster")
    return render(request, PersonaFormView(row.id, row.name, row.description, image))


@router.post("/personas/new")
async def write(request: Request) -> Response:
    return await _keep(request, None)


@router.post("/personas/{persona_id}")
async def revise(request: Request, persona_id: str) -> Response:
    return await _keep(request, await _load(request, persona_id))


@router.post("/personas/{persona_id}/default")
async def prefer(request: Request, persona_id: str) -> Response:
    resources: Resources = request.app.state.resources
    await resources.database.write(prefer_persona, persona_id)
    return RedirectResponse("/personas", 303)


@router.post("/personas/{persona_id}/delete")
async def take_away(request: Request, persona_id: str) -> Response:
    resources: Resources = request.app.state.resources
    await resources.database.write(delete_persona, persona_id)
    return RedirectResponse(f"/personas?deleted={persona_id}", 303)


@router.post("/personas/{persona_id}/undelete")
async def bring_back(request: Request, persona_id: str) -> Response:
    resources: Resources = request.app.state.resources
    await resources.database.write(undelete_persona, persona_id)
    return brought_back(request, "personas", "/personas")


async def _keep(request: Request, row: PersonaRow | None) -> Response:
    resources: Resources = request.app.state.resources
    async with request.form() as sent:
        name, description = text(sent, "name"), text(sent, "description")
        picture = await upload(sent, "picture")
    try:
        if row is None:
            await write_persona(resources, name, description, picture=picture)
        else:
            await revise_persona(resources, row.id, name, description, picture=picture)
    except LiyuanError as error:
        trouble = explain(error, visitor_of(request), request.method).detail
        image = picture_address(row.image_id, "poster") if row else None
        view = PersonaFormView(row.id if row else None, name, description, image, trouble)
        return render(request, view, status=error.status_code)
    return RedirectResponse("/personas", 303)


async def _load(request: Request, persona_id: str) -> PersonaRow:
    resources: Resources = request.app.state.resources
    return await resources.database.read(load_persona, persona_id)


def _line(row: PersonaRow) -> PersonaLine:
    return PersonaLine(row.id, row.name, row.description, picture_address(row.image_id), row.is_default)
