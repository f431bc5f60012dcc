"""What the reader does with memory: searching it, pinning, hiding, indexing anew; documents in and out."""

from __future__ import annotations

from typing import Annotated, Literal

from fastapi import APIRouter, Form, Request, Response

from liyuan.domain.entry import ConversationId
from liyuan.domain.errors import Invalid
from liyuan.play.knowledge import add_knowledge, remove_knowledge
from liyuan.play.memories import mark_memory, rebuild
from liyuan.store.documents import Scope
from liyuan.web.fields import uploads
from liyuan.web.memory import MemoryView, read_memory
from liyuan.web.panels import TabbedView, tabbed
from liyuan.web.play import page
from liyuan.web.redraw import is_partial, resources_of, to_story
from liyuan.web.render import render

router = APIRouter(prefix="/stories/{story_id}/memory", include_in_schema=False)

#: The name of this panel among the tabs.
HERE = "memory"
SCOPES: dict[str, Scope] = {"story": "story", "character": "character", "everywhere": "everywhere"}


@router.get("")
async def searched(request: Request, story_id: ConversationId, query: str = "") -> Response:
    """The panel with what a search found on this branch; without a script on the whole page."""
    view = MemoryView(await read_memory(request, story_id, query))
    if is_partial(request):
        return render(request, TabbedView(await tabbed(request, story_id, HERE, view)))
    return await page(request, story_id, panel=view)


@router.post("/{memory_id}/mark")
async def mark(
    request: Request,
    story_id: ConversationId,
    memory_id: int,
    mark: Annotated[Literal["", "pinned", "hidden"], Form()] = "",
    query: Annotated[str | None, Form()] = None,
) -> Response:
    """Pins or hides a memory, and draws the panel as it was otherwise."""
    await mark_memory(resources_of(request), story_id, memory_id, mark)
    return await _anew(request, story_id, query)


@router.post("/rebuild")
async def make_anew(request: Request, story_id: ConversationId) -> Response:
    """Has the index made anew."""
    await rebuild(resources_of(request), story_id)
    return await _anew(request, story_id)


@router.post("/documents")
async def bring_in(request: Request, story_id: ConversationId) -> Response:
    """Takes documents in, each for the scope that was chosen."""
    async with request.form() as form:
        files = uploads(form, "file")
        if not files:
            raise Invalid("Choose a file first.")
        scope = SCOPES.get(str(form.get("scope")), "story")
        for file in files:
            await add_knowledge(resources_of(request), story_id, file.filename or "", await file.read(), scope)
    return await _anew(request, story_id)


@router.post("/documents/{document_id}/delete")
async def take_away(request: Request, story_id: ConversationId, document_id: str) -> Response:
    """Takes a document away for good."""
    await remove_knowledge(resources_of(request), story_id, document_id)
    return await _anew(request, story_id)


async def _anew(request: Request, story_id: ConversationId, query: str | None = None) -> Response:
    if not is_partial(request):
        return to_story(story_id, "panel")
    view = MemoryView(await read_memory(request, story_id, query or None))
    return render(request, TabbedView(await tabbed(request, story_id, HERE, view)))
