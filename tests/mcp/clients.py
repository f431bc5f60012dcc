"""Other agents for tests: the SDK's own client, in this process, over the standard streams, or over HTTP."""

from __future__ import annotations

import asyncio
import json
import os
import re
import sys
from asyncio.subprocess import DEVNULL, PIPE
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import httpx2
from mcp import Client
from mcp.client.stdio import StdioServerParameters, stdio_client
from mcp.client.streamable_http import streamable_http_client

from liyuan.mcp.server import context_server
from liyuan.settings import Settings
from tests.house.repository import ROOT

LIYUAN = [sys.executable, "-m", "liyuan.cli"]


class Agent:
    """One connected client. `ask` is for what should succeed, `refusal` for what should not."""

    def __init__(self, client: Client) -> None:
        self.client = client

    async def ask(self, tool: str, /, **given: Any) -> dict[str, Any]:
        """Arguments are named as they are; `from_` stands for `from`."""
        done = await self.client.call_tool(tool, _named(given))
        assert not done.is_error, done.content
        return dict(done.structured_content or {})

    async def refusal(self, tool: str, /, **given: Any) -> dict[str, Any]:
        done = await self.client.call_tool(tool, _named(given))
        assert done.is_error, done.content
        return dict(done.structured_content or {})

    async def tell(self, conversation: str, *texts: str, leaf: str | None = None) -> list[str]:
        """Appends messages, the user's and the assistant's in turn; their ids."""
        told: list[str] = []
        for number, text in enumerate(texts):
            role = "assistant" if number % 2 else "user"
            done = await self.ask("message_append", conversation=conversation, role=role, text=text, expected_leaf=leaf)
            leaf = done["leaf"]
            told.append(done["leaf"])
        return told


def _named(given: Mapping[str, Any]) -> dict[str, Any]:
    return {name.rstrip("_"): value for name, value in given.items()}


@asynccontextmanager
async def beside(folder: Path, conversation: Any = None) -> AsyncIterator[Agent]:
    """An agent in this process."""
    settings = Settings(data_dir=folder, _env_file=None)
    async with Client(context_server(settings, conversation)) as client:
        yield Agent(client)


@asynccontextmanager
async def over_stdio(folder: Path, *words: str, mode: str = "auto") -> AsyncIterator[Agent]:
    """An agent that starts `liyuan mcp` for itself."""
    command, *first = LIYUAN
    env = {"LIYUAN_DATA_DIR": str(folder), "PYTHONPATH": str(ROOT)}
    started = StdioServerParameters(command=command, args=[*first, "mcp", *words], env=env, cwd=folder.parent)
    async with Client(stdio_client(started), mode=mode) as client:
        yield Agent(client)


async def spoken_to(folder: Path, *lines: str) -> list[dict[str, Any]]:
    """What `liyuan mcp` answers to these lines on its standard input, as many answers as lines."""
    env = {**os.environ, "LIYUAN_DATA_DIR": str(folder), "PYTHONPATH": str(ROOT)}
    process = await asyncio.create_subprocess_exec(
        *LIYUAN, "mcp", cwd=folder.parent, env=env, stdin=PIPE, stdout=PIPE, stderr=DEVNULL
    )
    assert process.stdin is not None
    assert process.stdout is not None
    process.stdin.write("".join(f"{line}\n" for line in lines).encode())
    answers = [json.loads(await process.stdout.readline()) for _ in lines]
    process.stdin.close()
    await process.wait()
    return answers


@asynccontextmanager
async def over_http(address: str, *, mode: str = "auto", **headers: str) -> AsyncIterator[Agent]:
    """An agent that calls an address, with these headers."""
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    async with (
        httpx2.AsyncClient(headers=named, timeout=30) as line,
        Client(streamable_http_client(address, http_client=line), mode=mode) as client,
    ):
        yield Agent(client)


@asynccontextmanager
async def started(folder: Path, *words: str, **env: str) -> AsyncIterator[str]:
    """A command that listens, in a process of its own; what it says its address is."""
    clean = {name: value for name, value in os.environ.items() if not name.startswith("LIYUAN_")}
    told = {**clean, "LIYUAN_DATA_DIR": str(folder), "PYTHONPATH": str(ROOT), "PYTHONUNBUFFERED": "1", **env}
    process = await asyncio.create_subprocess_exec(
        *LIYUAN, *words, cwd=folder.parent, env=told, stdout=PIPE, stderr=DEVNULL
    )
    assert process.stdout is not None
    try:
        line = (await process.stdout.readline()).decode()
        where = re.search(r"http://\S+", line)
        assert where, line
        yield where[0]
    finally:
        process.terminate()
        await process.wait()
