"""A reader whose server may be killed at any moment, and who then looks at what is left."""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
from collections.abc import Mapping
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx
from sqlalchemy import select

from benchmarks.workbench.house import House, start, wait_for_page
from liyuan.domain.entry import ConversationId, Entry
from liyuan.store.codec import ENTRY_COLUMNS, entry_from
from liyuan.store.database import Database
from liyuan.store.library import keep_preferences
from liyuan.store.performances import load_performances
from liyuan.store.tables import entries
from liyuan.store.verify import Fault, verify
from tests.kill.teller import Teller


@dataclass(frozen=True)
class Wish:
    """An act as it is sent."""

    path: str
    body: dict[str, Any]


@dataclass
class Heard:
    """What the server told before it fell silent: the entries it vouched for, and the words of the reply."""

    user: dict[str, Any] | None = None
    reply: dict[str, Any] | None = None
    words: list[str] = field(default_factory=list)


class Reader:
    """Plays one story on a server of its own, over HTTP, and looks into its database from outside."""

    def __init__(self, folder: Path, teller: Teller) -> None:
        self._folder = folder
        self.teller = teller
        self.house: House
        self.story = ConversationId("")

    # --- the server ----------------------------------------------------------------------------------------------

    async def open(self) -> None:
        self.house = await asyncio.to_thread(
            start,
            self._folder,
            model_base_url=self.teller.url,
            model_name="story",
            scribe_model_name="scribe",
            summary_model_name="scribe",
            embeddings="off",
            settle_wait=0,
        )
        await asyncio.to_thread(wait_for_page, self.house, "/readyz")

    async def kill(self) -> None:
        self.house.process.kill()
        await asyncio.to_thread(self.house.process.wait)

    async def end(self) -> int:
        """Asks the server to end, as a supervisor does. Answers its exit code."""
        self.house.process.terminate()
        return await asyncio.to_thread(self.house.process.wait)

    # --- over HTTP -----------------------------------------------------------------------------------------------

    async def begin(self) -> None:
        self.story = ConversationId((await self._call("POST", "/api/v1/conversations", {}))["id"])

    async def say(self, text: str) -> Heard:
        return await self.hear(await self.wish("say", text))

    async def wish(self, act: str, text: str) -> Wish:
        """What to send for an act: to say `text`, to swipe the last reply, or to let it go on."""
        guard = {"expected_leaf": (await self._call("GET", self._base))["leaf_id"]}
        if act == "say":
            return Wish(f"{self._base}/turns", {"text": text, **guard})
        if act == "swipe":
            return Wish(f"{self._base}/entries/{(await self.last())['id']}/variants", guard)
        return Wish(f"{self._base}/continue", guard)

    async def status(self) -> str:
        return str((await self._call("GET", self._base))["status"])

    async def shown(self) -> list[dict[str, Any]]:
        """The active branch."""
        items: list[dict[str, Any]] = (await self._call("GET", f"{self._base}/branch"))["items"]
        return items

    async def last(self) -> dict[str, Any]:
        """The last message shown."""
        return [item for item in await self.shown() if item["kind"] == "message"][-1]

    @property
    def _base(self) -> str:
        return f"/api/v1/conversations/{self.story}"

    async def _call(self, method: str, path: str, body: object = None) -> Any:
        async with self._client() as client:
            answer = await client.request(method, path, json=body)
            assert answer.is_success, answer.text
            return answer.json()

    async def hear(self, wish: Wish) -> Heard:
        """Sends a wish and hears the answer out, or until the server is gone."""
        heard, name = Heard(), ""
        headers = {"accept": "text/event-stream"}
        try:
            async with (
                self._client() as client,
                client.stream("POST", wish.path, json=wish.body, headers=headers) as told,
            ):
                async for line in told.aiter_lines():
                    kind, _, value = line.partition(": ")
                    name = value if kind == "event" else name
                    if kind == "data":
                        note(heard, name, json.loads(value))
        except httpx.TransportError:
            pass
        return heard

    def _client(self) -> httpx.AsyncClient:
        return httpx.AsyncClient(base_url=f"http://127.0.0.1:{self.house.port}", timeout=60)

    async def prefer(self, **chosen: Any) -> None:
        """Sets preferences, past the server."""
        with closing(self._database()) as database:
            await database.write(keep_preferences, **chosen)

    # --- from outside --------------------------------------------------------------------------------------------

    def entries(self) -> dict[str, Entry]:
        """Everything in the story, in the order it was made."""
        wanted = select(*ENTRY_COLUMNS).where(entries.c.conversation_id == self.story).order_by(entries.c.seq)
        with closing(self._database()) as database, database.reading_now() as connection:
            return {entry.id: entry for entry in map(entry_from, connection.execute(wanted))}

    def flushed(self) -> str | None:
        """What the database holds of a reply that is on its way; None when none is."""
        with closing(self._database()) as database, database.reading_now() as connection:
            return next((one.text for one in load_performances(connection)), None)

    def faults(self) -> list[Fault]:
        with closing(self._database()) as database, database.reading_now() as connection:
            return list(verify(connection))

    def verify_command(self) -> subprocess.CompletedProcess[str]:
        environment = {"LIYUAN_DATA_DIR": str(self._folder)}
        command = [sys.executable, "-m", "liyuan.cli", "verify"]
        return subprocess.run(command, env=environment, capture_output=True, text=True, check=False)

    def _database(self) -> Database:
        return Database(f"sqlite:///{self._folder / 'liyuan.sqlite3'}")


def note(heard: Heard, name: str, data: Mapping[str, Any]) -> None:
    if name == "user":
        heard.user = dict(data)
    elif name == "delta":
        heard.words.append(data["text"])
    elif name == "tool":
        heard.words.clear()
    elif name == "reply":
        heard.reply = dict(data)
    else:
        raise AssertionError((name, data))
