"""The routes of the server, built once for all tests: FastAPI builds those of an application at its first requests."""

from __future__ import annotations

from fastapi import FastAPI
from starlette.routing import BaseRoute

_built: list[BaseRoute] = []


def sharing_routes(app: FastAPI) -> FastAPI:
    """The application with the routes of the first one: they are the same, and know nothing of whose they are."""
    if not _built:
        _built.extend(app.router.routes)
    app.router.routes[:] = _built
    return app
