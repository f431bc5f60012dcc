"""What an act on the play page answers: the parts that have changed for htmx, the whole page again for a plain form."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import ClassVar, Literal

from fastapi import Request, Response
from starlette.responses import RedirectResponse

from liyuan.domain.entry import ConversationId, EntryId
from liyuan.resources import Resources
from liyuan.stage import Performance
from liyuan.store.branch import PAGE
from liyuan.web.render import View, render
from liyuan.web.speech import Speech
from liyuan.web.story import Helm, OnStage, Story, address_of, load_story

#: So many entries hold the last words and their answer surely; a turn adds so many, its snapshot among them.
LATEST = 8
GROWTH = 3
#: The event that tells the composer that its words have been said.
SAID = {"HX-Trigger": "said"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Note:
    """A word beside the composer. A conflict offers the two ways out of it, a trouble says what and offers `retry`."""

    kind: Literal["conflict", "trouble"]
    address: str
    leaf: EntryId | None = None
    detail: str = ""
    retry: str | None = None
    is_about_model: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Toast:
    """What has just happened. `undo` is where the way back begins; `turns` stay on the line that was left.

    `name` is that of a save or a tag, `line` the worldline that a save begins.
    """

    kind: Literal[
        "pruned", "left", "undone", "redone", "saved", "forked", "deleted", "returned", "tagged", "untagged", "named"
    ]
    undo: str
    turns: int = 0
    name: str = ""
    line: str = ""


@dataclass(frozen=True)
class ToastView(View):
    """The word in the corner by itself, where nothing else has changed on the page that asked."""

    template: ClassVar[str] = "play/_toast.html"
    toast: Toast


@dataclass(frozen=True)
class MovedView(View):
    """The story anew. `replaced` is the place of a message that must not be kept as it is, such as an open editor."""

    template: ClassVar[str] = "play/_moved.html"
    story: Story
    toast: Toast | None = None
    replaced: str | None = None


@dataclass(frozen=True)
class HeardView(View):
    """The reader's words and the place of the answer, to be set at the end of the story."""

    template: ClassVar[str] = "play/_heard.html"
    speeches: tuple[Speech, ...]
    performing: OnStage | None
    helm: Helm
    turns: int


def resources_of(request: Request) -> Resources:
    resources: Resources = request.app.state.resources
    return resources


def is_partial(request: Request) -> bool:
    return "hx-request" in request.headers


def to_story(story_id: str, fragment: str = "composer") -> Response:
    return RedirectResponse(f"{address_of(story_id)}#{fragment}", 303)


async def read_story(request: Request, story_id: ConversationId, shown: int = PAGE) -> Story:
    return await resources_of(request).database.read(load_story, story_id, shown=shown)


async def moved(
    request: Request,
    story_id: ConversationId,
    *,
    shown: int = PAGE,
    toast: Toast | None = None,
    replaced: str | None = None,
    headers: Mapping[str, str] | None = None,
) -> Response:
    """After an act that moved the story."""
    if not is_partial(request):
        return to_story(story_id)
    story = await read_story(request, story_id, shown)
    return render(request, MovedView(story, toast, replaced), headers=headers)


async def begun(
    request: Request,
    story_id: ConversationId,
    performance: Performance,
    *,
    shown: int = PAGE,
    headers: Mapping[str, str] | None = None,
) -> Response:
    """After an act that let a performance begin. A plain form waits for its end, or raises what went wrong."""
    if not is_partial(request):
        await performance.ended()
        return to_story(story_id)
    return await moved(request, story_id, shown=shown, headers=headers)


async def heard(request: Request, story_id: ConversationId, performance: Performance, shown: int) -> Response:
    """After words were said: only what is new is sent, since this is what a reader waits for most often."""
    if not is_partial(request):
        await performance.ended()
        return to_story(story_id)
    end = await read_story(request, story_id, shown=LATEST)
    if performance.heard and all(speech.id != performance.heard.id for speech in end.speeches):
        return await moved(request, story_id, shown=shown + GROWTH, headers=SAID)  # The model has gone elsewhere.
    helm = replace(end.helm, shown=shown + GROWTH)
    said = end.speeches[-1:] if end.performing else end.speeches[-2:]
    return render(request, HeardView(said, end.performing, helm, end.turns), headers=SAID)
