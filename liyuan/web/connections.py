"""The page of the models: which connections there are, which one plays, and what more could be connected."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal, TypeAlias

from fastapi import APIRouter, Request, Response
from sqlalchemy import Connection
from starlette.responses import RedirectResponse

from liyuan.domain.errors import LiyuanError
from liyuan.model.choices import READY_CHOICES, Choice
from liyuan.model.connect import ModelSettings
from liyuan.model.local import Found, find_local
from liyuan.model.trial import Tried
from liyuan.play.connections import try_saved
from liyuan.resources import Resources
from liyuan.store.library import (
    ConnectionRow,
    default_connection,
    delete_connection,
    list_connections,
    prefer_connection,
    undelete_connection,
)
from liyuan.web.problem import explain
from liyuan.web.render import View, render
from liyuan.web.undo import brought_back
from liyuan.web.visitor import visitor_of

router = APIRouter(include_in_schema=False)

Playing: TypeAlias = Literal["saved", "environment", "understudy"]
#: In the place of an id: the connection that the environment describes, or else the understudy.
BUILT_IN = "built-in"


@dataclass(frozen=True, slots=True)
class ConnectionLine:
    """One saved connection. `server` is host and port, never a key."""

    id: str
    name: str
    model: str
    server: str
    has_key: bool
    is_default: bool


@dataclass(frozen=True, slots=True)
class Trial:
    """What came of a real request: words and seconds, or a trouble. `place` names the connection tried."""

    place: str
    seconds: str
    model: str
    sample: str
    trouble: str | None


@dataclass(frozen=True)
class ConnectionsView(View):
    """`playing` is where the default comes from; `found` the local servers, None when nobody has looked."""

    template: ClassVar[str] = "pages/connections.html"
    connections: tuple[ConnectionLine, ...]
    environment: ConnectionLine | None
    playing: Playing
    choices: tuple[Choice, ...]
    found: tuple[Found, ...] | None
    trial: Trial | None
    deleted: str | None


@dataclass(frozen=True)
class FoundView(View):
    """The servers on this computer."""

    template: ClassVar[str] = "connections/_found.html"
    found: tuple[Found, ...]


@dataclass(frozen=True)
class TrialView(View):
    """What came of a real request."""

    template: ClassVar[str] = "connections/_trial.html"
    trial: Trial


@router.get("/connections")
async def connections(request: Request, deleted: str | None = None) -> Response:
    return render(request, await _view(request, deleted=deleted))


@router.post("/connections/local")
async def look_around(request: Request) -> Response:
    """Looks for servers on the usual ports of this computer; only when asked."""
    found = tuple(await find_local())
    if "hx-request" in request.headers:
        return render(request, FoundView(found))
    return render(request, await _view(request, found=found))


@router.post("/connections/default")
async def prefer_none(request: Request) -> Response:
    """The model of the environment plays, or else the understudy."""
    resources: Resources = request.app.state.resources
    await resources.database.write(prefer_connection, None)
    return RedirectResponse("/connections", 303)


@router.post("/connections/{connection_id}/default")
async def prefer(request: Request, connection_id: str) -> Response:
    resources: Resources = request.app.state.resources
    await resources.database.write(prefer_connection, connection_id)
    return RedirectResponse("/connections", 303)


@router.post("/connections/{connection_id}/try")
async def try_out(request: Request, connection_id: str) -> Response:
    trial = await trial_of(request, connection_id)
    if "hx-request" in request.headers:
        return render(request, TrialView(trial))
    return render(request, await _view(request, trial=trial))


@router.post("/connections/{connection_id}/delete")
async def take_away(request: Request, connection_id: str) -> Response:
    resources: Resources = request.app.state.resources
    await resources.database.write(delete_connection, connection_id)
    return RedirectResponse(f"/connections?deleted={connection_id}", 303)


@router.post("/connections/{connection_id}/undelete")
async def bring_back(request: Request, connection_id: str) -> Response:
    resources: Resources = request.app.state.resources
    await resources.database.write(undelete_connection, connection_id)
    return brought_back(request, "connections", "/connections")


async def trial_of(request: Request, connection_id: str) -> Trial:
    """Tries a saved connection, or BUILT_IN. A model that fails is a result and no error."""
    try:
        tried = await try_saved(request.app.state.resources, None if connection_id == BUILT_IN else connection_id)
    except LiyuanError as error:
        if error.status_code == 404:
            raise
        return failed(request, connection_id, error)
    return succeeded(connection_id, tried)


def succeeded(place: str, tried: Tried) -> Trial:
    return Trial(place, f"{tried.latency:.1f}", tried.model, tried.sample, None)


def failed(request: Request, place: str, error: LiyuanError) -> Trial:
    return Trial(place, "", "", "", explain(error, visitor_of(request), request.method).detail)


async def _view(
    request: Request,
    *,
    found: tuple[Found, ...] | None = None,
    trial: Trial | None = None,
    deleted: str | None = None,
) -> ConnectionsView:
    resources: Resources = request.app.state.resources
    rows, default = await resources.database.read(_load)
    given = resources.models.from_environment()
    return ConnectionsView(
        connections=tuple(map(_line, rows)),
        environment=_line_of_environment(given, default is None) if given else None,
        playing="saved" if default else "environment" if given else "understudy",
        choices=READY_CHOICES,
        found=found,
        trial=trial,
        deleted=deleted,
    )


def _load(connection: Connection) -> tuple[tuple[ConnectionRow, ...], ConnectionRow | None]:
    return list_connections(connection), default_connection(connection)


def _line(row: ConnectionRow) -> ConnectionLine:
    where = ModelSettings(provider=row.provider, base_url=row.base_url)  # type: ignore[arg-type]
    return ConnectionLine(row.id, row.name, row.model, _server(where), row.sealed_key is not None, row.is_default)


def _line_of_environment(given: ModelSettings, is_default: bool) -> ConnectionLine:
    return ConnectionLine(BUILT_IN, given.name, given.name, _server(given), bool(given.api_key), is_default)


def _server(settings: ModelSettings) -> str:
    """Host and port; empty for an address that is none, which the environment may hold."""
    try:
        return settings.server if settings.provider != "understudy" else ""
    except LiyuanError:
        return ""
