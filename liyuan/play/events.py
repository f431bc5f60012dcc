"""The news of one conversation for whoever follows it: where the leaf went, turns and what is said, a new title.

Moves come from the journal, so none is missed and none comes twice, whichever process made it.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any, Literal

from sqlalchemy import Connection, func, select

from liyuan.domain.entry import ConversationId
from liyuan.resources import Resources
from liyuan.stage import Ended, Failed, Overheard, Performance, Piece, Told, Turned
from liyuan.store.conversations import Conversation, load_conversation
from liyuan.store.tables import moves

# Seconds between two looks at what other pages and processes did; a turn that begins here is heard of at once.
LOOK_EVERY = 0.5
# Moves told one by one; of more than these, as after a long absence, only the latest.
MOST_MOVES = 100


@dataclass(frozen=True, slots=True)
class Happening:
    """One piece of news. `id` is set on moves of the leaf: what to name in order to hear only what came after.

    `data` of a "leaf": leaf_id, cause. Of a "turn": performance_id, act, parent_id, state (started, ended, failed), and
    at its end entry_id (None when nothing was appended); one that is started again, with another parent_id, begins anew
    there. Of a "delta": performance_id, text. Of a "title": title.
    """

    kind: Literal["leaf", "turn", "delta", "title"]
    data: Mapping[str, Any]
    id: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class _Look:
    conversation: Conversation
    last: int
    moved: tuple[Happening, ...]


@dataclass(slots=True)
class _Known:
    """What a follower has been told so far. `last` is the number of the latest move; None: nothing yet."""

    last: int | None
    title: str | None = None
    heard: set[str] = field(default_factory=set)


async def watch(
    resources: Resources, conversation_id: ConversationId, after: str | None = None
) -> AsyncGenerator[Happening, None]:
    """Everything that happens from now on, without end; the moves after `after` first, without it where the leaf is.

    A turn in progress is heard from its start. Raises NotFound when the conversation is not there, or goes.
    """
    known = _Known(int(after) if after and after.isascii() and after.isdigit() else None)
    while True:
        begun = resources.stage.begun
        look = await resources.database.read(_look, conversation_id, known.last)
        for happening in _news(known, look):
            yield happening
        playing = await resources.stage.playing(conversation_id) if look.conversation.performance_id else None
        if playing and playing.id not in known.heard:
            known.heard = {playing.id}
            async for happening in _turn(playing):
                yield happening
            continue
        with suppress(TimeoutError):
            await asyncio.wait_for(begun.wait(), LOOK_EVERY)


def _news(known: _Known, look: _Look) -> list[Happening]:
    title = look.conversation.title
    retitled = [Happening("title", {"title": title})] if known.title not in (None, title) else []
    known.last, known.title = look.last, title
    return [*retitled, *look.moved]


def _look(connection: Connection, conversation_id: ConversationId, after: int | None) -> _Look:
    conversation = load_conversation(connection, conversation_id)
    last = connection.execute(
        select(func.max(moves.c.seq)).where(moves.c.conversation_id == conversation_id)
    ).scalar_one()
    last = last or 0
    if after is None or after > last:
        here = Happening("leaf", {"leaf_id": conversation.leaf_id, "cause": "present"}, str(last))
        return _Look(conversation=conversation, last=last, moved=(here,))
    return _Look(conversation=conversation, last=last, moved=_moved(connection, conversation_id, after))


def _moved(connection: Connection, conversation_id: ConversationId, after: int) -> tuple[Happening, ...]:
    rows = connection.execute(
        select(moves.c.seq, moves.c.to_id, moves.c.cause)
        .where(moves.c.conversation_id == conversation_id, moves.c.seq > after)
        .order_by(moves.c.seq.desc())
        .limit(MOST_MOVES + 1)
    ).all()
    told = rows[:1] if len(rows) > MOST_MOVES else rows[::-1]
    return tuple(Happening("leaf", {"leaf_id": row.to_id, "cause": row.cause}, str(row.seq)) for row in told)


async def _turn(playing: Performance | Overheard) -> AsyncGenerator[Happening, None]:
    performing = playing.performing
    about = {"performance_id": playing.id, "act": performing.act, "parent_id": performing.parent_id}
    yield Happening("turn", {**about, "state": "started"})
    last: Told | None = None
    async for told in playing.listen():
        last = told
        if isinstance(told, Piece):
            yield Happening("delta", {"performance_id": playing.id, "text": told.text})
        elif isinstance(told, Turned):
            about["parent_id"] = playing.performing.parent_id
            yield Happening("turn", {**about, "state": "started"})
    entry = last.entry if isinstance(last, Ended | Failed) else None
    state = "failed" if isinstance(last, Failed) else "ended"
    yield Happening("turn", {**about, "state": state, "entry_id": entry.id if entry else None})
