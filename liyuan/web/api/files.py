"""Conversations as files: out as the whole tree, as prose or as a chat, and in again."""

from __future__ import annotations

import asyncio
from typing import Annotated, Any
from urllib.parse import quote

from fastapi import APIRouter, File, Form, Request, UploadFile
from starlette.responses import StreamingResponse

from liyuan.domain.conversation_file import Fault
from liyuan.play.exports import Branches, ExportFormat, open_export
from liyuan.play.imports import Policy, import_conversation
from liyuan.web.api.asked import InConversation, Open
from liyuan.web.api.pieces import in_pieces
from liyuan.web.api.problems import problems
from liyuan.web.api.schemas import Import
from liyuan.web.visitor import visitor_of

router = APIRouter(prefix="/conversations", tags=["files"])

_FILE = {"schema": {"type": "string"}}
_ANSWER: dict[int | str, dict[str, Any]] = {
    200: {
        "description": "The file, sent while it is read.",
        "content": {"application/jsonl": _FILE, "text/markdown": _FILE},
    }
}


@router.get("/{conversation_id}/export", response_class=StreamingResponse, responses={**_ANSWER, **problems(404)})
async def export(
    resources: Open, conversation_id: InConversation, format: ExportFormat = "jsonl", branch: Branches | None = None
) -> StreamingResponse:
    """`jsonl` keeps the whole tree and comes back equal; the other formats hold the active branch.

    In a `sillytavern` chat the swipes of a message are its variants.
    """
    made = await asyncio.to_thread(open_export, resources.database, conversation_id, format, branch)
    return StreamingResponse(
        in_pieces(made.text),
        media_type=made.media_type,
        headers={"Content-Disposition": f"attachment; filename*=UTF-8''{quote(made.name)}"},
    )


@router.post("/import", status_code=201, responses=problems(413))
async def take_in(
    request: Request,
    resources: Open,
    file: Annotated[UploadFile, File(description="A conversation file (jsonl)")],
    policy: Annotated[Policy, Form()] = "quarantine",
) -> Import:
    """Takes a file in: `quarantine` takes the sound part and tells of the rest, `reject` takes all or nothing."""
    done = await import_conversation(resources, file.file, policy)
    return Import.of(done, [_reason(request, fault) for fault in done.faults])


def _reason(request: Request, fault: Fault) -> str:
    return visitor_of(request).words.gettext(fault.why.template).format_map(fault.why.fields)
