"""What comes in on the standard input, read through once: a line that is no message is answered, not passed over.

A client that waits for an answer would otherwise wait for ever. Half a character is enough to make a line unreadable,
and programs that cut their texts anywhere leave such halves.
"""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Final, TypeAlias

import anyio
from mcp.shared._context_streams import ContextReceiveStream, ContextSendStream, create_context_streams
from mcp.shared.message import SessionMessage
from mcp_types import INVALID_REQUEST, PARSE_ERROR, ErrorData, JSONRPCError
from pydantic import ValidationError

UNREADABLE: Final = (
    "This message cannot be read: {reason}. Nothing was changed. It has to be one JSON object on one line, and no text "
    "in it may end in the middle of a character (half of a surrogate pair)."
)
MISSHAPEN: Final = "This is no JSON-RPC message. Nothing was changed."

Heard: TypeAlias = ContextReceiveStream[SessionMessage | Exception]
Said: TypeAlias = ContextSendStream[SessionMessage]


@asynccontextmanager
async def readable(heard: Heard, said: Said) -> AsyncIterator[Heard]:
    """The messages of `heard`; what could not be read is answered on `said`."""
    onward, messages = create_context_streams[SessionMessage | Exception](0)

    async def relay() -> None:
        async with onward:
            async for item in heard:
                if isinstance(item, ValidationError):
                    await said.send(SessionMessage(refusal(item)))
                else:
                    await onward.send(item)

    async with anyio.create_task_group() as tasks:
        tasks.start_soon(relay)
        yield messages
        tasks.cancel_scope.cancel()


def refusal(error: ValidationError) -> JSONRPCError:
    """The answer to a line, under the id that the line asks to be answered by, if one can be made out."""
    fault = error.errors(include_url=False)[0]
    if fault["type"] != "json_invalid":
        return JSONRPCError(jsonrpc="2.0", id=None, error=ErrorData(code=INVALID_REQUEST, message=MISSHAPEN))
    words = UNREADABLE.format(reason=fault["ctx"]["error"])
    return JSONRPCError(jsonrpc="2.0", id=_asked_by(fault["input"]), error=ErrorData(code=PARSE_ERROR, message=words))


def _asked_by(line: object) -> int | str | None:
    """The id in a line that is JSON to a more patient reader."""
    try:
        asked = json.loads(str(line))
        marked = asked.get("id")
        return marked if type(marked) is int or (isinstance(marked, str) and marked.isprintable()) else None
    except (ValueError, AttributeError, RecursionError):
        return None
