"""Saves and worldlines: making, listing, going back, comparing, renaming, deleting and bringing back."""

from __future__ import annotations

import asyncio
from typing import Annotated, Any
from urllib.parse import quote

from fastapi import APIRouter, Query
from starlette.responses import Response, StreamingResponse

from liyuan.domain.entry import EntryId
from liyuan.play import saves
from liyuan.play.exports import open_save
from liyuan.play.worldlines import load_comparison, load_picture, load_preview
from liyuan.web.api.asked import ID, InConversation, OfRow, Open, leaf_of
from liyuan.web.api.farewell import farewell_of
from liyuan.web.api.pieces import in_pieces
from liyuan.web.api.problems import problems
from liyuan.web.api.save_schemas import (
    Comparison,
    MadeSave,
    NamedWorldline,
    NewName,
    NewSave,
    Preview,
    Restoring,
    ReturnedSave,
    Save,
    Worldlines,
)
from liyuan.web.api.schemas import Conversation

router = APIRouter(prefix="/conversations/{conversation_id}", tags=["saves"], responses=problems(404))

AtSave = Annotated[EntryId, Query(pattern=ID)]
_FILE: dict[int | str, dict[str, Any]] = {
    200: {
        "description": "The file, sent while it is read.",
        "content": {"application/jsonl": {"schema": {"type": "string"}}},
    }
}


@router.get("/saves")
async def list_saves(resources: Open, conversation_id: InConversation) -> Worldlines:
    """Every worldline with its saves. Saves in pruned parts of the story are left out."""
    return Worldlines.of(await resources.database.read(load_picture, conversation_id))


@router.post("/saves", status_code=201, responses=problems(409))
async def make_save(resources: Open, conversation_id: InConversation, wish: NewSave) -> MadeSave:
    """Saves at the leaf, once its turn is accounted for. The save is an entry, and the new leaf."""
    leaf: Any = wish.expected_leaf
    return MadeSave.made(await saves.save(resources, conversation_id, wish.name or "", expected_leaf=leaf))


@router.get("/saves/compare")
async def compare_saves(resources: Open, conversation_id: InConversation, one: AtSave, other: AtSave) -> Comparison:
    """What differs between two saves: in the world, and in the story since they parted."""
    return Comparison.of(await resources.database.read(load_comparison, conversation_id, one, other))


@router.get("/saves/{save_id}")
async def read_save(resources: Open, conversation_id: InConversation, save_id: OfRow) -> Preview:
    """A save seen from outside. A deleted one can be looked at too."""
    return Preview.seen(await resources.database.read(load_preview, conversation_id, EntryId(save_id)))


@router.patch("/saves/{save_id}")
async def rename_save(resources: Open, conversation_id: InConversation, save_id: OfRow, wish: NewName) -> Save:
    """Gives a save another name. The tree is not touched."""
    return Save.of(await saves.rename_save(resources, conversation_id, EntryId(save_id), wish.name))


@router.delete("/saves/{save_id}", status_code=204)
async def delete_save(resources: Open, conversation_id: InConversation, save_id: OfRow) -> Response:
    """Takes a save off its line. The story stays as it is; `undelete` brings the save back."""
    await saves.delete_save(resources, conversation_id, EntryId(save_id))
    return Response(status_code=204)


@router.post("/saves/{save_id}/undelete")
async def undelete_save(resources: Open, conversation_id: InConversation, save_id: OfRow) -> ReturnedSave:
    """Brings a save back. Where its line has gone elsewhere meanwhile, it comes back as a fork."""
    save, plan = await saves.undelete_save(resources, conversation_id, EntryId(save_id))
    return ReturnedSave.back(save, plan)


@router.post("/saves/{save_id}/restore", responses=problems(409))
async def restore_save(
    resources: Open, conversation_id: InConversation, save_id: OfRow, wish: Restoring | None = None
) -> Conversation:
    """Goes back to a save: text, ledger, summaries, memory and settings are those of that moment."""
    wish = wish or Restoring()
    leaf = await leaf_of(resources, conversation_id, wish)
    summary, words = farewell_of(wish.summary, wish.text)
    restored = await saves.restore(
        resources, conversation_id, EntryId(save_id), expected_leaf=leaf, summary=summary, words=words
    )
    return Conversation.of(restored)


@router.get("/saves/{save_id}/export", response_class=StreamingResponse, responses=_FILE)
async def export_save(resources: Open, conversation_id: InConversation, save_id: OfRow) -> StreamingResponse:
    """The way to one save as a conversation file that opens at it."""
    made = await asyncio.to_thread(open_save, resources.database, conversation_id, EntryId(save_id))
    return StreamingResponse(
        in_pieces(made.text),
        media_type=made.media_type,
        headers={"Content-Disposition": f"attachment; filename*=UTF-8''{quote(made.name)}"},
    )


@router.patch("/worldlines/{worldline_id}")
async def rename_worldline(
    resources: Open, conversation_id: InConversation, worldline_id: OfRow, wish: NewName
) -> NamedWorldline:
    """Gives a worldline another name, one that no other has. The tree is not touched."""
    name = await saves.rename_worldline(resources, conversation_id, worldline_id, wish.name)
    return NamedWorldline(id=worldline_id, name=name)
