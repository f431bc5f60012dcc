"""Every request begins as a visit: a language, and a token in a cookie that only our own pages can repeat.

The token outlives every sign-in, so that a page left open over night can still be sent from.
"""

from __future__ import annotations

import re
import secrets
from http.cookies import SimpleCookie

from starlette.datastructures import MutableHeaders
from starlette.requests import HTTPConnection
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from liyuan.web.origins import COOKIE
from liyuan.web.visitor import Visitor, cookie_of, language_of

YEAR = 365 * 24 * 3600
_TOKEN = re.compile(r"[A-Za-z0-9_-]{43}")


class Visits:
    """Puts the Visitor into the state of the request, and its cookie into the first page sent."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        cookie = cookie_of(scope, COOKIE) or ""
        known = bool(_TOKEN.fullmatch(cookie))
        token = cookie if known else secrets.token_urlsafe(32)
        scope.setdefault("state", {})["visitor"] = Visitor(language=language_of(HTTPConnection(scope)), csrf=token)

        async def introduce(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                if headers.get("content-type", "").startswith("text/html"):
                    headers.append("Set-Cookie", cookie_header(scope, COOKIE, token, YEAR))
            await send(message)

        await self.app(scope, receive, send if known else introduce)


def cookie_header(scope: Scope, name: str, value: str, seconds: int) -> str:
    """A cookie that no script reads and no other site sends along, and, over HTTPS, nobody on the way."""
    made: SimpleCookie = SimpleCookie({name: value})
    cookie = made[name]
    cookie["path"], cookie["samesite"], cookie["max-age"] = "/", "Lax", str(seconds)
    cookie["httponly"], cookie["secure"] = True, scope.get("scheme") == "https"
    return cookie.OutputString()
