"""Characters: in as files, out as files."""

from __future__ import annotations

from typing import Annotated, Any
from urllib.parse import quote

from fastapi import APIRouter, File, Query, Request, Response, UploadFile

from liyuan.play.cards import CardFormat, export_card, import_card
from liyuan.store.library import CardRow, delete_card, list_cards, load_card
from liyuan.web.api.asked import OfRow, Open
from liyuan.web.api.problems import problems
from liyuan.web.api.schemas import Card, CardLine, Cards, NewCard, card_line
from liyuan.web.api.wishes import Plain
from liyuan.web.media import picture_address
from liyuan.web.visitor import visitor_of

router = APIRouter(prefix="/cards", tags=["characters"])

_BYTES = {"schema": {"type": "string", "format": "binary"}}
_ANSWER: dict[int | str, dict[str, Any]] = {
    200: {"description": "The card as a file.", "content": {"image/png": _BYTES, "application/json": {"schema": {}}}}
}


@router.post("", status_code=201, responses=problems(413))
async def bring_in(
    request: Request, resources: Open, file: Annotated[UploadFile, File(description="A card as PNG or JSON")]
) -> NewCard:
    """Takes a character in, V1, V2 or V3. Answers it with a note for each thing that was odd about the file."""
    arrived = await import_card(resources, await file.read(), file.filename or "")
    told = visitor_of(request).words.gettext
    notes = [told(note.template).format_map(note.fields) for note in arrived.notes]
    return NewCard(**_line(arrived.row), data=dict(arrived.row.data), notes=notes)


@router.get("", responses=problems())
async def list_all(
    resources: Open,
    query: Annotated[Plain, Query(max_length=500)] = "",
    limit: Annotated[int, Query(ge=1, le=200)] = 50,
    cursor: Annotated[Plain | None, Query(max_length=200)] = None,
) -> Cards:
    """Characters whose name holds `query`, the newest first."""
    rows = await resources.database.read(list_cards, query, limit=limit + 1, before=cursor)
    items = [CardLine(**_line(row)) for row in rows[:limit]]
    return Cards(items=items, next=items[-1].id if len(rows) > limit else None)


@router.get("/{card_id}", responses=problems(404))
async def read_one(resources: Open, card_id: OfRow) -> Card:
    row = await resources.database.read(load_card, card_id)
    return Card(**_line(row), data=dict(row.data))


@router.get("/{card_id}/export", response_class=Response, responses={**_ANSWER, **problems(404)})
async def give_out(resources: Open, card_id: OfRow, format: CardFormat = "png") -> Response:
    """The character as a file for any program that reads cards; unknown fields are kept."""
    file = await export_card(resources, card_id, format)
    disposition = f"attachment; filename*=UTF-8''{quote(file.name)}"
    return Response(file.content, media_type=file.media_type, headers={"Content-Disposition": disposition})


@router.delete("/{card_id}", status_code=204, responses=problems(404))
async def take_away(resources: Open, card_id: OfRow) -> Response:
    """Takes a character off the shelf. The stories told with it stay."""
    await resources.database.write(delete_card, card_id)
    return Response(status_code=204)


def _line(row: CardRow) -> dict[str, Any]:
    return card_line(row, picture_address(row.image_id, "page"))
