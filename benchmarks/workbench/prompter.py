"""A model server at a fixed pace, as a program of its own. What it says is when it said it, so a listener can subtract.

Speaks OpenAI's chat completions. The model's name is the order: `story-20-200` is twenty pieces a second, two hundred
in all; `story-0-50` as fast as can be. Any other model answers `{}` at once, which a scribe takes for "nothing new".
"""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

HEAD = b"HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ntransfer-encoding: chunked\r\n\r\n"
END = b"0\r\n\r\n"
WRAP = 10**12


def stamp() -> int:
    """Microseconds on a clock that all programs of this machine share, short enough for a token."""
    return time.monotonic_ns() // 1000 % WRAP


@contextmanager
def prompting() -> Iterator[str]:
    """The prompter in a process of its own; gives its base URL."""
    process = subprocess.Popen([sys.executable, str(Path(__file__))], stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    try:
        yield f"http://127.0.0.1:{int(process.stdout.readline())}/v1"
    finally:
        process.terminate()
        process.wait()


async def _serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    with suppress(ConnectionError, asyncio.IncompleteReadError):
        while True:
            head = (await reader.readuntil(b"\r\n\r\n")).lower()
            length = int(head.partition(b"content-length:")[2].split(b"\r\n")[0] or 0)
            body = await reader.readexactly(length)
            asked = stamp()
            await _answer(writer, str(json.loads(body)["model"]), asked)
    writer.close()


async def _answer(writer: asyncio.StreamWriter, model: str, asked: int) -> None:
    writer.write(HEAD)
    if model.startswith("story-"):
        _, rate, count = model.split("-")
        await _tell(writer, float(rate), int(count), asked)
    else:
        writer.write(_piece("{}"))
    writer.write(_piece("", '"stop"') + _chunk(b"data: [DONE]\n\n") + END)
    await writer.drain()


async def _tell(writer: asyncio.StreamWriter, rate: float, count: int, asked: int) -> None:
    began = time.monotonic()
    for number in range(count):
        if rate and (wait := began + number / rate - time.monotonic()) > 0:
            await asyncio.sleep(wait)
        writer.write(_piece(f"{asked}:{stamp()} " if number == 0 else f"{stamp()} "))
        if not rate:
            await writer.drain()


def _piece(text: str, finish: str = "null") -> bytes:
    delta = f'{{"content":"{text}"}}' if text else "{}"
    body = '{"id":"1","object":"chat.completion.chunk","created":1,"model":"story","choices":[{"index":0,"delta":'
    return _chunk(f'data: {body}{delta},"finish_reason":{finish}}}]}}\n\n'.encode())


def _chunk(data: bytes) -> bytes:
    return b"%x\r\n%b\r\n" % (len(data), data)


async def main() -> None:
    server = await asyncio.start_server(_serve, "127.0.0.1", 0, backlog=1024)
    print(server.sockets[0].getsockname()[1], flush=True)
    await server.serve_forever()


if __name__ == "__main__":
    asyncio.run(main())
