"""No body is read beyond its limit: one for uploaded files, a smaller one for all else, counted as it comes in."""

from __future__ import annotations

from starlette.datastructures import Headers
from starlette.exceptions import HTTPException
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from liyuan.settings import MEBIBYTE, Settings
from liyuan.web.typed import content_type


class BodyLimits:
    """Raises HTTPException 413 before reading when the length is declared, else at the first byte too many.

    (An HTTPException, because FastAPI turns any other error met while reading a body into a 400.)
    """

    def __init__(self, app: ASGIApp, settings: Settings) -> None:
        self.app = app
        self.settings = settings

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        uploads = content_type(scope) == "multipart/form-data"
        limit = self.settings.upload_limit if uploads else self.settings.body_limit
        size = 0

        async def counted() -> Message:
            nonlocal size
            message = await receive()
            size += len(message.get("body", b""))
            _check(size, limit)
            return message

        _check(_declared(scope), limit)
        await self.app(scope, counted, send)


def _check(size: int, limit: int) -> None:
    if size > limit:
        raise HTTPException(413, detail=f"{limit / MEBIBYTE:.3g} MiB")


def _declared(scope: Scope) -> int:
    length = Headers(scope=scope).get("content-length", "")
    return int(length) if length.isascii() and length.isdigit() else 0
