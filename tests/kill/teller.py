"""A slow model server whose every word is numbered, so that what is kept of a reply can be told from what was said."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager, suppress
from typing import Any

from tests.peers import END, STREAM, chunk, openai_calls, openai_piece, read_request

QUICK = 0.0
# What the reader says for all to be filed away, and what is then left of it.
ASIDE = "enough of this"
NOTE = "All of it came to nothing."


class Teller:
    """Tells `WORDS` words a reply, `pause` seconds apart. Any model but "story" gets `{}`, which changes nothing."""

    WORDS = 30

    def __init__(self) -> None:
        self.pause = QUICK
        self.url = ""
        self.replies = 0

    @asynccontextmanager
    async def serving(self) -> AsyncIterator[Teller]:
        server = await asyncio.start_server(self._serve, "127.0.0.1", 0)
        self.url = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/v1"
        try:
            yield self
        finally:
            server.close()

    def words(self, reply: int) -> list[str]:
        return [f"r{reply}w{number} " for number in range(self.WORDS)]

    def told(self) -> str:
        """All of the last reply, whether anybody heard it or not."""
        return "".join(self.words(self.replies))

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with suppress(ConnectionError, asyncio.IncompleteReadError):
            while True:
                asked = await read_request(reader)
                await self._answer(writer, asked.body)
        writer.close()

    async def _answer(self, writer: asyncio.StreamWriter, asked: Mapping[str, Any]) -> None:
        if asked["model"] == "story" and await self._calls(writer, asked):
            return
        writer.write(STREAM)
        if asked["model"] == "story":
            self.replies += 1
            for word in self.words(self.replies):
                writer.write(chunk(openai_piece(word)))
                await writer.drain()
                await asyncio.sleep(self.pause)
        else:
            writer.write(chunk(openai_piece("{}")))
        writer.write(chunk(openai_piece(finish="stop") + b"data: [DONE]\n\n") + END)
        await writer.drain()

    async def _calls(self, writer: asyncio.StreamWriter, asked: Mapping[str, Any]) -> bool:
        """Whether the answer was a call of a tool instead of words."""
        return False


class Filer(Teller):
    """Files everything away as soon as it may, with half a word said before, and tells its words where it went."""

    async def _calls(self, writer: asyncio.StreamWriter, asked: Mapping[str, Any]) -> bool:
        messages = json.dumps(asked["messages"])
        if not asked.get("tools") or ASIDE not in messages or NOTE in messages:
            return False
        tag, checkout = {"name": "before"}, {"target": "root", "message": NOTE, "backup_tag": "behind"}
        calls = (("context_tag", json.dumps(tag)), ("context_checkout", json.dumps(checkout)))
        for step in openai_calls(*calls, text="Half a "):
            assert isinstance(step, bytes)
            writer.write(step)
        await writer.drain()
        return True
