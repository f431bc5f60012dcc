"""Joins everything: settings in, a server out. Nothing imports this module but the one who serves it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from fastapi import FastAPI
from starlette.middleware import Middleware
from starlette.middleware.gzip import GZipMiddleware

from liyuan.jobs.durable import DurableWorker
from liyuan.jobs.indexing import keep_indexing
from liyuan.log import write_logs
from liyuan.model.chat import ChatModel
from liyuan.play.recovery import keep_recovering, recover
from liyuan.play.samples_seed import seed_samples
from liyuan.play.warm_up import warm_up
from liyuan.resources import Backstage, open_resources
from liyuan.settings import Settings
from liyuan.web import (
    booked,
    card_acts,
    cards,
    compare,
    composer,
    connection_acts,
    connections,
    entries,
    health,
    home,
    imports,
    instructions,
    leave,
    lines,
    live,
    log,
    login,
    media,
    memory_acts,
    moves,
    panel,
    panels,
    personas,
    play,
    preferences,
    quick,
    reference,
    saves,
    summaries,
    tree,
    world_acts,
)
from liyuan.web.api import router as api
from liyuan.web.errors import HANDLERS, Edge
from liyuan.web.figures import Figures, Watch
from liyuan.web.gate import Gate
from liyuan.web.headers import SecurityHeaders
from liyuan.web.hosts import HostGuard
from liyuan.web.limits import BodyLimits
from liyuan.web.origins import OriginGuard
from liyuan.web.password import Password
from liyuan.web.static import HashedFiles
from liyuan.web.visits import Visits

#: Every noun's routes, the JSON API and the pages.
ROUTERS = (
    health.router,
    login.router,
    reference.router,
    home.router,
    imports.router,
    play.router,
    composer.router,
    moves.router,
    leave.router,
    lines.router,
    tree.router,
    compare.router,
    log.router,
    saves.router,
    entries.router,
    memory_acts.router,
    live.router,
    panel.router,
    panels.router,
    booked.router,
    summaries.router,
    world_acts.router,
    # `card_acts` first: it knows `/characters/new`, which `cards` would take for a character.
    card_acts.router,
    cards.router,
    personas.router,
    connections.router,
    connection_acts.router,
    preferences.router,
    quick.router,
    instructions.router,
    media.router,
    api.router,
)


def create_app(settings: Settings, *, model: ChatModel | None = None, worker: Backstage | None = None) -> FastAPI:
    """The whole server. `model` plays every part in tests, in place of those that settings and connections name.

    `worker` carries out what comes after a turn; without one, nobody does.
    """

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        async with open_resources(settings, model=model, worker=worker) as resources:
            app.state.resources = resources
            if worker:
                await worker.open(resources)
            figures.watch(resources.stage)
            await recover(resources)
            await seed_samples(resources)
            behind = [asyncio.create_task(keep_recovering(resources)), asyncio.create_task(warm_up(resources))]
            if worker:
                behind.append(asyncio.create_task(keep_indexing(resources)))
            yield
            for task in behind:
                task.cancel()
            if worker:
                await worker.close()

    figures = Figures()
    app = FastAPI(
        title="liyuan",
        lifespan=lifespan,
        exception_handlers=HANDLERS,
        middleware=guards(settings, figures),
        docs_url=None,
        redoc_url=None,
    )
    app.state.figures = figures
    app.state.settings = settings
    app.state.password = Password(settings.password.get_secret_value()) if settings.password else None
    app.mount("/static", HashedFiles(), name="static")
    for router in ROUTERS:
        app.include_router(router)
    return app


def guards(settings: Settings, figures: Figures) -> list[Middleware]:
    """What a request passes on its way in, the outermost first."""
    return [
        Middleware(Watch, figures),
        Middleware(GZipMiddleware, minimum_size=1000, compresslevel=5),
        Middleware(SecurityHeaders),
        Middleware(Visits),
        Middleware(Edge),
        Middleware(HostGuard, settings),
        Middleware(BodyLimits, settings),
        Middleware(OriginGuard, settings.body_limit),
        Middleware(Gate),
    ]


def from_environment() -> FastAPI:
    """For `uvicorn --factory` and `liyuan serve`: settings and logs as the environment says."""
    settings = Settings()
    write_logs(settings.log_level, settings.log_format)
    return create_app(settings, worker=DurableWorker())
