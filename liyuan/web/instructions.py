"""What the scribe and the summaries are told, to be read and rewritten; the words of the house are one click away."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Any, ClassVar

from fastapi import APIRouter, Form, Request, Response
from starlette.responses import RedirectResponse

from liyuan.domain.card import Language
from liyuan.domain.compaction import PLACEHOLDERS as OF_SUMMARIES
from liyuan.domain.errors import NotFound
from liyuan.domain.scribe import PLACEHOLDERS as OF_THE_SCRIBE
from liyuan.domain.scribe_phrases import SCRIBE_PHRASES
from liyuan.domain.summary_phrases import SUMMARY_PHRASES
from liyuan.jobs import branch_summary, compaction, scribe
from liyuan.resources import Resources
from liyuan.store.library import keep_preferences
from liyuan.web.fields import plain_lines
from liyuan.web.render import View, render

router = APIRouter(include_in_schema=False)

LANGUAGES: tuple[Language, ...] = ("zh", "en")
NAMES = {"scribe": scribe.INSTRUCTION, "summary": compaction.INSTRUCTION, "branch": branch_summary.INSTRUCTION}


@dataclass(frozen=True, slots=True, kw_only=True)
class Instruction:
    """One instruction in one language. `id` is the key it is kept under; `placeholders` are filled when it is used."""

    id: str
    name: str
    lang: Language
    text: str
    is_own: bool
    placeholders: tuple[str, ...]


@dataclass(frozen=True)
class InstructionView(View):
    """One instruction with its form."""

    template: ClassVar[str] = "settings/_instruction.html"
    instruction: Instruction
    kept: bool


def instructions_of(preferences: Mapping[str, Any]) -> tuple[Instruction, ...]:
    return tuple(_instruction(name, lang, preferences) for name in NAMES for lang in LANGUAGES)


@router.post("/settings/instructions/{instruction_id}")
async def rewrite(
    request: Request,
    instruction_id: str,
    text: Annotated[str, Form()] = "",
    usual: Annotated[bool, Form()] = False,
) -> Response:
    """Keeps another instruction; with `usual`, or where nothing is left of it, the usual one holds again."""
    resources: Resources = request.app.state.resources
    found = next((one for one in instructions_of({}) if one.id == instruction_id), None)
    if found is None:
        raise NotFound(what="instruction", id=instruction_id)
    said = plain_lines(text).strip()
    own = None if usual or said in ("", found.text.strip()) else said
    await resources.database.write(keep_preferences, **{instruction_id: own})
    if "hx-request" not in request.headers:
        return RedirectResponse(f"/settings?kept=true#{instruction_id}", 303)
    changed = _instruction(found.name, found.lang, {instruction_id: own})
    return render(request, InstructionView(changed, kept=True))


def _instruction(name: str, lang: Language, preferences: Mapping[str, Any]) -> Instruction:
    key = f"{NAMES[name]}_{lang}"
    own = preferences.get(key)
    is_own = isinstance(own, str) and own.strip() != ""
    return Instruction(
        id=key,
        name=name,
        lang=lang,
        text=str(own) if is_own else _usual(name, lang),
        is_own=is_own,
        placeholders=tuple(f"{{{{{one}}}}}" for one in (OF_THE_SCRIBE if name == "scribe" else OF_SUMMARIES)),
    )


def _usual(name: str, lang: Language) -> str:
    if name == "scribe":
        return SCRIBE_PHRASES[lang].instruction
    return SUMMARY_PHRASES[lang].branch if name == "branch" else SUMMARY_PHRASES[lang].instruction
