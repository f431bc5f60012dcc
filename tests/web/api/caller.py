"""A program at the JSON API, and a listener to its streams who can leave in the middle."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any

import httpx
from fastapi import FastAPI

from liyuan.domain.entry import ConversationId
from liyuan.model.scripted import ScriptedModel
from liyuan.resources import Resources
from tests.tale import card

ROOT = "/api/v1"
JSON = ("application/json", "application/problem+json")
STREAM = {"Accept": "text/event-stream"}


@dataclass(frozen=True)
class Event:
    """One server-sent event, its data parsed."""

    name: str
    data: Any
    id: str | None = None


def parse_events(text: str) -> list[Event]:
    return [event for block in text.split("\n\n") if (event := _parse(block))]


def _parse(block: str) -> Event | None:
    fields = dict(line.split(": ", 1) for line in block.splitlines() if not line.startswith(":"))
    return Event(fields["event"], json.loads(fields["data"]), fields.get("id")) if fields else None


class Caller:
    """Speaks JSON, remembers the conversation it opened, and says what the answer must be."""

    def __init__(self, client: httpx.AsyncClient, app: FastAPI, model: ScriptedModel) -> None:
        self.client = client
        self.app = app
        self.model = model
        self.id = ConversationId("")

    @property
    def resources(self) -> Resources:
        resources: Resources = self.app.state.resources
        return resources

    @property
    def here(self) -> str:
        return f"/conversations/{self.id}"

    async def call(self, method: str, path: str, status: int = 200, **options: Any) -> Any:
        """The JSON of an answer that has this status; an answer of another type as it is."""
        answer = await self.client.request(method, ROOT + path, **options)
        assert answer.status_code == status, answer.text
        if status >= 400:
            assert answer.headers["content-type"] == "application/problem+json"
            assert answer.json()["status"] == status
        return answer.json() if answer.headers.get("content-type", "").partition(";")[0] in JSON else answer

    async def read(self, path: str, status: int = 200, **query: Any) -> Any:
        return await self.call("GET", path, status, params=query)

    async def act(self, path: str, status: int = 200, **body: Any) -> Any:
        return await self.call("POST", path, status, json=body)

    async def open(self, *greetings: str) -> Any:
        """A story with a character of these greetings, by the API alone."""
        raw = json.dumps(card(greetings=greetings or ("Good evening.",)))
        added = await self.call("POST", "/cards", 201, files={"file": ("ash.json", raw)})
        opened = await self.act("/conversations", 201, card_id=added["id"])
        self.id = ConversationId(opened["id"])
        return opened

    async def leaf(self) -> str | None:
        leaf: str | None = (await self.read(self.here))["leaf_id"]
        return leaf

    async def guarded(self, path: str, status: int = 200, **body: Any) -> Any:
        """An act in the conversation, with the present leaf unless told otherwise."""
        return await self.act(self.here + path, status, **{"expected_leaf": await self.leaf(), **body})

    async def say(self, text: str, reply: Any, status: int = 201) -> Any:
        self.model.enqueue(reply)
        return await self.guarded("/turns", status, text=text)

    async def texts(self, **query: Any) -> list[str]:
        branch = await self.read(f"{self.here}/branch", **query)
        return [item["text"] for item in branch["items"] if item["kind"] == "message"]


@asynccontextmanager
async def listening(
    app: FastAPI, path: str, *, method: str = "GET", body: Any = None, headers: dict[str, str] | None = None
) -> AsyncIterator[AsyncIterator[Event]]:
    """The events of a stream as they come. Leaving the block is the client going away."""
    chunks: asyncio.Queue[bytes] = asyncio.Queue()
    gone = asyncio.Event()
    sent = [{"type": "http.request", "body": json.dumps(body).encode() if body is not None else b""}]

    async def receive() -> Any:
        if sent:
            return sent.pop()
        await gone.wait()
        return {"type": "http.disconnect"}

    async def send(message: Any) -> None:
        if message["type"] == "http.response.start":
            assert message["status"] == 200, message
        chunks.put_nowait(message.get("body", b""))

    fields = {"host": "127.0.0.1:7620", "content-type": "application/json", **STREAM, **(headers or {})}
    scope = {
        "type": "http",
        "asgi": {"version": "3.0", "spec_version": "2.3"},
        "http_version": "1.1",
        "method": method,
        "path": ROOT + path,
        "raw_path": (ROOT + path).encode(),
        "query_string": b"",
        "root_path": "",
        "scheme": "http",
        "headers": [(name.lower().encode(), value.encode()) for name, value in fields.items()],
        "client": ("127.0.0.1", 1),
        "server": ("127.0.0.1", 7620),
    }
    serving = asyncio.create_task(app(scope, receive, send))
    try:
        async with asyncio.timeout(10):
            yield _events(chunks)
    finally:
        gone.set()
        await asyncio.wait_for(serving, 10)


async def _events(chunks: asyncio.Queue[bytes]) -> AsyncIterator[Event]:
    text = ""
    while True:
        text += (await chunks.get()).decode()
        *whole, text = text.split("\n\n")
        for event in parse_events("\n\n".join(whole)):
            yield event
