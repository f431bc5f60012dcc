"""A story to play in tests: one line an act, through the same functions that the page and the API call."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, func, select

from liyuan.domain.entry import ConversationId, EntryId
from liyuan.memory.recall import Memory
from liyuan.model.chat import ChatModel
from liyuan.model.scripted import ScriptedModel
from liyuan.play import edits, opening, swipe, travel, turn
from liyuan.resources import Resources, Worker, open_resources
from liyuan.settings import Settings
from liyuan.stage import Ended, Performance
from liyuan.store.branch import Shown, active_leaf, load_page
from liyuan.store.conversations import Conversation
from liyuan.store.library import add_card
from liyuan.store.tables import entries
from liyuan.store.verify import Fault, verify

MOST = 1000


def card(name: str = "Ash", greetings: tuple[str, ...] = ("Good evening.",), **fields: Any) -> dict[str, Any]:
    """The JSON of a small V3 card."""
    first, *more = greetings or ("",)
    data = {"name": name, "first_mes": first, "alternate_greetings": more, "description": f"{name} keeps an inn."}
    return {"spec": "chara_card_v3", "spec_version": "3.0", "data": {**data, **fields}}


class Tale:
    """One conversation and whoever plays it. Every act answers the entry or the leaf it led to."""

    def __init__(self, resources: Resources, model: ScriptedModel, conversation: Conversation) -> None:
        self.resources = resources
        self.model = model
        self.id: ConversationId = conversation.id

    async def leaf(self) -> EntryId | None:
        return await self.resources.database.read(active_leaf, self.id)

    async def items(self, leaf: EntryId | None = None) -> tuple[Shown, ...]:
        page = await self.resources.database.read(load_page, self.id, leaf, limit=MOST)
        return page.items

    async def shown(self) -> list[str]:
        """The texts on the active branch, as they stand."""
        return [item.text for item in await self.items() if item.entry.kind == "message"]

    async def counter(self, entry_id: EntryId) -> str:
        """What stands beside a message: "2/3"."""
        item = next(item for item in await self.items() if item.id == entry_id)
        assert item.variants is not None
        return f"{item.variants.index + 1}/{item.variants.total}"

    async def begin(self, text: str) -> Performance:
        return await self.begin_at(text, await self.leaf())

    async def begin_at(self, text: str, shown_leaf: EntryId | None) -> Performance:
        """Says something from a page that shows this leaf."""
        return await turn.hear(self.resources, self.id, text, expected_leaf=shown_leaf)

    async def say(self, text: str, *, reply: Any = None) -> EntryId:
        """Says something and hears the reply out; answers the reply's id."""
        if reply is not None:
            self.model.enqueue(reply)
        return self._reply(await (await self.begin(text)).ended())

    async def swipe(self, entry_id: EntryId, *, reply: Any = None) -> EntryId:
        if reply is not None:
            self.model.enqueue(reply)
        leaf = await self.leaf()
        performance = await swipe.another(self.resources, self.id, entry_id, expected_leaf=leaf)
        return self._reply(await performance.ended())

    async def choose(self, entry_id: EntryId) -> EntryId | None:
        leaf = await self.leaf()
        return (await swipe.choose(self.resources, self.id, entry_id, expected_leaf=leaf)).leaf_id

    async def go(self, entry_id: EntryId) -> EntryId | None:
        return (await travel.move(self.resources, self.id, entry_id, expected_leaf=await self.leaf())).leaf_id

    async def edit(self, entry_id: EntryId, text: str, mode: Any = "branch") -> Shown:
        leaf = await self.leaf()
        return await edits.edit(self.resources, self.id, entry_id, text, mode=mode, expected_leaf=leaf)

    async def prune(self, entry_id: EntryId) -> EntryId | None:
        return (await edits.prune(self.resources, self.id, entry_id, expected_leaf=await self.leaf())).leaf_id

    async def count(self) -> int:
        """How many entries the conversation has, on all branches."""
        return await self.resources.database.read(_count, self.id)

    async def faults(self) -> list[Fault]:
        return await self.resources.database.read(lambda connection: list(verify(connection, self.id)))

    @staticmethod
    def _reply(ended: Ended) -> EntryId:
        assert ended.entry is not None
        return ended.entry.id


def _count(connection: Connection, conversation_id: ConversationId) -> int:
    statement = select(func.count()).select_from(entries).where(entries.c.conversation_id == conversation_id)
    return connection.execute(statement).scalar_one()


@asynccontextmanager
async def theatre(
    folder: Path,
    model: ChatModel | None = None,
    *,
    worker: Worker | None = None,
    memory: Memory | None = None,
    **settings: Any,
) -> AsyncIterator[Resources]:
    """Everything open on a folder of its own, with a scripted model unless told otherwise."""
    made = Settings(data_dir=folder, _env_file=None, **{"settle_wait": 0, "embeddings": "off", **settings})
    async with open_resources(made, model=model or ScriptedModel(), worker=worker, memory=memory) as resources:
        yield resources


async def new_tale(resources: Resources, model: ScriptedModel, greetings: tuple[str, ...] = ("Good evening.",)) -> Tale:
    """A story with a character of these greetings, at its first one."""
    raw = card(greetings=greetings)
    row = await resources.database.write(add_card, "Ash", raw)
    return Tale(resources, model, await opening.open_story(resources, card_id=row.id))
