"""Server-sent events of the API: JSON in every `data`, and a sign of life while nothing happens."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncGenerator, Mapping
from contextlib import aclosing, suppress
from typing import Any

from fastapi.sse import KEEPALIVE_COMMENT, EventSourceResponse, format_sse_event
from pydantic import BaseModel

# Seconds of silence after which a comment is sent, so that no proxy takes the line for dead.
SILENCE = 15.0
HEADERS = {"Cache-Control": "no-cache", "X-Accel-Buffering": "no"}


def described(example: str, *names: str) -> dict[str, Any]:
    """The content of a described answer that is a stream of these events."""
    fields = {
        "event": {"type": "string", "enum": list(names)},
        "data": {"type": "string", "contentMediaType": "application/json"},
        "id": {"type": "string"},
    }
    item = {"type": "object", "properties": fields, "required": ["event", "data"]}
    return {"text/event-stream": {"itemSchema": item, "example": example}}


def event(name: str, data: BaseModel | Mapping[str, Any] | None, key: str | None = None) -> bytes:
    """One event as it goes over the line. `key` is what a client that lost the line names to go on after it."""
    text = data.model_dump_json() if isinstance(data, BaseModel) else json.dumps(data, ensure_ascii=False)
    return format_sse_event(data_str=text, event=name, id=key)


def stream(events: AsyncGenerator[bytes, None]) -> EventSourceResponse:
    """The answer that sends these events. When the client goes, the generator is closed, and nothing else ends."""
    return EventSourceResponse(_kept_alive(events), headers=HEADERS)


async def _kept_alive(events: AsyncGenerator[bytes, None]) -> AsyncGenerator[bytes, None]:
    async with aclosing(events):
        coming = asyncio.ensure_future(anext(events, None))
        try:
            while True:
                done, _ = await asyncio.wait({coming}, timeout=SILENCE)
                if not done:
                    yield KEEPALIVE_COMMENT
                    continue
                sent = coming.result()
                if sent is None:
                    return
                yield sent
                coming = asyncio.ensure_future(anext(events, None))
        finally:
            coming.cancel()
            with suppress(asyncio.CancelledError, Exception):
                await coming
