"""Model servers for tests: one that misbehaves as it is told, byte for byte, and one nobody here wrote."""

from __future__ import annotations

import asyncio
import json
import socket
import sys
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from subprocess import DEVNULL, Popen
from time import monotonic, sleep
from typing import Any, TypeAlias

from anyio.from_thread import start_blocking_portal

Step: TypeAlias = bytes | float | asyncio.Event | Callable[[], Awaitable[object]]
"""Bytes to send as they are, seconds or an event to wait for. After the last step the line is closed."""


@dataclass
class Asked:
    """A request as it came over the line."""

    path: str
    headers: dict[str, str]
    body: dict[str, Any] = field(default_factory=dict)


class WildServer:
    """Answers every request with the next list of steps (the last one again when they run out)."""

    def __init__(self, *answers: list[Step]) -> None:
        self._answers = list(answers)
        self.asked: list[Asked] = []
        self.hung_up = asyncio.Event()
        """Set when a caller has gone away before the end of its answer."""
        self.called = asyncio.Event()
        """Set when the first request has come."""
        self.url = ""
        self._busy: set[asyncio.Task[None]] = set()

    @asynccontextmanager
    async def serving(self) -> AsyncIterator[WildServer]:
        server = await asyncio.start_server(self._serve, "127.0.0.1", 0)
        self.url = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}"
        try:
            yield self
        finally:
            server.close()
            for task in self._busy:
                task.cancel()
            await asyncio.gather(*self._busy, return_exceptions=True)

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.ensure_future(self._answer(reader, writer))
        self._busy.add(task)
        task.add_done_callback(self._busy.discard)
        await asyncio.wait({task})

    async def _answer(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            with suppress(ConnectionError, asyncio.IncompleteReadError):
                self.asked.append(await read_request(reader))
                self.called.set()
                steps = self._answers.pop(0) if len(self._answers) > 1 else self._answers[0]
                await self._play_to_whoever_stays(steps, reader, writer)
        finally:
            writer.close()
            with suppress(ConnectionError):
                await writer.wait_closed()

    async def _play_to_whoever_stays(
        self, steps: list[Step], reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> None:
        gone = asyncio.ensure_future(reader.read(1))
        playing = asyncio.ensure_future(_play(steps, writer))
        try:
            await asyncio.wait({gone, playing}, return_when=asyncio.FIRST_COMPLETED)
            if not playing.done():
                self.hung_up.set()
        finally:
            for task in (gone, playing):
                task.cancel()
            await asyncio.gather(gone, playing, return_exceptions=True)


@contextmanager
def at_hand(wild: WildServer) -> Iterator[WildServer]:
    """Serves from a loop of its own, for tests that have none."""
    with start_blocking_portal() as portal, portal.wrap_async_context_manager(wild.serving()):
        yield wild


@contextmanager
def slow_line(url: str, *, piece: int = 240, pause: float = 0.01) -> Iterator[str]:
    """The same server at the far end of a line that brings its answers in pieces of so many bytes."""
    host, _, port = url.removeprefix("http://").partition(":")

    async def bring(source: asyncio.StreamReader, target: asyncio.StreamWriter, most: int, rest: float) -> None:
        with suppress(ConnectionError):
            while data := await source.read(most):
                target.write(data)
                await target.drain()
                await asyncio.sleep(rest)
        target.close()

    async def join(near: asyncio.StreamReader, back: asyncio.StreamWriter) -> None:
        far, there = await asyncio.open_connection(host, int(port))
        await asyncio.gather(bring(near, there, 65536, 0), bring(far, back, piece, pause))

    @asynccontextmanager
    async def laid() -> AsyncIterator[str]:
        server = await asyncio.start_server(join, "127.0.0.1", 0)
        yield f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}"
        server.close()

    with start_blocking_portal() as portal, portal.wrap_async_context_manager(laid()) as here:
        yield here


async def read_request(reader: asyncio.StreamReader) -> Asked:
    head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
    headers = {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in head[1:] if line)}
    body = await reader.readexactly(int(headers.get("content-length", 0)))
    return Asked(head[0].split()[1], headers, json.loads(body) if body else {})


async def _play(steps: list[Step], writer: asyncio.StreamWriter) -> None:
    for step in steps:
        if isinstance(step, bytes):
            writer.write(step)
            await writer.drain()
        elif isinstance(step, asyncio.Event):
            await step.wait()
        elif isinstance(step, int | float):
            await asyncio.sleep(step)
        else:
            await step()


def answer(status: int, body: bytes, kind: str = "application/json", **headers: str) -> bytes:
    """A whole HTTP answer. Header names are written with `_` for `-`."""
    lines = [f"HTTP/1.1 {status} X", f"content-type: {kind}", f"content-length: {len(body)}", "connection: close"]
    lines += [f"{name.replace('_', '-')}: {value}" for name, value in headers.items()]
    return "\r\n".join(lines).encode() + b"\r\n\r\n" + body


def fault(status: int, body: object, **headers: str) -> list[Step]:
    return [answer(status, json.dumps(body).encode(), **headers)]


STREAM = (
    b"HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ntransfer-encoding: chunked\r\nconnection: close\r\n\r\n"
)
END = b"0\r\n\r\n"


def chunk(data: bytes) -> bytes:
    """One chunk on the line; a body that ends without `END` has been cut off."""
    return f"{len(data):x}\r\n".encode() + data + b"\r\n"


def event(data: object, name: str = "") -> bytes:
    """One server-sent event."""
    head = f"event: {name}\n" if name else ""
    text = data if isinstance(data, str) else json.dumps(data, ensure_ascii=False)
    return f"{head}data: {text}\n\n".encode()


def openai_piece(text: str = "", *, finish: str | None = None, **delta: object) -> bytes:
    choice = {"index": 0, "delta": ({"content": text} if text else {}) | delta, "finish_reason": finish}
    return event({"id": "c1", "object": "chat.completion.chunk", "model": "wild", "choices": [choice]})


def openai_stream(*pieces: str, finish: str | None = "stop", done: bool = True) -> list[Step]:
    """A well-behaved reply."""
    body = b"".join(map(openai_piece, pieces)) + openai_piece(finish=finish)
    return [STREAM, chunk(body + (event("[DONE]") if done else b"")), END]


def openai_calls(*calls: tuple[str, str], text: str = "", finish: str = "tool_calls") -> list[Step]:
    """An answer that calls tools, each a name and its arguments, which come in two pieces."""
    body = openai_piece(text) if text else b""
    for index, (name, arguments) in enumerate(calls):
        half = len(arguments) // 2
        begun = {"name": name, "arguments": arguments[:half]}
        named = {"index": index, "id": f"call_{index}", "type": "function", "function": begun}
        body += openai_piece(tool_calls=[named])
        body += openai_piece(tool_calls=[{"index": index, "function": {"arguments": arguments[half:]}}])
    return [STREAM, chunk(body + openai_piece(finish=finish) + event("[DONE]")), END]


def anthropic_start(input_tokens: int = 12) -> bytes:
    usage = {"input_tokens": input_tokens, "output_tokens": 1, "cache_read_input_tokens": 4}
    message = {"id": "m1", "type": "message", "role": "assistant", "model": "wild", "content": [], "usage": usage}
    block = {"type": "content_block_start", "index": 0, "content_block": {"type": "text", "text": ""}}
    return event({"type": "message_start", "message": message}, "message_start") + event(block, "content_block_start")


def anthropic_piece(text: str) -> bytes:
    delta = {"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": text}}
    return event(delta, "content_block_delta")


def anthropic_end(reason: str = "end_turn") -> bytes:
    last = {"type": "message_delta", "delta": {"stop_reason": reason}, "usage": {"output_tokens": 7}}
    return (
        event({"type": "content_block_stop", "index": 0}, "content_block_stop")
        + event(last, "message_delta")
        + event({"type": "message_stop"}, "message_stop")
    )


def anthropic_stream(*pieces: str, reason: str = "end_turn") -> list[Step]:
    body = anthropic_start() + b"".join(map(anthropic_piece, pieces)) + anthropic_end(reason)
    return [STREAM, chunk(body), END]


def anthropic_calls(*calls: tuple[str, str], text: str = "Hm. ") -> list[Step]:
    """An answer that says something and calls tools, each a name and its arguments, which come in two pieces."""
    body = anthropic_start() + anthropic_piece(text)
    for index, (name, arguments) in enumerate(calls, 1):
        half = len(arguments) // 2
        block = {"type": "tool_use", "id": f"toolu_{index}", "name": name, "input": {}}
        start = {"type": "content_block_start", "index": index, "content_block": block}
        body += event(start, "content_block_start")
        for piece in (arguments[:half], arguments[half:]):
            delta = {"type": "input_json_delta", "partial_json": piece}
            body += event({"type": "content_block_delta", "index": index, "delta": delta}, "content_block_delta")
        body += event({"type": "content_block_stop", "index": index}, "content_block_stop")
    return [STREAM, chunk(body + anthropic_end("tool_use")), END]


def google_calls(*calls: tuple[str, dict[str, object]], signature: str = "") -> list[Step]:
    """An answer that calls tools; Google sends the arguments whole, and newer models sign them."""
    signed = {"thoughtSignature": signature} if signature else {}
    parts = [{"functionCall": {"name": name, "args": arguments}} | signed for name, arguments in calls]
    candidate = {"index": 0, "content": {"role": "model", "parts": parts}, "finishReason": "STOP"}
    return [STREAM, chunk(event({"candidates": [candidate], "modelVersion": "wild"})), END]


def google_piece(text: str = "", *, finish: str = "") -> bytes:
    candidate: dict[str, object] = {"index": 0, "content": {"role": "model", "parts": [{"text": text}]}}
    if finish:
        candidate["finishReason"] = finish
    usage = {"promptTokenCount": 9, "candidatesTokenCount": 5, "totalTokenCount": 14}
    return event({"candidates": [candidate], "usageMetadata": usage, "modelVersion": "wild"})


def google_stream(*pieces: str, finish: str = "STOP") -> list[Step]:
    return [STREAM, chunk(b"".join(map(google_piece, pieces)) + google_piece(finish=finish)), END]


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@contextmanager
def katan(**options: object) -> Iterator[str]:
    """llm-katan with its echo backend on a free port; gives its address, without a path.

    Options are those of its command line with `_` for `-`: `katan(error_rate=0.5, providers="openai,anthropic")`.
    """
    port = free_port()
    command = [str(Path(sys.executable).with_name("llm-katan")), "--model", "echo", "--backend", "echo"]
    command += ["--host", "127.0.0.1", "--port", str(port), "--disable-dashboard", "--stats-file", "/dev/null"]
    for name, value in options.items():
        command += [f"--{name.replace('_', '-')}"] + ([] if value is True else [str(value)])
    process = Popen(command, stdout=DEVNULL, stderr=DEVNULL)
    try:
        _wait_for(port, process)
        yield f"http://127.0.0.1:{port}"
    finally:
        process.terminate()
        process.wait()


def _wait_for(port: int, process: Popen[bytes], seconds: float = 60) -> None:
    end = monotonic() + seconds
    while monotonic() < end and process.poll() is None:
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                return
        sleep(0.05)
    raise RuntimeError("llm-katan did not start")
