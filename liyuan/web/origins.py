"""Writes come from our own pages, or from programs that are no browser. A refusal keeps what was typed (`typed`)."""

from __future__ import annotations

from secrets import compare_digest
from urllib.parse import urlsplit

from starlette.datastructures import Headers
from starlette.types import ASGIApp, Receive, Scope, Send

from liyuan.domain.errors import Refused
from liyuan.web.typed import content_type, is_form, keep_body, sent_token
from liyuan.web.visitor import cookie_of

SAFE = frozenset({"GET", "HEAD", "OPTIONS", "TRACE"})
#: The cookie and, equal to it, the header or form field that only a page of ours can know.
COOKIE = "liyuan_browser"
HEADER = "x-csrf-token"


class ForeignOrigin(Refused):
    type = "foreign-origin"
    message = "This request came from another site and was not accepted. Nothing was changed."


class StalePage(Refused):
    type = "stale-page"
    title = "This page is too old"
    message = "This page is too old to be sent from. Nothing was changed and your words are kept. Load the page again."


class OriginGuard:
    """Raises ForeignOrigin or StalePage for a write that cannot be shown to come from one of our pages."""

    def __init__(self, app: ASGIApp, body_limit: int) -> None:
        self.app = app
        self.body_limit = body_limit

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or scope["method"] in SAFE:
            await self.app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        if is_form(scope) and HEADER not in headers:
            receive = await keep_body(scope, receive, self.body_limit)
        # No browser sends a bearer on its own, so it needs no further proof.
        if not headers.get("authorization", "").lower().startswith("bearer "):
            await _check(scope, headers)
        await self.app(scope, receive, send)


async def _check(scope: Scope, headers: Headers) -> None:
    """Programs need no token for the API, nor do requests without our cookie: no form on another site has it."""
    if not is_same_origin(headers):
        raise ForeignOrigin
    cookie = cookie_of(scope, COOKIE)
    if scope["path"].startswith("/api/") and (cookie is None or _is_json(scope) or is_program(headers)):
        return
    sent = headers.get(HEADER) or await sent_token(scope)
    if cookie is None or not compare_digest(sent.encode(), cookie.encode()):
        raise StalePage


def is_same_origin(headers: Headers) -> bool:
    """What the browser says itself, else a comparison of Origin with Host; a request with neither is no browser's."""
    if site := headers.get("sec-fetch-site"):
        return site in ("same-origin", "none")
    if origin := headers.get("origin"):
        return urlsplit(origin).netloc == headers.get("host")
    return True


def is_program(headers: Headers) -> bool:
    """Whether no browser can have sent this: browsers name the origin of a write, and themselves."""
    agent = headers.get("user-agent", "").lower()
    return "origin" not in headers and "sec-fetch-site" not in headers and "mozilla" not in agent


def _is_json(scope: Scope) -> bool:
    """Types that no form on another site can send; an empty body has no type and is judged by its origin."""
    kind = content_type(scope)
    return kind in ("", "application/json") or kind.endswith("+json")
