"""The door: signing in with the owner's password, and signing out."""

from __future__ import annotations

import secrets
from dataclasses import dataclass
from typing import Annotated, ClassVar
from urllib.parse import urlsplit

from fastapi import APIRouter, Form, Request, Response
from starlette.responses import RedirectResponse

from liyuan.domain.errors import Throttled
from liyuan.resources import Resources
from liyuan.store.sign_ins import LASTS, end_sign_in, keep_sign_in
from liyuan.web.gate import COOKIE, address_of
from liyuan.web.password import Password
from liyuan.web.render import View, render
from liyuan.web.visitor import visitor_of
from liyuan.web.visits import cookie_header

router = APIRouter(include_in_schema=False)


@dataclass(frozen=True)
class LoginView(View):
    """`then` is where to go afterwards; `trouble` is empty, "wrong", or "throttled" with the `seconds` to wait."""

    template: ClassVar[str] = "pages/login.html"
    then: str
    trouble: str = ""
    seconds: int = 0


@router.get("/login")
async def login(request: Request, next: str = "/") -> Response:
    """The login page; who is in already, or needs no password, goes on at once."""
    then = local(next)
    if request.app.state.password is None or visitor_of(request).sign_in:
        return RedirectResponse(then, 303)
    return render(request, LoginView(then))


@router.post("/login")
async def sign_in(
    request: Request, password: Annotated[str, Form()] = "", next: Annotated[str, Form()] = "/"
) -> Response:
    """Lets the browser in, or says what is wrong."""
    then = local(next)
    lock: Password | None = request.app.state.password
    if lock is None:
        return RedirectResponse(then, 303)
    try:
        right = await lock.is_right(password, address_of(request.scope))
    except Throttled as error:
        seconds = int(str(error.fields["seconds"]))
        view = LoginView(then, "throttled", seconds)
        return render(request, view, status=429, headers={"Retry-After": str(seconds)})
    if not right:
        return render(request, LoginView(then, "wrong"), status=401)
    return await _let_in(request, lock, then)


@router.post("/logout")
async def sign_out(request: Request) -> Response:
    """Ends the sign-in of this browser."""
    resources: Resources = request.app.state.resources
    if current := visitor_of(request).sign_in:
        await resources.database.write(end_sign_in, current)
    response = RedirectResponse("/login", 303)
    response.headers.append("Set-Cookie", cookie_header(request.scope, COOKIE, "", 0))
    return response


async def _let_in(request: Request, lock: Password, then: str) -> Response:
    resources: Resources = request.app.state.resources
    token = secrets.token_urlsafe(32)
    agent = request.headers.get("user-agent", "")
    await resources.database.write(keep_sign_in, lock.token_hash(token), agent)
    response = RedirectResponse(then, 303)
    seconds = int(LASTS.total_seconds())
    response.headers.append("Set-Cookie", cookie_header(request.scope, COOKIE, token, seconds))
    return response


def local(address: str) -> str:
    """The address when it is one of ours, a path from the root; else the home page."""
    parts = urlsplit(address)
    is_local = address.startswith("/") and not address.startswith(("//", "/\\")) and not (parts.scheme or parts.netloc)
    return address if is_local and address.isprintable() else "/"
