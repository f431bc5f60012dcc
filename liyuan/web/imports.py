"""Bringing a story in from a file: the form, and what became of it, line by line where something was left out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from fastapi import APIRouter, Request, Response
from starlette.responses import RedirectResponse

from liyuan.domain.conversation_file import Fault, Unsound
from liyuan.domain.errors import LiyuanError
from liyuan.play.imports import Policy, import_conversation
from liyuan.resources import Resources
from liyuan.web.fields import text, uploads
from liyuan.web.problem import explain
from liyuan.web.render import View, render
from liyuan.web.visitor import visitor_of

router = APIRouter(include_in_schema=False)

#: Faulty lines that the page lists; of more it tells the number.
LISTED = 200


@dataclass(frozen=True, slots=True)
class FaultyLine:
    """A line of the file, counted from 1, and what is wrong with it."""

    number: int
    reason: str


@dataclass(frozen=True, slots=True)
class Arrived:
    """The story that came in, and how many entries it has."""

    address: str
    title: str
    entries: int


@dataclass(frozen=True)
class ImportView(View):
    """`story` is what came in, `trouble` why nothing did; of the faulty `lines`, `more` are not listed."""

    template: ClassVar[str] = "pages/import.html"
    policy: Policy
    story: Arrived | None = None
    trouble: str | None = None
    lines: tuple[FaultyLine, ...] = ()
    more: int = 0


@router.get("/import")
async def choose(request: Request) -> Response:
    return render(request, ImportView("quarantine"))


@router.post("/import")
async def take_in(request: Request) -> Response:
    """Goes to the story when the whole file was sound; else tells what was left out."""
    resources: Resources = request.app.state.resources
    async with request.form(max_files=1) as form:
        policy: Policy = "reject" if text(form, "policy") == "reject" else "quarantine"
        files = uploads(form, "file")
        if not files:
            return render(request, ImportView(policy))
        try:
            done = await import_conversation(resources, files[0].file, policy)
        except LiyuanError as error:
            return _refused(request, policy, error)
    story = Arrived(f"/stories/{done.conversation.id}", done.conversation.title, done.imported)
    if not done.faults:
        return RedirectResponse(story.address, 303)
    return render(request, ImportView(policy, story, None, *_listed(request, done.faults)), status=201)


def _refused(request: Request, policy: Policy, error: LiyuanError) -> Response:
    problem = explain(error, visitor_of(request), request.method)
    faults = error.faults if isinstance(error, Unsound) else ()
    view = ImportView(policy, None, problem.detail, *_listed(request, faults))
    return render(request, view, status=problem.status)


def _listed(request: Request, faults: Sequence[Fault]) -> tuple[tuple[FaultyLine, ...], int]:
    told = visitor_of(request).words.gettext
    lines = [FaultyLine(fault.line, told(fault.why.template).format_map(fault.why.fields)) for fault in faults[:LISTED]]
    return tuple(lines), max(len(faults) - LISTED, 0)
