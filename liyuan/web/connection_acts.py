"""The editor of a connection: filling it in, asking for models, trying it, keeping it. A key goes in and never out."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import ClassVar

from fastapi import APIRouter, Request, Response
from starlette.background import BackgroundTask
from starlette.responses import RedirectResponse

from liyuan.domain.errors import LiyuanError
from liyuan.model.choices import READY_CHOICES, Choice
from liyuan.model.connect import ModelSettings, warm_up
from liyuan.play.connections import Wish, keep_connection, models_of, try_wish
from liyuan.resources import Resources
from liyuan.store.library import ConnectionRow, load_connection
from liyuan.web.connection_form import ConnectionForm, form_of_connection, form_of_fields, wish_of
from liyuan.web.connections import Trial, failed, succeeded
from liyuan.web.fields import text
from liyuan.web.problem import explain
from liyuan.web.render import View, render
from liyuan.web.visitor import visitor_of

router = APIRouter(include_in_schema=False)

NEW = "new"


@dataclass(frozen=True)
class ConnectionFormView(View):
    """The editor. `troubles` holds a word for each field that cannot be read; `models` what the server offers.

    `listed` is None when nobody has asked for models, else empty or the trouble met in asking.
    """

    template: ClassVar[str] = "pages/connection_form.html"
    id: str | None
    form: ConnectionForm
    has_key: bool
    choice: Choice | None
    troubles: Mapping[str, str]
    models: tuple[str, ...] = ()
    listed: str | None = None
    trial: Trial | None = None
    trouble: str | None = None


@router.get("/connections/new")
async def blank(request: Request, choice: str = "other", base_url: str = "", model: str = "") -> Response:
    """An editor for one of the ready choices, or for a server that was found."""
    ready = _choice(choice)
    form = ConnectionForm(
        provider=ready.provider,
        base_url=base_url or ready.base_url,
        model=model,
        name="" if ready.id == "other" else ready.label,
    )
    return _opened(request, ConnectionFormView(None, form, False, ready, {}))


@router.get("/connections/{connection_id}")
async def editor(request: Request, connection_id: str) -> Response:
    row = await _load(request, connection_id)
    return _opened(request, ConnectionFormView(row.id, form_of_connection(row), row.sealed_key is not None, None, {}))


@router.post("/connections/new")
async def write(request: Request, choice: str = "other") -> Response:
    return await _act(request, None, _choice(choice))


@router.post("/connections/{connection_id}")
async def revise(request: Request, connection_id: str) -> Response:
    return await _act(request, await _load(request, connection_id), None)


def _opened(request: Request, view: ConnectionFormView) -> Response:
    """Whoever opens the editor will soon try it: what a trial needs to be loaded is loaded meanwhile."""
    page = render(request, view)
    page.background = BackgroundTask(warm_up, ModelSettings(provider=view.form.provider))  # type: ignore[arg-type]  # as it was saved
    return page


async def _act(request: Request, row: ConnectionRow | None, choice: Choice | None) -> Response:
    """`act` is the button: keep, try, or models."""
    async with request.form() as sent:
        form, act = form_of_fields(sent), text(sent, "act")
    wish, troubles = wish_of(form)
    told = {name: _told(request, error) for name, error in troubles.items()}
    has_key = row is not None and row.sealed_key is not None
    view = ConnectionFormView(row.id if row else None, form.shown, has_key, choice, told)
    if wish is None:
        return render(request, _unread(view, act), status=422)
    if act == "models":
        return render(request, await _listed(request, view, wish))
    if act == "try":
        return render(request, replace(view, trial=await _trial(request, view.id, wish)))
    return await _keep(request, view, wish)


def _unread(view: ConnectionFormView, act: str) -> ConnectionFormView:
    """The editor with what cannot be read told beside the button too, since scripts draw only its neighbourhood."""
    first = next(iter(view.troubles.values()))
    if act == "models":
        return replace(view, listed=first)
    return replace(view, trial=Trial(view.id or NEW, "", "", "", first)) if act == "try" else view


async def _listed(request: Request, view: ConnectionFormView, wish: Wish) -> ConnectionFormView:
    """The editor with the server's models; where there is but one, it is filled in."""
    try:
        models = tuple(await models_of(request.app.state.resources, wish, view.id))
    except LiyuanError as error:
        return replace(view, listed=_told(request, error))
    form = replace(view.form, model=models[0]) if len(models) == 1 and not view.form.model else view.form
    return replace(view, form=form, models=models, listed="")


async def _trial(request: Request, connection_id: str | None, wish: Wish) -> Trial:
    place = connection_id or NEW
    try:
        return succeeded(place, await try_wish(request.app.state.resources, wish, connection_id))
    except LiyuanError as error:
        return failed(request, place, error)


async def _keep(request: Request, view: ConnectionFormView, wish: Wish) -> Response:
    try:
        await keep_connection(request.app.state.resources, wish, view.id)
    except LiyuanError as error:
        return render(request, replace(view, trouble=_told(request, error)), status=error.status_code)
    return RedirectResponse("/connections", 303)


async def _load(request: Request, connection_id: str) -> ConnectionRow:
    resources: Resources = request.app.state.resources
    return await resources.database.read(load_connection, connection_id)


def _told(request: Request, error: LiyuanError) -> str:
    return explain(error, visitor_of(request), request.method).detail


def _choice(name: str) -> Choice:
    return next((choice for choice in READY_CHOICES if choice.id == name), READY_CHOICES[-1])
