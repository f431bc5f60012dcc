"""Where a password is set, nothing but the door is open without it: a sign-in in a cookie, or a bearer for programs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any
from urllib.parse import quote

from sqlalchemy import Connection
from starlette.datastructures import Headers
from starlette.responses import RedirectResponse
from starlette.types import ASGIApp, Receive, Scope, Send

from liyuan.domain.errors import Locked
from liyuan.resources import Resources
from liyuan.store.database import now
from liyuan.store.library import load_preferences
from liyuan.store.sign_ins import SignIn, find_sign_in, see_sign_in
from liyuan.web.i18n import choose_language
from liyuan.web.password import Password
from liyuan.web.visitor import Visitor, cookie_of, read_preferences

COOKIE = "liyuan_sign_in"
OPEN = frozenset({"/login", "/favicon.ico"})
UNGUARDED = ("/static/", "/healthz", "/readyz")
#: Addresses that answer programs, and so need no preferences.
BARE = ("/api/", "/media/", "/metrics")
#: So much of `seen_at` (to the hour) must have changed before it is written again.
SEEN_TO = len("2026-01-31T12")


@dataclass(frozen=True, slots=True)
class Found:
    """What one look into the database tells of a visit."""

    sign_in: SignIn | None
    preferences: Mapping[str, Any]


class Gate:
    """Completes the Visitor, or raises Locked. A person who asked for a page is sent to the login page instead."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or scope["path"].startswith(UNGUARDED):
            await self.app(scope, receive, send)
            return
        resources: Resources = scope["app"].state.resources
        password: Password | None = scope["app"].state.password
        found = await _look(scope, resources, password)
        if password and not (found.sign_in or scope["path"] in OPEN or await has_bearer(scope, password)):
            await _lock(scope, receive, send)
            return
        if found.sign_in and found.sign_in.seen_at[:SEEN_TO] != now()[:SEEN_TO]:
            await resources.database.write(see_sign_in, found.sign_in.id)
        _complete(scope, found)
        await self.app(scope, receive, send)


async def _look(scope: Scope, resources: Resources, password: Password | None) -> Found:
    token = cookie_of(scope, COOKIE) if password else None
    token_hash = password.token_hash(token) if password and token else None
    wants_page = not scope["path"].startswith(BARE)
    if not (token_hash or wants_page):
        return Found(None, {})
    return await resources.database.read(_find, token_hash, wants_page)


def _find(connection: Connection, token_hash: str | None, wants_page: bool) -> Found:
    return Found(
        find_sign_in(connection, token_hash) if token_hash else None,
        load_preferences(connection) if wants_page else {},
    )


async def has_bearer(scope: Scope, password: Password) -> bool:
    """Programs send a password as UTF-8, whatever the standard of 1999 says about headers."""
    said = Headers(scope=scope).get("authorization", "").encode("latin-1").decode("utf-8", "replace")
    kind, _, given = said.partition(" ")
    return kind.lower() == "bearer" and await password.is_right(given.strip(), address_of(scope))


def address_of(scope: Scope) -> str:
    """Where a request comes from, as the server or the proxy it trusts says."""
    client = scope.get("client")
    return str(client[0]) if client else ""


async def _lock(scope: Scope, receive: Receive, send: Send) -> None:
    headers = Headers(scope=scope)
    reads_page = scope["method"] in ("GET", "HEAD") and "text/html" in headers.get("accept", "")
    if not reads_page or "hx-request" in headers or scope["path"].startswith(BARE):
        raise Locked
    query = scope["query_string"].decode("latin-1")
    then = quote(scope["path"] + (f"?{query}" if query else ""))
    await RedirectResponse(f"/login?next={then}", status_code=303)(scope, receive, send)


def _complete(scope: Scope, found: Found) -> None:
    visitor: Visitor = scope["state"]["visitor"]
    preferences = read_preferences(found.preferences)
    scope["state"]["visitor"] = replace(
        visitor,
        preferences=preferences,
        language=choose_language(preferences.language, "") if preferences.language else visitor.language,
        sign_in=found.sign_in.id if found.sign_in else None,
    )
