"""The news of one story for one page: a reply while it is being written, else a word whenever the story has moved.

A page has one line to the server, and a performance is heard on it from its start, whoever comes and whenever.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import aclosing, suppress
from dataclasses import dataclass, field
from typing import ClassVar

from fastapi import APIRouter, Request
from fastapi.sse import EventSourceResponse, ServerSentEvent
from sqlalchemy import Connection

from liyuan.domain.entry import ConversationId, EntryId
from liyuan.domain.errors import ModelFailed
from liyuan.domain.tool_use import Use
from liyuan.resources import Resources
from liyuan.stage import Ended, Failed, Overheard, Performance, Piece, Thought, Told, Turned, Used
from liyuan.store.branch import load_shown
from liyuan.store.conversations import load_conversation
from liyuan.store.performances import Performing
from liyuan.store.standing import standing
from liyuan.web.booked import load_booked
from liyuan.web.manuscript import Manuscript
from liyuan.web.problem import explain
from liyuan.web.redraw import Note
from liyuan.web.render import View, html_for
from liyuan.web.runs import run_mark
from liyuan.web.speech import Speech, slot_of
from liyuan.web.story import Helm, Story, load_story
from liyuan.web.uses import UseLine, use_lines
from liyuan.web.visitor import Visitor, visitor_of

router = APIRouter(prefix="/stories/{story_id}", include_in_schema=False)

#: Seconds between two looks at whether the story has moved, and between two pieces of a reply.
LOOK_EVERY = 1.0
SAY_EVERY = 0.05


@dataclass(frozen=True)
class ToldView(View):
    """What was said since the last time. `afresh` means from the start: it takes the place of all that was shown.

    `uses` are all the uses of tools up to now, where one is new.
    """

    template: ClassVar[str] = "play/_told.html"
    thoughts: str
    settled: str
    tail: str
    afresh: bool
    uses: tuple[UseLine, ...] = ()


@dataclass(frozen=True)
class SettledView(View):
    """A reply that has ended, in its place."""

    template: ClassVar[str] = "play/_settled.html"
    speech: Speech
    helm: Helm
    turns: int


@dataclass(frozen=True)
class TroubleView(View):
    """What went wrong, beside the composer."""

    template: ClassVar[str] = "play/_trouble.html"
    note: Note


@dataclass(frozen=True, slots=True)
class Bearings:
    """Where a story is: its leaf, the performance that is on, how far its latest run is. Empty where there is none."""

    leaf: str
    performance: str
    run: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Listener:
    """One page that listens, and what it believes."""

    resources: Resources
    visitor: Visitor
    story_id: ConversationId
    believes: Bearings


@router.get("/live", response_class=EventSourceResponse)
async def live(
    request: Request, story_id: ConversationId, leaf: str = "", performance: str = "", run: str = ""
) -> AsyncGenerator[ServerSentEvent, None]:
    """Unnamed events are parts of the page. `moved` and `redraw` say that there is more to ask for; `words` are for
    the composer."""
    resources: Resources = request.app.state.resources
    listener = Listener(
        resources=resources,
        visitor=visitor_of(request),
        story_id=story_id,
        believes=Bearings(leaf, performance, run),
    )
    async with aclosing(news(listener)) as events:
        async for event in events:
            yield event


async def news(listener: Listener) -> AsyncGenerator[ServerSentEvent, None]:
    stage = listener.resources.stage
    believed = listener.believes.performance
    playing = stage.heard_lately(believed) or await stage.playing(listener.story_id)
    if playing and playing.id == believed:
        async with aclosing(performed(listener, playing)) as events:
            async for event in events:
                yield event
        return
    async with aclosing(moves(listener)) as events:
        async for event in events:
            yield event


async def moves(listener: Listener) -> AsyncGenerator[ServerSentEvent, None]:
    """A word whenever the story is elsewhere than the page believes, until the page has asked and come again.

    Where only the ledger has grown, or a run has come further, the page is told at once what is new.
    """
    read = listener.resources.database.read
    believed = listener.believes
    while True:
        begun = listener.resources.stage.begun
        found = await read(_bearings, listener.story_id)
        if found != believed:
            if await read(_is_in_place, listener.story_id, believed, found):
                view = await read(load_booked, listener.story_id)
                yield ServerSentEvent(raw_data=html_for(listener.visitor, view))
            else:
                yield ServerSentEvent(event="moved", raw_data=f"{found.leaf} {found.performance}")
            believed = found
        with suppress(TimeoutError):
            await asyncio.wait_for(begun.wait(), LOOK_EVERY)


def _bearings(connection: Connection, story_id: ConversationId) -> Bearings:
    story = load_conversation(connection, story_id)
    return Bearings(story.leaf_id or "", story.performance_id or "", run_mark(connection, story_id))


def _is_in_place(connection: Connection, story_id: ConversationId, believed: Bearings, found: Bearings) -> bool:
    """Whether what the reader sees of the story is still what there is."""
    if believed.performance != found.performance:
        return False
    shown = EntryId(believed.leaf) if believed.leaf else None
    return believed.leaf == found.leaf or (shown is not None and standing(connection, story_id, shown) == found.leaf)


# --- a performance ---------------------------------------------------------------------------------------------------


@dataclass(slots=True)
class Hearing:
    """What one page has heard of a performance so far."""

    manuscript: Manuscript = field(default_factory=Manuscript)
    afresh: bool = True
    text: str = ""
    uses: list[Use] = field(default_factory=list)

    def begin_anew(self) -> None:
        """The reply begins again, in another place."""
        self.manuscript, self.afresh, self.text = Manuscript(), True, ""

    def take(self, told: list[Told]) -> ToldView | None:
        """The view of what is new; None when nothing is."""
        used = [one.use for one in told if isinstance(one, Used)]
        self.uses += used
        if any(isinstance(one, Turned) for one in told):
            self.begin_anew()
            told = _since_the_turn(told)
        thoughts = "".join(one.text for one in told if isinstance(one, Thought))
        said = "".join(one.text for one in told if isinstance(one, Piece))
        if not (thoughts or said or used):
            return None
        self.text += said
        self.manuscript.write(said)
        settled = self.manuscript.turn_over()
        view = ToldView(
            thoughts=thoughts,
            settled=settled,
            tail=self.manuscript.tail,
            afresh=self.afresh,
            uses=use_lines(self.uses) if used else (),
        )
        self.afresh = False
        return view


def _since_the_turn(told: list[Told]) -> list[Told]:
    last = max(at for at, one in enumerate(told) if isinstance(one, Turned))
    return told[last + 1 :]


def _is_elsewhere(told: list[Told], believed: str) -> bool:
    """Whether the model has gone to another place than the page shows."""
    return any(isinstance(one, Turned) and one.leaf != believed for one in told)


async def performed(listener: Listener, playing: Performance | Overheard) -> AsyncGenerator[ServerSentEvent, None]:
    """A performance from its start to its end, and then the page as it is.

    Where the model goes elsewhere in the midst of it, the page has to ask for the story there, and to come again.
    """
    performing = playing.performing
    hearing = Hearing()
    last: Ended | Failed | None = None
    if performing.act == "continue" and performing.parent_id:
        begun = await listener.resources.database.read(
            load_shown, listener.story_id, performing.parent_id, performing.expected_leaf
        )
        hearing.manuscript.write(begun.text)
    async with aclosing(in_gulps(playing.listen())) as gulps:
        async for told in gulps:
            if _is_elsewhere(told, listener.believes.leaf):
                yield ServerSentEvent(event="redraw", raw_data=performing.id)
                return
            view = hearing.take(told)
            if view and performing.act == "impersonate":
                yield ServerSentEvent(event="words", raw_data=hearing.text)
            elif view:
                yield ServerSentEvent(raw_data=html_for(listener.visitor, view))
            last = next((one for one in told if isinstance(one, Ended | Failed)), last)
    async for event in _ending(listener, playing.performing, last):
        yield event


async def _ending(
    listener: Listener, performing: Performing, last: Ended | Failed | None
) -> AsyncGenerator[ServerSentEvent, None]:
    story = await listener.resources.database.read(load_story, listener.story_id)
    speech = _in_its_place(story, performing)
    has_spoken = speech is not None and story.leaf != performing.expected_leaf
    if speech and has_spoken:
        view = SettledView(speech, story.helm, story.turns)
        yield ServerSentEvent(raw_data=html_for(listener.visitor, view))
    if isinstance(last, Failed):
        problem = explain(last.error, listener.visitor, "GET")
        note = Note(
            kind="trouble",
            address=story.address,
            detail=problem.detail,
            retry=story.address + _retry(performing, None if has_spoken else speech),
            is_about_model=isinstance(last.error, ModelFailed),
        )
        yield ServerSentEvent(raw_data=html_for(listener.visitor, TroubleView(note)))
    if not has_spoken:
        yield ServerSentEvent(event="redraw", raw_data=performing.id)


def _in_its_place(story: Story, performing: Performing) -> Speech | None:
    """What stands now where the performance was."""
    goes_on = performing.act == "continue"
    place = slot_of(performing.parent_id)
    return next(
        (one for one in story.speeches if (one.id == performing.parent_id if goes_on else one.slot == place)), None
    )


def _retry(performing: Performing, replaced: Speech | None) -> str:
    """Where the same is asked for once more; what has been said already goes on instead."""
    if performing.act == "impersonate":
        return "/impersonate"
    if performing.act == "swipe" and replaced:
        return f"/entries/{replaced.id}/another"
    return "/continue"


async def in_gulps(told: AsyncIterator[Told]) -> AsyncGenerator[list[Told], None]:
    """What is told, at once when it is quiet, and together when it comes faster than `SAY_EVERY`."""
    waiting: asyncio.Queue[Told | None] = asyncio.Queue()

    async def fetch() -> None:
        async for one in told:
            waiting.put_nowait(one)
        waiting.put_nowait(None)

    fetching = asyncio.create_task(fetch())
    try:
        while True:
            gulp = [await waiting.get()]
            while not waiting.empty():
                gulp.append(waiting.get_nowait())
            yield [one for one in gulp if one is not None]
            if None in gulp:
                return
            await asyncio.sleep(SAY_EVERY)
    finally:
        fetching.cancel()
