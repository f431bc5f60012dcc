"""Turns in progress. A turn belongs to the server: it is heard from its start by whoever comes, and ends without them.

A performance lives in memory where it is played and, flushed twice a second, in the database, where any other process
can follow it and where a crash leaves it to be found.
"""

from __future__ import annotations

import asyncio
import os
import secrets
import socket
import time
from collections import OrderedDict
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass
from typing import Literal, TypeAlias

import structlog

from liyuan.domain.entry import ConversationId, Entry, EntryId
from liyuan.domain.errors import LiyuanError
from liyuan.domain.tool_use import Use, uses_of
from liyuan.store.database import Database
from liyuan.store.performances import Performing, SoFar, ask_to_stop, end, flush, load_performing

FLUSH_EVERY = 0.5
# How many performances that are over can still be heard, for pages that come a moment too late.
REMEMBERED = 64

log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class Heard:
    """The reader's message that the performance answers."""

    entry: Entry


@dataclass(frozen=True, slots=True)
class Piece:
    """The next piece of the text."""

    text: str


@dataclass(frozen=True, slots=True)
class Thought:
    """The next piece of the model's thinking."""

    text: str


@dataclass(frozen=True, slots=True)
class Used:
    """The model has done something with its context tools."""

    use: Use


@dataclass(frozen=True, slots=True)
class Turned:
    """The model has gone elsewhere: all that was said so far stays behind, and the reply begins anew at `leaf`.

    `carried` are the reader's words that came along, as they stand there; the last of them is what is answered.
    """

    leaf: EntryId
    carried: tuple[Entry, ...] = ()


@dataclass(frozen=True, slots=True)
class Ended:
    """The performance is over. `entry` is what was appended: None for an impersonation, or when nothing was said."""

    entry: Entry | None
    text: str


@dataclass(frozen=True, slots=True)
class Failed:
    """The performance broke off. `entry` is the interrupted reply, when something had been said before."""

    error: LiyuanError
    entry: Entry | None = None


Told: TypeAlias = Heard | Piece | Thought | Used | Turned | Ended | Failed
Outcome: TypeAlias = Literal["ended", "stopped", "failed"]


class Performance:
    """One turn as it is being played. `listen` always begins at the beginning."""

    def __init__(self, performing: Performing, heard: Entry | None = None) -> None:
        self.performing = performing
        self.heard = heard
        #: The reader's words as they stand where the reply will: those heard, or what a checkout carried along.
        self.user = heard
        self.is_over = False
        self._told: list[Told] = [Heard(heard)] if heard else []
        self._said: list[str] = []
        self._thought: list[str] = []
        self._more = asyncio.Event()
        self._speaking: asyncio.Task[None] | None = None
        self.stop_asked = False
        self._began = time.monotonic()
        #: Seconds from the beginning to the first word or thought; None before it.
        self.first_after: float | None = None

    @property
    def outcome(self) -> Outcome:
        """How it ended, as figures count it. A stop is no failure."""
        failed = any(isinstance(told, Failed) for told in self._told[-1:])
        return "failed" if failed else "stopped" if self.stop_asked else "ended"

    @property
    def id(self) -> str:
        return self.performing.id

    @property
    def conversation_id(self) -> ConversationId:
        return self.performing.conversation_id

    @property
    def text(self) -> str:
        return "".join(self._said)

    @property
    def reasoning(self) -> str:
        return "".join(self._thought)

    def say(self, text: str) -> None:
        self._said.append(text)
        self._tell(Piece(text))

    def think(self, text: str) -> None:
        self._thought.append(text)
        self._tell(Thought(text))

    def note(self, use: Use, performing: Performing) -> None:
        """Tells of a use of a tool. `performing` is the performance as it now is in the database."""
        self.performing = performing
        self._tell(Used(use))

    def turn(self, performing: Performing, carried: tuple[Entry, ...]) -> None:
        """Goes on elsewhere, with nothing said yet. `performing` is the performance as it now is in the database."""
        assert performing.expected_leaf is not None
        self.performing = performing
        self._said, self._thought = [], []
        self.user = carried[-1] if carried else self.user
        self._tell(Turned(performing.expected_leaf, carried))

    def close(self, last: Ended | Failed) -> None:
        """Says the last word. Nothing can be told after it."""
        self.is_over = True
        self._tell(last)

    def stop(self) -> None:
        """Asks the performer to stop. What has been said is kept."""
        self.stop_asked = True
        if self._speaking:
            self._speaking.cancel()

    async def speak(self, speaking: Awaitable[None]) -> bool:
        """Runs the speaking until it ends, or is stopped. Tells whether it came to its end; a stop is no error."""
        self._speaking = asyncio.ensure_future(speaking)
        if self.stop_asked:
            self._speaking.cancel()
        try:
            await self._speaking
        except asyncio.CancelledError:
            if not self.stop_asked:
                self._speaking.cancel()
                raise
            return False
        return True

    async def listen(self) -> AsyncIterator[Told]:
        """Everything told, from the start, then what is told next, up to Ended or Failed."""
        at = 0
        while True:
            more = self._more
            while at < len(self._told):
                yield self._told[at]
                at += 1
            if self.is_over:
                return
            await more.wait()

    async def ended(self) -> Ended:
        """Waits for the end. Raises the error when the performance failed."""
        async for told in self.listen():
            if isinstance(told, Failed):
                raise told.error
            if isinstance(told, Ended):
                return told
        raise AssertionError("a performance ends with Ended or Failed")

    def _tell(self, told: Told) -> None:
        if self.first_after is None and isinstance(told, Piece | Thought):
            self.first_after = time.monotonic() - self._began
        self._told.append(told)
        self._more.set()
        self._more = asyncio.Event()


class Overheard:
    """A performance of another process, followed through the database. It is heard, but not steered, from here."""

    def __init__(self, database: Database, performing: Performing) -> None:
        self.performing = performing
        self._database = database

    @property
    def id(self) -> str:
        return self.performing.id

    async def listen(self) -> AsyncIterator[Told]:
        """Pieces as they reach the database; ends, without a word of its own, when the row is gone."""
        said = thought = used = 0
        while True:
            now = await self._database.read(load_performing, self.performing.conversation_id)
            if now is None or now.id != self.id:
                return
            uses = uses_of(list(now.uses or ()))
            for use in uses[used:]:
                yield Used(use)
            used = len(uses)
            if now.expected_leaf != self.performing.expected_leaf and now.expected_leaf is not None:
                yield Turned(now.expected_leaf)
                said = thought = 0
            self.performing = now
            if len(now.reasoning) > thought:
                yield Thought(now.reasoning[thought:])
            if len(now.text) > said:
                yield Piece(now.text[said:])
            said, thought = len(now.text), len(now.reasoning)
            await asyncio.sleep(FLUSH_EVERY)


class Stage:
    """The performances of this process. `owner` names the process in the database."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self.owner = f"{socket.gethostname()}:{os.getpid()}:{secrets.token_hex(4)}"
        self._playing: dict[ConversationId, Performance] = {}
        self._over: OrderedDict[str, Performance] = OrderedDict()
        self._tasks: set[asyncio.Task[None]] = set()
        self._flushing: asyncio.Task[None] | None = None
        #: Set when the next performance begins here, and then replaced by a fresh one.
        self.begun = asyncio.Event()
        #: Who is told of each performance that is over, for figures. They must not fail.
        self.witnesses: list[Callable[[Performance], None]] = []

    @property
    def streams(self) -> int:
        """How many performances are being played here now."""
        return len(self._playing)

    def start(self, performance: Performance, answer: Callable[[Performance], Awaitable[None]]) -> Performance:
        """Lets a performance begin, whoever listens. `answer` plays it and closes it."""
        self._playing[performance.conversation_id] = performance
        self.begun.set()
        self.begun = asyncio.Event()
        if self._flushing is None:
            self._flushing = asyncio.create_task(self._flush(), name="flush")
        task = asyncio.create_task(self._run(performance, answer), name=f"performance {performance.id}")
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return performance

    def here(self, conversation_id: ConversationId) -> Performance | None:
        """The performance that this process plays in a conversation."""
        return self._playing.get(conversation_id)

    def heard_lately(self, performance_id: str) -> Performance | None:
        """A performance that has just ended, for a listener who came a moment too late."""
        return self._over.get(performance_id)

    async def playing(self, conversation_id: ConversationId) -> Performance | Overheard | None:
        """The performance in a conversation, wherever it is played."""
        if performance := self._playing.get(conversation_id):
            return performance
        performing = await self._database.read(load_performing, conversation_id)
        return Overheard(self._database, performing) if performing else None

    async def stop(self, conversation_id: ConversationId) -> None:
        """Stops the performance in a conversation, here at once, in another process at its next flush."""
        if performance := self._playing.get(conversation_id):
            performance.stop()
        else:
            await self._database.write(ask_to_stop, conversation_id)

    async def close(self) -> None:
        """Stops everything and waits until what was said is written down."""
        for performance in list(self._playing.values()):
            performance.stop()
        if self._tasks:
            await asyncio.wait(self._tasks, timeout=10)
        if self._flushing:
            self._flushing.cancel()

    async def _run(self, performance: Performance, answer: Callable[[Performance], Awaitable[None]]) -> None:
        try:
            await answer(performance)
        except LiyuanError as error:
            await self._break_off(performance, error)
        except Exception:
            log.exception("performance failed", performance_id=performance.id)
            await self._break_off(performance, LiyuanError())
        finally:
            self._playing.pop(performance.conversation_id, None)
            for witness in self.witnesses:
                witness(performance)
            self._over[performance.id] = performance
            while len(self._over) > REMEMBERED:
                self._over.popitem(last=False)

    async def _break_off(self, performance: Performance, error: LiyuanError) -> None:
        with suppress(Exception):
            await self._database.write(end, performance.id)
        if not performance.is_over:
            performance.close(Failed(error))

    async def _flush(self) -> None:
        """Writes down what all performances have said, in one transaction, as long as this process lives."""
        while True:
            await asyncio.sleep(FLUSH_EVERY)
            playing = {performance.id: performance for performance in self._playing.values()}
            so_far = [SoFar(one.id, one.text, one.reasoning, one.performing.expected_leaf) for one in playing.values()]
            if not so_far:
                continue
            try:
                asked = await self._database.write(flush, so_far)
            except Exception:
                log.exception("what was said could not be written down")
                continue
            for key in asked & playing.keys():
                playing[key].stop()
