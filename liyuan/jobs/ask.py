"""One question to a model from behind the curtain: a whole answer, in limited time, with a few tries."""

from __future__ import annotations

import asyncio
from contextlib import aclosing
from typing import Final

from liyuan.domain.errors import ModelFailed
from liyuan.model.chat import ChatModel, Delta, Request

# Seconds for a whole answer. A small model at home may need minutes for a long stretch.
TIME = 300.0
# Seconds before each further try; what a server asks for is honoured up to PATIENCE.
PAUSES: Final = (1.0, 5.0)
PATIENCE = 30.0
PASSING: Final = frozenset({"unreachable", "rate-limited", "server-error", "timeout", "cut-off", "malformed", "empty"})


async def ask(model: ChatModel, request: Request, *, pauses: tuple[float, ...] = PAUSES) -> str:
    """The answer's text, reasoning left out. Raises ModelFailed when the last try failed, too."""
    for pause in (*pauses, None):
        try:
            return await _once(model, request)
        except ModelFailed as error:
            if pause is None or error.fields.get("kind") not in PASSING:
                raise
            asked = error.fields.get("retry_after")
            await asyncio.sleep(min(max(pause, asked if isinstance(asked, int | float) else 0), PATIENCE))
    raise AssertionError("the last try returns or raises")


async def _once(model: ChatModel, request: Request) -> str:
    said: list[str] = []
    try:
        async with asyncio.timeout(TIME), aclosing(model.stream(request)) as pieces:
            async for piece in pieces:
                if isinstance(piece, Delta):
                    said.append(piece.text)
    except TimeoutError as error:
        raise ModelFailed(kind="timeout") from error
    return "".join(said)
