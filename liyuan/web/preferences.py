"""The settings page: how the pages look and behave, where the data lies, and which browsers are signed in."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Annotated, ClassVar

from fastapi import APIRouter, Form, Request, Response
from pydantic import ValidationError
from starlette.responses import RedirectResponse

from liyuan.domain.autosaving import autosaving_of
from liyuan.domain.errors import Invalid
from liyuan.resources import Resources
from liyuan.store.library import keep_preferences, load_preferences
from liyuan.store.sign_ins import SignIn, end_other_sign_ins, end_sign_in, list_sign_ins
from liyuan.web.autosaves import AutosavingForm, AutosavingView, form_of_autosaving
from liyuan.web.instructions import Instruction, instructions_of
from liyuan.web.render import View, render
from liyuan.web.times import said_when
from liyuan.web.visitor import Preferences, visitor_of

router = APIRouter(include_in_schema=False)

BAD_CHOICE = "This cannot be done: “{field}” has no such choice. Nothing was changed."


@dataclass(frozen=True, slots=True)
class Browser:
    """One signed-in browser. `agent` is what it calls itself, made short."""

    id: str
    agent: str
    seen_at: str
    seen: str
    is_this_one: bool


@dataclass(frozen=True)
class SettingsView(View):
    """`data_dir` and `database` say where everything lies; `database` is empty for SQLite in the folder."""

    template: ClassVar[str] = "pages/settings.html"
    data_dir: str
    database: str
    has_password: bool
    browsers: tuple[Browser, ...]
    instructions: tuple[Instruction, ...]
    autosaving: AutosavingForm
    kept: bool


@dataclass(frozen=True)
class KeptView(View):
    """The word that the settings are kept."""

    template: ClassVar[str] = "settings/_kept.html"


@router.get("/settings")
async def settings(request: Request, kept: bool = False) -> Response:
    return await _drawn(request, kept=kept)


async def _drawn(
    request: Request, autosaving: AutosavingForm | None = None, *, kept: bool = False, status: int = 200
) -> Response:
    """The whole page; `autosaving` is what was typed into that form, where it could not be kept."""
    resources: Resources = request.app.state.resources
    visitor = visitor_of(request)
    signed = await resources.database.read(list_sign_ins) if visitor.sign_in else ()
    stored = await resources.database.read(load_preferences)
    view = SettingsView(
        data_dir=str(resources.settings.data_dir),
        database="" if resources.database.is_sqlite else resources.database.engine.url.render_as_string(),
        has_password=resources.settings.password is not None,
        browsers=tuple(_browser(one, visitor.sign_in, visitor.language) for one in signed),
        instructions=instructions_of(stored),
        autosaving=autosaving or form_of_autosaving(autosaving_of(stored)),
        kept=kept,
    )
    return render(request, view, status=status)


@router.post("/settings")
async def keep(
    request: Request,
    theme: Annotated[str, Form()] = "system",
    text_size: Annotated[int, Form()] = 18,
    width: Annotated[int, Form()] = 36,
    language: Annotated[str, Form()] = "",
    gestures: Annotated[bool, Form()] = False,
    send_key: Annotated[str, Form()] = "enter",
    context_tools: Annotated[bool, Form()] = False,
) -> Response:
    """Keeps all of the form. A change of language draws the page anew."""
    chosen = _checked(
        theme=theme,
        text_size=text_size,
        width=width,
        language=language or None,
        gestures=gestures,
        send_key=send_key,
        context_tools=context_tools,
    )
    resources: Resources = request.app.state.resources
    await resources.database.write(keep_preferences, **chosen.model_dump())
    if "hx-request" not in request.headers:
        return RedirectResponse("/settings?kept=true", 303)
    before = visitor_of(request).preferences
    again = {"HX-Refresh": "true"} if chosen.language != before.language else {}
    return render(request, KeptView(), headers=again)


@router.post("/settings/autosaves")
async def choose_autosaves(
    request: Request,
    chapters: Annotated[bool, Form()] = False,
    every: Annotated[str, Form()] = "",
    keep: Annotated[str, Form()] = "",
) -> Response:
    """Keeps when the story saves by itself, or says beside the form what cannot be kept."""
    typed = AutosavingForm(chapters=chapters, every=every, keep=keep)
    by_script = "hx-request" in request.headers
    if (chosen := typed.preferences) is None:
        if by_script:
            return render(request, AutosavingView(typed, kept=False), status=422)
        return await _drawn(request, typed, status=422)
    resources: Resources = request.app.state.resources
    await resources.database.write(keep_preferences, **chosen)
    if by_script:
        return render(request, AutosavingView(typed, kept=True))
    return RedirectResponse("/settings?kept=true#autosaves", 303)


@router.post("/settings/sign-ins/end")
async def end(request: Request, sign_in_id: Annotated[str, Form()]) -> Response:
    resources: Resources = request.app.state.resources
    await resources.database.write(end_sign_in, sign_in_id)
    return RedirectResponse("/settings#sign-ins", 303)


@router.post("/settings/sign-ins/end-others")
async def end_others(request: Request) -> Response:
    resources: Resources = request.app.state.resources
    if current := visitor_of(request).sign_in:
        await resources.database.write(end_other_sign_ins, current)
    return RedirectResponse("/settings#sign-ins", 303)


def _checked(**chosen: object) -> Preferences:
    try:
        return Preferences.model_validate(chosen)
    except ValidationError as error:
        raise Invalid(BAD_CHOICE, field=error.errors()[0]["loc"][0]) from error


def _browser(signed: SignIn, current: str | None, language: str) -> Browser:
    return Browser(
        signed.id,
        short_agent(signed.agent),
        signed.seen_at,
        said_when(signed.seen_at, language),
        signed.id == current,
    )


_BROWSERS = (("Edg", "Edge"), ("OPR", "Opera"), ("Firefox", "Firefox"), ("Chrome", "Chrome"), ("Safari", "Safari"))
_SYSTEMS = (
    ("iPhone", "iPhone"),
    ("iPad", "iPad"),
    ("Android", "Android"),
    ("Windows", "Windows"),
    ("Mac OS", "macOS"),
    ("Linux", "Linux"),
)


def short_agent(agent: str) -> str:
    """“Firefox · Windows” from what a browser says of itself; its own first words when it says something else."""
    parts = [next((name for sign, name in known if sign in agent), "") for known in (_BROWSERS, _SYSTEMS)]
    return " · ".join(filter(None, parts)) or re.split(r"[\s(/]", agent)[0][:40]
