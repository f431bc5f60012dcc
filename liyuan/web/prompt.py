"""The Prompt panel: exactly what the next request sends, part by part, with its tokens, and what no longer fits."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import ClassVar

from fastapi import Request

from liyuan.domain.entry import ConversationId, EntryId
from liyuan.domain.prompt import Part, PromptTooLarge
from liyuan.play.gather import Ready, gather
from liyuan.store.conversations import load_conversation
from liyuan.web.problem import explain
from liyuan.web.redraw import resources_of
from liyuan.web.render import View
from liyuan.web.speech import language_of
from liyuan.web.story import address_of
from liyuan.web.visitor import visitor_of

STORY = "story"


@dataclass(frozen=True, slots=True, kw_only=True)
class Piece:
    """One message of a part, or the whole of it."""

    role: str
    text: str
    lang: str
    tokens: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Section:
    """A part by its name, with all its messages. `x` and `width` are where it lies in the window, of 1000."""

    name: str
    pieces: tuple[Piece, ...]
    tokens: int
    x: float
    width: float


@dataclass(frozen=True, slots=True, kw_only=True)
class PromptShown:
    """A request as it would be sent. Tokens; `window` holds what is sent and `reserve`, kept free for the reply.

    `trouble` says why it could not be put together; then nothing else is known.
    """

    address: str
    leaf: EntryId | None
    model: str = ""
    sections: tuple[Section, ...] = ()
    tokens: int = 0
    window: int = 1
    reserve: int = 0
    reserve_x: float = 1000
    left_out: tuple[Piece, ...] = ()
    left_out_tokens: int = 0
    whole: str = ""
    trouble: str = ""


@dataclass(frozen=True)
class PromptView(View):
    """The panel."""

    template: ClassVar[str] = "prompt/_prompt.html"
    prompt: PromptShown


async def draw(request: Request, story_id: ConversationId) -> PromptView:
    """What would be sent now, with what is typed in the composer as the reader's words."""
    resources = resources_of(request)
    story = await resources.database.read(load_conversation, story_id)
    draft = "" if story.draft.startswith("/") else story.draft.strip()
    try:
        ready = await gather(resources, story_id, story.leaf_id, text=draft)
    except PromptTooLarge as error:
        trouble = explain(error, visitor_of(request), "GET").detail
        return PromptView(PromptShown(address=address_of(story_id), leaf=story.leaf_id, trouble=trouble))
    return PromptView(prompt_shown(ready, address_of(story_id), story.leaf_id))


def prompt_shown(ready: Ready, address: str, leaf: EntryId | None) -> PromptShown:
    window, prompt = ready.scene.window, ready.prompt
    return PromptShown(
        address=address,
        leaf=leaf,
        model=ready.chosen.model.name,
        sections=tuple(_sections(prompt.parts, window)),
        tokens=prompt.tokens,
        window=window,
        reserve=ready.scene.reserve,
        reserve_x=round(1000 * (1 - ready.scene.reserve / window), 1),
        left_out=tuple(map(_piece, prompt.left_out)),
        left_out_tokens=sum(part.tokens for part in prompt.left_out),
        whole="\n\n".join(f"[{message.role}]\n{message.text}" for message in prompt.messages),
    )


def _sections(parts: Sequence[Part], window: int) -> list[Section]:
    found: list[Section] = []
    spent = 0
    for name, group in groupby(_named(parts), key=lambda named: named[0]):
        pieces = tuple(_piece(part) for _, part in group)
        tokens = sum(piece.tokens for piece in pieces)
        x, width = round(1000 * spent / window, 1), round(1000 * tokens / window, 1)
        found.append(Section(name=name, pieces=pieces, tokens=tokens, x=x, width=width))
        spent += tokens
    return found


def _named(parts: Sequence[Part]) -> list[tuple[str, Part]]:
    """The last message, when it is the reader's, goes by a name of its own: it is what the model answers."""
    named = [(part.name, part) for part in parts]
    if named and named[-1][0] == STORY and named[-1][1].role == "user":
        named[-1] = ("words", named[-1][1])
    return named


def _piece(part: Part) -> Piece:
    return Piece(role=part.role, text=part.text, lang=language_of(part.text), tokens=part.tokens)
