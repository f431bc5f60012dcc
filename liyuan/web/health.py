"""Questions that machines ask: is it alive, is it ready, how much is going on. The first two are open to everybody."""

from __future__ import annotations

from fastapi import APIRouter, Request, Response
from prometheus_client import generate_latest
from prometheus_client.exposition import CONTENT_TYPE_LATEST
from sqlalchemy import Connection, text
from sqlalchemy.exc import SQLAlchemyError
from starlette.responses import JSONResponse

from liyuan.store.runs import count_runs
from liyuan.web.figures import Figures

router = APIRouter(include_in_schema=False)


@router.get("/healthz")
async def healthz() -> JSONResponse:
    """The process lives and its loop turns."""
    return JSONResponse({"status": "ok"}, headers={"Cache-Control": "no-store"})


@router.get("/readyz")
async def readyz(request: Request) -> JSONResponse:
    """The database answers; 503 when it does not."""
    try:
        await request.app.state.resources.database.read(_ask)
    except SQLAlchemyError:
        return JSONResponse({"status": "no database"}, 503, headers={"Cache-Control": "no-store"})
    return JSONResponse({"status": "ready"}, headers={"Cache-Control": "no-store"})


@router.get("/metrics")
async def metrics(request: Request) -> Response:
    """Figures in the text format of Prometheus."""
    figures: Figures = request.app.state.figures
    figures.count(await request.app.state.resources.database.read(count_runs))
    return Response(generate_latest(figures.registry), media_type=CONTENT_TYPE_LATEST)


def _ask(connection: Connection) -> None:
    connection.execute(text("SELECT 1"))
