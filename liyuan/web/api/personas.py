"""The reader's own characters: written as JSON, or brought in as a file that holds the same."""

from __future__ import annotations

import json
from typing import Any
from urllib.parse import quote

from fastapi import APIRouter, Request, Response
from fastapi.exceptions import RequestValidationError
from pydantic import ValidationError
from starlette.datastructures import UploadFile

from liyuan.play.personas import write_persona
from liyuan.store.library import delete_persona, list_personas, load_persona
from liyuan.web.api.asked import OfRow, Open
from liyuan.web.api.problems import problems
from liyuan.web.api.schemas import Persona, Personas
from liyuan.web.api.wishes import NewPersona
from liyuan.web.typed import content_type

router = APIRouter(prefix="/personas", tags=["personas"])

_BODY: dict[str, Any] = {
    "requestBody": {
        "required": True,
        "content": {
            "application/json": {"schema": NewPersona.model_json_schema()},
            "multipart/form-data": {
                "schema": {
                    "type": "object",
                    "properties": {"file": {"type": "string", "contentMediaType": "application/octet-stream"}},
                    "required": ["file"],
                }
            },
        },
    }
}
_ANSWER: dict[int | str, dict[str, Any]] = {
    200: {
        "description": "The persona as a file that this API takes in.",
        "content": {"application/json": {"schema": NewPersona.model_json_schema()}},
    }
}


@router.post("", status_code=201, openapi_extra=_BODY, responses=problems(413))
async def write(request: Request, resources: Open) -> Persona:
    """A new persona, as JSON or as a `file` that holds it. The first one becomes the default."""
    wish = _read(await _sent(request))
    return Persona.of(await write_persona(resources, wish.name, wish.description))


@router.get("", responses=problems())
async def list_all(resources: Open) -> Personas:
    return Personas(items=[Persona.of(row) for row in await resources.database.read(list_personas)])


@router.get("/{persona_id}", responses=problems(404))
async def read_one(resources: Open, persona_id: OfRow) -> Persona:
    return Persona.of(await resources.database.read(load_persona, persona_id))


@router.get("/{persona_id}/export", response_class=Response, responses={**_ANSWER, **problems(404)})
async def give_out(resources: Open, persona_id: OfRow) -> Response:
    row = await resources.database.read(load_persona, persona_id)
    file = json.dumps({"name": row.name, "description": row.description}, ensure_ascii=False, indent=2)
    disposition = f"attachment; filename*=UTF-8''{quote(row.name, safe='')}.json"
    return Response(file, media_type="application/json", headers={"Content-Disposition": disposition})


@router.delete("/{persona_id}", status_code=204, responses=problems(404))
async def take_away(resources: Open, persona_id: OfRow) -> Response:
    """Takes a persona away. Stories told with it keep it."""
    await resources.database.write(delete_persona, persona_id)
    return Response(status_code=204)


async def _sent(request: Request) -> bytes:
    kind = content_type(request.scope)
    if kind == "application/json":
        return await request.body()
    if kind != "multipart/form-data":
        raise RequestValidationError([{"loc": ("body",), "msg": "Send JSON, or a form with a file", "type": "type"}])
    async with request.form(max_files=1) as form:
        file = form.get("file")
        if not isinstance(file, UploadFile):
            raise RequestValidationError([{"loc": ("body", "file"), "msg": "Field required", "type": "missing"}])
        return await file.read()


def _read(body: bytes) -> NewPersona:
    try:
        return NewPersona.model_validate_json(body)
    except ValidationError as error:
        faults = error.errors(include_url=False, include_context=False, include_input=False)
        raise RequestValidationError([{**fault, "loc": ("body", *fault["loc"])} for fault in faults]) from error
