"""The world in the reader's hands: changing a value, pinning a field, looking up how it came about."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, ClassVar

from fastapi import APIRouter, Form, Request, Response
from sqlalchemy import Connection
from starlette.datastructures import FormData

from liyuan.domain.entry import ConversationId, EntryId
from liyuan.domain.names import fold
from liyuan.domain.world import Json
from liyuan.play.world import amend, load_ledger
from liyuan.web.booked import load_booked
from liyuan.web.divider import Divider
from liyuan.web.fields import text
from liyuan.web.moments import MomentsView, load_history
from liyuan.web.panels import Tabbed, tabbed
from liyuan.web.play import page
from liyuan.web.redraw import is_partial, resources_of, to_story
from liyuan.web.render import View, render
from liyuan.web.speech import Speech
from liyuan.web.story import Helm
from liyuan.web.visitor import visitor_of
from liyuan.web.world import WorldView, in_words, read_world
from liyuan.web.world_form import patch_of

router = APIRouter(prefix="/stories/{story_id}/world", include_in_schema=False)

Leaf = Annotated[EntryId | None, Form()]
#: The name of this panel among the tabs.
HERE = "world"


@dataclass(frozen=True)
class AmendedView(View):
    """The panel anew, and what the page must learn of the story with it."""

    template: ClassVar[str] = "world/_amended.html"
    tabbed: Tabbed
    speeches: tuple[Speech, ...]
    helm: Helm
    turns: int
    divider: Divider | None
    place: str


@router.post("")
async def change(request: Request, story_id: ConversationId) -> Response:
    """Changes what the form is about, on this branch only. What could not be done is told above the panel."""
    form = await request.form()
    patch = await resources_of(request).database.read(_patch, story_id, form)
    leaf = EntryId(text(form, "expected_leaf")) if text(form, "expected_leaf") else None
    _, _, notes = await amend(resources_of(request), story_id, patch, expected_leaf=leaf)
    return await _amended(request, story_id, tuple(in_words(visitor_of(request), notes)))


@router.post("/pins")
async def pin(
    request: Request, story_id: ConversationId, pin: Annotated[str, Form()], expected_leaf: Leaf = None
) -> Response:
    """Pins a field, so that the scribe leaves it as it is; or lets go of one that is pinned."""
    ledger = await resources_of(request).database.read(load_ledger, story_id)
    pins = ledger.standing.snapshot.pins
    kept = [one for one in pins if fold(one) != fold(pin)]
    await amend(
        resources_of(request),
        story_id,
        {},
        pins=kept if len(kept) < len(pins) else [*pins, pin],
        expected_leaf=expected_leaf,
    )
    return await _amended(request, story_id, ())


@router.get("/history")
async def history(request: Request, story_id: ConversationId, field: str) -> Response:
    """How a field came to be what it is, along this branch."""
    found = await resources_of(request).database.read(load_history, story_id, field)
    if is_partial(request):
        return render(request, MomentsView(found))
    return await page(request, story_id, panel=WorldView(await read_world(request, story_id), history=found))


def _patch(connection: Connection, story_id: ConversationId, form: FormData) -> Json:
    return patch_of(form, load_ledger(connection, story_id))


async def _amended(request: Request, story_id: ConversationId, refused: tuple[str, ...]) -> Response:
    view = WorldView(await read_world(request, story_id), refused=refused)
    if not is_partial(request):
        return await page(request, story_id, panel=view) if refused else to_story(story_id, "panel")
    told = await resources_of(request).database.read(load_booked, story_id)
    amended = AmendedView(
        tabbed=await tabbed(request, story_id, HERE, view),
        speeches=told.speeches,
        helm=told.helm,
        turns=told.turns,
        divider=told.divider,
        place=told.place,
    )
    return render(request, amended)
