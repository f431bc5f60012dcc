"""Servers and those who call them. `probe` adds addresses that do nothing but what a guard must stop or let through."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Annotated

import httpx
import pytest
from fastapi import APIRouter, FastAPI, File, Form, UploadFile
from pwdlib import PasswordHash
from pwdlib.hashers.argon2 import Argon2Hasher
from pydantic import BaseModel

from liyuan.app import create_app
from liyuan.domain.errors import Busy, Invalid, LeafMoved
from liyuan.model.scripted import ScriptedModel
from liyuan.settings import Settings
from liyuan.web.password import Password
from liyuan.web.throttle import Throttle
from tests.routes import sharing_routes
from tests.tale import new_tale
from tests.web.browser import Browser, visiting
from tests.web.reader import Reader

PASSWORD = "the rain at Qingwu’s inn"
QUICK = PasswordHash((Argon2Hasher(time_cost=1, memory_cost=8, parallelism=1),))


class Said(BaseModel):
    text: str
    turns: int = 0


probe = APIRouter(include_in_schema=False)


@probe.get("/probe")
async def look() -> dict[str, str]:
    return {"seen": "yes"}


@probe.post("/probe")
@probe.post("/api/v1/probe/form")
async def said(text: Annotated[str, Form()] = "") -> dict[str, str]:
    return {"said": text}


@probe.post("/probe/file")
@probe.post("/api/v1/probe/file")
async def sent(file: Annotated[UploadFile, File()]) -> dict[str, int]:
    return {"bytes": len(await file.read())}


@probe.post("/api/v1/probe")
async def told(said: Said) -> Said:
    return said


@probe.api_route("/probe/{trouble}", methods=["GET", "POST"])
@probe.api_route("/api/v1/trouble/{trouble}", methods=["GET", "POST"])
async def trouble(trouble: str, text: Annotated[str, Form()] = "") -> None:
    if trouble == "busy":
        raise Busy
    if trouble == "moved":
        raise LeafMoved(leaf_id="0123")
    if trouble == "invalid":
        raise Invalid(reason="There is nothing to say.")
    raise RuntimeError(f"a secret of the server, and {text}")


def made(data: Path, model: ScriptedModel, **given: object) -> FastAPI:
    settings = Settings(_env_file=None, data_dir=data, settle_wait=0, **given)  # type: ignore[arg-type, call-arg]
    app = sharing_routes(create_app(settings, model=model))
    app.include_router(probe)
    return app


@pytest.fixture
def open_app(tmp_path: Path, model: ScriptedModel) -> FastAPI:
    """A server on this machine that asks for no password."""
    return made(tmp_path / "data", model, body_limit=20_000, upload_limit=100_000)


@pytest.fixture
def locked_app(tmp_path: Path, model: ScriptedModel) -> FastAPI:
    """A server that asks for PASSWORD. Its clock stands still, and its argon2 is as weak as can be, to be quick."""
    app = made(tmp_path / "data", model, password=PASSWORD)
    app.state.password = Password(PASSWORD, Throttle(clock=lambda: 0.0), QUICK)
    return app


@pytest.fixture
async def program(open_app: FastAPI) -> AsyncIterator[httpx.AsyncClient]:
    """A program that calls the open server: no cookies, no origin."""
    async with visiting(open_app) as client:
        yield client


@pytest.fixture
async def browser(program: httpx.AsyncClient) -> Browser:
    """A browser at the open server."""
    return Browser(program)


@pytest.fixture
async def stranger(locked_app: FastAPI) -> AsyncIterator[Browser]:
    """A browser at the locked server that has not signed in."""
    async with visiting(locked_app) as client:
        yield Browser(client)


@pytest.fixture
async def owner(stranger: Browser) -> Browser:
    """The same browser, signed in."""
    answer = await stranger.send("/login", {"password": PASSWORD})
    assert answer.status_code == 303
    return stranger


@pytest.fixture
async def reader(browser: Browser, open_app: FastAPI, model: ScriptedModel) -> Reader:
    """A reader of a story at its greeting, "Good evening."."""
    return Reader(browser, await new_tale(open_app.state.resources, model))
