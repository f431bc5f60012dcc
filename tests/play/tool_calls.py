"""What the tests of the model's own tools share: calls as a model makes them, and what came of them."""

from __future__ import annotations

import json
from typing import Any

from liyuan.domain.entry import EntryId
from liyuan.model.chat import Request, ToolCall
from liyuan.play.context import tag
from liyuan.store.branch import Shown
from liyuan.store.library import keep_preferences
from liyuan.store.tags import load_tags
from tests.tale import Tale


def call(name: str, /, **arguments: Any) -> ToolCall:
    return ToolCall(id=f"call-{name}", name=f"context_{name}", arguments=json.dumps(arguments))


def check_out(target: str, message: str = "The cellar holds a key.", **more: Any) -> ToolCall:
    return call("checkout", target=target, message=message, **more)


async def offer(tale: Tale, *, on: bool = True) -> None:
    await tale.resources.database.write(keep_preferences, context_tools=on)


async def tags(tale: Tale) -> dict[str, EntryId]:
    return await tale.resources.database.read(load_tags, tale.id)


async def shown(tale: Tale, entry_id: EntryId) -> Shown:
    return next(item for item in await tale.items() if item.id == entry_id)


async def uses(tale: Tale, entry_id: EntryId) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = (await shown(tale, entry_id)).entry.data.get("tools", [])
    return found


async def kinds(tale: Tale) -> list[str]:
    return [item.entry.role or item.entry.kind for item in await tale.items()]


def answers(request: Request) -> list[str]:
    return [answer for exchange in request.exchanges for answer in exchange.answers]


def prompt(request: Request) -> str:
    return "\n".join(message.text for message in request.messages)


async def digress(tale: Tale) -> EntryId:
    """A digression of one turn, and a turn whose reply files it away; answers that reply."""
    await tag(tale.resources, tale.id, "before", await tale.leaf())
    await tale.say("Let us search the cellar.", reply="Dust and a SECRET-DOOR.")
    return await filed(tale)


async def filed(tale: Tale, words: str = "Back upstairs.") -> EntryId:
    tale.model.enqueue([check_out("before")], "The stairs creak.")
    return await tale.say(words)
