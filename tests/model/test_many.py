"""Many readers at once on one model: none waits for another's reply to end."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

from tests.model.conftest import Wild, hear
from tests.peers import openai_stream

#: More than an HTTP library opens at once by itself.
READERS = 120


async def test_a_hundred_and_more_replies_come_at_once(wild: Wild) -> None:
    model = await wild.model([_until_all_are_there(), *openai_stream("Good evening.")])
    replies = await asyncio.gather(*(hear(model) for _ in range(READERS)))
    assert {reply.text for reply in replies if not reply.failure} == {"Good evening."}
    assert [reply.failure for reply in replies if reply.failure] == []


def _until_all_are_there() -> Callable[[], Awaitable[object]]:
    """Answers nobody before all of them have asked."""
    there, asked = asyncio.Event(), 0

    async def step() -> None:
        nonlocal asked
        asked += 1
        if asked == READERS:
            there.set()
        await there.wait()

    return step
