"""What a story remembers on a path, and the documents it may look into."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, File, Form, Path, Query, Response, UploadFile

from liyuan.domain.recall import Hit
from liyuan.play.knowledge import add_knowledge, load_knowledge, remove_knowledge
from liyuan.play.memories import load_index, load_remembered, mark_memory, rebuild
from liyuan.play.recall import search, search_documents
from liyuan.store.branch import active_leaf
from liyuan.store.conversations import load_conversation
from liyuan.store.documents import Scope
from liyuan.web.api.asked import AtEntry, InConversation, OfRow, Open
from liyuan.web.api.memory_schemas import (
    Document,
    Documents,
    Index,
    Marking,
    Memories,
    MemoryHit,
    Passage,
    Passages,
)
from liyuan.web.api.problems import problems
from liyuan.web.api.wishes import Plain

router = APIRouter(prefix="/conversations/{conversation_id}", tags=["memory"], responses=problems(404))

Question = Annotated[Plain, Query(max_length=2000)]
OfMemory = Annotated[int, Path(ge=1, le=2**53)]


@router.get("/memories")
async def read_memories(
    resources: Open,
    conversation_id: InConversation,
    query: Question = "",
    leaf: AtEntry = None,
    k: Annotated[int, Query(ge=1, le=100)] = 8,
) -> Memories:
    """What the path of a leaf, by default the active one, remembers. Other branches are never looked at."""
    progress = await resources.database.read(load_index, conversation_id, resources.memory.model)
    at = leaf or await resources.database.read(active_leaf, conversation_id)
    latest, total = await resources.database.read(load_remembered, conversation_id, at, k)
    hits, trouble = [Hit(memory=memory) for memory in latest], ""
    if query.strip() and at is not None:
        hits, trouble = await search(resources, conversation_id, at, query, k=k)
    items = [MemoryHit.of(hit) for hit in hits]
    return Memories(items=items, total=total, trouble=trouble, index=Index.of(progress))


@router.patch("/memories/{memory_id}", status_code=204, responses=problems(404))
async def mark_one(resources: Open, conversation_id: InConversation, memory_id: OfMemory, wish: Marking) -> Response:
    """Pins a memory, so that every turn on paths with it is told it; or hides it from all of them."""
    await mark_memory(resources, conversation_id, memory_id, wish.mark)
    return Response(status_code=204)


@router.post("/memories/rebuild", status_code=202)
async def make_anew(resources: Open, conversation_id: InConversation) -> Index:
    """Has the index of this story made anew in the background. Until then words are still found."""
    await rebuild(resources, conversation_id)
    return Index.of(await resources.database.read(load_index, conversation_id, resources.memory.model))


@router.get("/documents")
async def list_all(resources: Open, conversation_id: InConversation) -> Documents:
    """The documents this story may look into: its own, its character's, and those for every story."""
    found = await resources.database.read(load_knowledge, conversation_id)
    return Documents(items=[Document.of(row) for row in found])


@router.post("/documents", status_code=201, responses=problems(404, 413, 422))
async def bring_in(
    resources: Open,
    conversation_id: InConversation,
    file: Annotated[UploadFile, File(description="Text, Markdown, PDF or Word")],
    scope: Annotated[Scope, Form()] = "story",
) -> Document:
    """Keeps a document for this story, for its character, or for every story."""
    added = await add_knowledge(resources, conversation_id, file.filename or "", await file.read(), scope)
    return Document.of(added)


@router.get("/documents/search")
async def search_all(
    resources: Open,
    conversation_id: InConversation,
    query: Question,
    k: Annotated[int, Query(ge=1, le=30)] = 8,
) -> Passages:
    """Passages of the documents this story may look into."""
    story = await resources.database.read(load_conversation, conversation_id)
    hits, trouble = await search_documents(resources, conversation_id, story.card_id, query, k=k)
    return Passages(items=[Passage.of(hit) for hit in hits], trouble=trouble)


@router.delete("/documents/{document_id}", status_code=204, responses=problems(404))
async def take_away(resources: Open, conversation_id: InConversation, document_id: OfRow) -> Response:
    """Takes a document away for good, wherever it was kept for."""
    await remove_knowledge(resources, conversation_id, document_id)
    return Response(status_code=204)
