"""A slow model server whose every word is numbered, so that what is kept of a reply can be told from what was said."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress

from tests.peers import END, STREAM, chunk, openai_piece, read_request

QUICK = 0.0


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
                await self._answer(writer, str(asked.body["model"]))
        writer.close()

    async def _answer(self, writer: asyncio.StreamWriter, model: str) -> None:
        writer.write(STREAM)
        if model == "story":
            self.replies += 1
            for word in self.words(self.replies):
                writer.write(chunk(openai_piece(word)))
                await writer.drain()
                await asyncio.sleep(self.pause)
        else:
            writer.write(chunk(openai_piece("{}")))
        writer.write(chunk(openai_piece(finish="stop") + b"data: [DONE]\n\n") + END)
        await writer.drain()
