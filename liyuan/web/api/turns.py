"""Turns: saying something, asking for another reply, going on, stopping. A turn goes on when its listener leaves."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from contextlib import suppress
from typing import Any, TypeAlias

from fastapi import APIRouter, Request, Response

from liyuan.domain.entry import REVISION, ConversationId
from liyuan.domain.entry import Entry as TreeEntry
from liyuan.domain.errors import LiyuanError
from liyuan.domain.tool_use import use_data
from liyuan.play.swipe import another
from liyuan.play.turn import carry_on, hear, impersonate, stop
from liyuan.resources import Resources
from liyuan.stage import Ended, Failed, Heard, Performance, Piece, Thought, Turned, Used
from liyuan.store.branch import Shown, active_leaf, load_shown
from liyuan.store.conversations import load_conversation
from liyuan.web.api.asked import InConversation, OfEntry, Open, wants_stream
from liyuan.web.api.problems import problems
from liyuan.web.api.schemas import ENTRY_EXAMPLE, Conversation, Entry, Turn, Words
from liyuan.web.api.sse import described, event, stream
from liyuan.web.api.wishes import Guard, NewTurn
from liyuan.web.problem import explain
from liyuan.web.visitor import visitor_of

router = APIRouter(prefix="/conversations/{conversation_id}", tags=["turns"])

#: Seconds that a stop waits for the turn to end. Another process looks twice a second whether it was asked to.
STOPPING = 5.0

_STREAM_EXAMPLE = (
    'event: user\ndata: {"id":"019c13d29f0011aa22bb33cc","kind":"message","role":"user",…}\n\n'
    'event: delta\ndata: {"text":"“Come in"}\n\n'
    'event: reply\ndata: {"id":"019c13d2a1b07f3e5d2c4b6a","kind":"message","role":"assistant",…}\n\n'
)
_WORDS_EXAMPLE = 'event: delta\ndata: {"text":"Is there "}\n\nevent: words\ndata: {"text":"Is there a room?"}\n\n'
STREAMED: dict[int | str, dict[str, Any]] = {
    200: {
        "description": (
            "With `Accept: text/event-stream`: `user` (Entry), `reasoning` and `delta` {text}, then `reply` (Entry, "
            "or null when nothing was said) or `error` (problem). Leaving does not stop the turn. A model that may use "
            "its context tools tells of each use in `tool` {tool, name?, entry_id?, from_id?, backup_tag?}; after a "
            "`context_checkout`, `user` comes again with the reader's words as they stand in the new place, and the "
            "reply begins anew there."
        ),
        "content": described(_STREAM_EXAMPLE, "user", "reasoning", "delta", "tool", "reply", "error"),
    },
    201: {"content": {"application/json": {"example": {"user": None, "reply": ENTRY_EXAMPLE}}}},
}


@router.post("/turns", status_code=201, response_model=Turn, responses={**STREAMED, **problems(404, 409, 502)})
async def say(request: Request, resources: Open, conversation_id: InConversation, wish: NewTurn) -> Turn | Response:
    """Says something and hears the reply. The words are kept even when the model fails."""
    performance = await hear(resources, conversation_id, wish.text, expected_leaf=_leaf(wish))
    return await _told(request, resources, performance)


@router.post(
    "/entries/{entry_id}/variants",
    status_code=201,
    response_model=Turn,
    responses={**STREAMED, **problems(404, 409, 502)},
)
async def tell_another(
    request: Request, resources: Open, conversation_id: InConversation, entry_id: OfEntry, guard: Guard
) -> Turn | Response:
    """A sibling of a reply, or a reply to the reader's message. The leaf moves when the new reply is there."""
    performance = await another(resources, conversation_id, entry_id, expected_leaf=_leaf(guard))
    return await _told(request, resources, performance)


@router.post("/continue", status_code=201, response_model=Turn, responses={**STREAMED, **problems(404, 409, 502)})
async def go_on(request: Request, resources: Open, conversation_id: InConversation, guard: Guard) -> Turn | Response:
    """Lets the last reply go on where it stopped; when the reader spoke last, lets the model reply."""
    performance = await carry_on(resources, conversation_id, expected_leaf=_leaf(guard))
    return await _told(request, resources, performance)


@router.post(
    "/impersonate",
    response_model=Words,
    responses={
        200: {
            "description": "With `Accept: text/event-stream`: `delta` {text}, then `words` {text} or `error`.",
            "content": {
                "application/json": {"example": {"text": "Is there a room?"}},
                **described(_WORDS_EXAMPLE, "reasoning", "delta", "words", "error"),
            },
        },
        **problems(404, 409, 502),
    },
)
async def speak_for_the_reader(request: Request, resources: Open, conversation_id: InConversation) -> Words | Response:
    """Lets the model write the reader's next words. Nothing is appended."""
    performance = await impersonate(resources, conversation_id)
    if wants_stream(request):
        return stream(_events(request, resources, performance))
    return Words(text=(await performance.ended()).text)


@router.post("/stop", responses=problems(404))
async def stop_it(resources: Open, conversation_id: InConversation) -> Conversation:
    """Stops whoever performs. What was said is kept, marked as interrupted.

    Answers when the turn is over, wherever it is played; after some seconds in any case, and then `status` is still
    `generating`: the process that played it may have ended.
    """
    performance = await resources.stage.playing(conversation_id)
    await stop(resources, conversation_id)
    if performance:
        with suppress(TimeoutError):
            async with asyncio.timeout(STOPPING):
                async for _ in performance.listen():
                    pass
    return Conversation.of(await resources.database.read(load_conversation, conversation_id))


def _leaf(guard: Guard) -> Any:
    return guard.expected_leaf


async def _told(request: Request, resources: Resources, performance: Performance) -> Turn | Response:
    if wants_stream(request):
        return stream(_events(request, resources, performance))
    try:
        ended = await performance.ended()
    except LiyuanError as error:
        raise await _with_leaf(resources, performance.conversation_id, error) from error
    reply = await _reply(resources, performance.conversation_id, ended.entry)
    user = await _as_seen(resources, performance.conversation_id, performance.user)
    return Turn(user=user, reply=reply)


async def _events(request: Request, resources: Resources, performance: Performance) -> AsyncGenerator[bytes, None]:
    async for told in performance.listen():
        if isinstance(told, Turned):
            for entry in told.carried:
                yield event("user", await _as_seen(resources, performance.conversation_id, entry))
        else:
            yield await _event(request, resources, performance, told)


_Event: TypeAlias = Heard | Piece | Thought | Used | Ended | Failed


async def _event(request: Request, resources: Resources, performance: Performance, told: _Event) -> bytes:
    conversation_id = performance.conversation_id
    match told:
        case Heard(entry):
            return event("user", await _as_seen(resources, conversation_id, entry))
        case Piece(text):
            return event("delta", {"text": text})
        case Thought(text):
            return event("reasoning", {"text": text})
        case Used(use):
            return event("tool", use_data(use))
        case Ended(_, text) if performance.performing.act == "impersonate":
            return event("words", {"text": text})
        case Ended(entry):
            return event("reply", await _reply(resources, conversation_id, entry))
        case Failed(error):
            told_error = await _with_leaf(resources, conversation_id, error)
            return event("error", explain(told_error, visitor_of(request), request.method).members())


async def _reply(resources: Resources, conversation_id: ConversationId, entry: TreeEntry | None) -> Entry | None:
    """The reply as it now stands: where a reply went on, that reply and not the revision that holds its text."""
    if entry is None or entry.kind != REVISION or entry.target_id is None:
        return await _as_seen(resources, conversation_id, entry)
    return Entry.of(await resources.database.read(load_shown, conversation_id, entry.target_id, entry.id))


async def _as_seen(resources: Resources, conversation_id: ConversationId, entry: TreeEntry | None) -> Entry | None:
    if entry is None:
        return None
    shown: Shown = await resources.database.read(load_shown, conversation_id, entry.id, entry.id)
    return Entry.of(shown)


async def _with_leaf(resources: Resources, conversation_id: ConversationId, error: LiyuanError) -> LiyuanError:
    """The error with the present leaf, so that the client can go on from where the story now is."""
    error.fields.setdefault("leaf_id", await resources.database.read(active_leaf, conversation_id))
    return error
