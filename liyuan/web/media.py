"""Pictures by their id, in the sizes that pages use. An id stands for its bytes, so browsers keep them for ever."""

from __future__ import annotations

import asyncio
import secrets
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Literal

from fastapi import APIRouter, Request
from fastapi.responses import FileResponse

from liyuan.domain.errors import LiyuanError
from liyuan.play.card_files import thumbnail
from liyuan.resources import Resources
from liyuan.store.media import media_path
from liyuan.web.static import FOR_EVER

router = APIRouter(include_in_schema=False)

#: Name of a size → the pixels (width, height) it fits into.
SIZES = {"small": (160, 240), "poster": (480, 720), "page": (960, 1440)}

_TYPES = {
    ".png": "image/png",
    ".jpg": "image/jpeg",
    ".webp": "image/webp",
    ".gif": "image/gif",
    ".svg": "image/svg+xml",
}
_KEPT = FOR_EVER.replace("public", "private")
# Drawing is heavy: two at a time, so that a shelf full of new pictures does not hold up everything else.
_painters = ThreadPoolExecutor(2, thread_name_prefix="paint")


def picture_address(image_id: str | None, size: Literal["small", "poster", "page"] = "small") -> str | None:
    """Where a page finds a picture; None for none."""
    return f"/media/{image_id}/{size}" if image_id else None


@router.get("/media/{media_id}")
async def whole_picture(request: Request, media_id: str) -> FileResponse:
    resources: Resources = request.app.state.resources
    return _sent(media_path(resources.media, media_id))


@router.get("/media/{media_id}/{size}")
async def sized_picture(request: Request, media_id: str, size: Literal["small", "poster", "page"]) -> FileResponse:
    """A smaller one is made at the first request and kept beside the pictures; it can be deleted at any time."""
    resources: Resources = request.app.state.resources
    whole = media_path(resources.media, media_id)
    if whole.suffix == ".svg":
        return _sent(whole)
    made = resources.media / "sizes" / size / f"{media_id}.webp"
    if not made.is_file():
        loop = asyncio.get_running_loop()
        if not await loop.run_in_executor(_painters, _make, whole, made, SIZES[size]):
            return _sent(whole)
    return _sent(made)


def _make(whole: Path, made: Path, size: tuple[int, int]) -> bool:
    """False for a picture that cannot be decoded: the browser may know better."""
    try:
        content = thumbnail(whole.read_bytes(), size)
    except LiyuanError:
        return False
    made.parent.mkdir(parents=True, exist_ok=True)
    unfinished = made.with_suffix(f".{secrets.token_hex(4)}")
    unfinished.write_bytes(content)
    unfinished.replace(made)
    return True


def _sent(file: Path) -> FileResponse:
    return FileResponse(file, media_type=_TYPES[file.suffix], headers={"Cache-Control": _KEPT})
