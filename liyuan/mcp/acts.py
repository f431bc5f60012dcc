"""What each tool does: arguments that fit its schema in, one call to play or store, a plain answer out.

Every answer about a conversation tells its leaf, which is what the next writer has to name.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import asdict
from typing import Any, TypeAlias

from sqlalchemy import Connection

from liyuan.domain import context_tools, conversation_tools
from liyuan.domain.context_log import log_text, told_by
from liyuan.domain.conversation_tools import PAGE, SHELF
from liyuan.domain.entry import MESSAGE, ConversationId, EntryId
from liyuan.domain.errors import Invalid
from liyuan.play import context
from liyuan.play.dictation import dictate
from liyuan.play.opening import open_story
from liyuan.resources import Resources
from liyuan.store.branch import Page, Shown, active_leaf, load_page
from liyuan.store.climb import is_above
from liyuan.store.conversations import Listed, list_conversations
from liyuan.store.tree import load_entry

Given: TypeAlias = Mapping[str, Any]
Answer: TypeAlias = dict[str, Any]
ShelfAct: TypeAlias = Callable[[Resources, Given], Awaitable[Answer]]
TreeAct: TypeAlias = Callable[[Resources, ConversationId, Given], Awaitable[Answer]]


async def list_shelf(resources: Resources, given: Given) -> Answer:
    found, after = await resources.database.read(
        list_conversations,
        query=given.get("query", ""),
        limit=given.get("limit", SHELF),
        cursor=given.get("cursor"),
    )
    return {"conversations": [_listed(one) for one in found], "next": after}


async def create(resources: Resources, given: Given) -> Answer:
    made = await open_story(resources, title=given["title"])
    return {"conversation": made.id, "title": made.title, "leaf": made.leaf_id}


async def append(resources: Resources, conversation_id: ConversationId, given: Given) -> Answer:
    leaf = given["expected_leaf"]
    entry = await dictate(resources, conversation_id, given["role"], given["text"], expected_leaf=_id(leaf))
    return {"conversation": conversation_id, "leaf": entry.id, "depth": entry.depth}


async def read(resources: Resources, conversation_id: ConversationId, given: Given) -> Answer:
    page, leaf = await resources.database.read(_load_page, conversation_id, given)
    return {
        "conversation": conversation_id,
        "leaf": leaf,
        "entries": [_told(shown) for shown in page.items],
        "prev": page.prev,
    }


def _load_page(connection: Connection, conversation_id: ConversationId, given: Given) -> tuple[Page, EntryId | None]:
    """A page of the branch that was asked for, and the leaf: there the next writer goes on, whatever was read.

    Raises Invalid where the page above does not lie on that branch any more: the conversation has gone elsewhere.
    """
    before = _id(given.get("before"))
    page = load_page(connection, conversation_id, _id(given.get("leaf")), limit=given.get("limit", PAGE), before=before)
    if before and page.leaf_id:
        ends = [load_entry(connection, conversation_id, key) for key in (before, page.leaf_id)]
        if not is_above(connection, *ends):
            raise Invalid(context.NOT_ON_PATH, entry_id=before)
    return page, active_leaf(connection, conversation_id)


async def tag(resources: Resources, conversation_id: ConversationId, given: Given) -> Answer:
    name = given["name"]
    tagged = await context.tag(resources, conversation_id, name, _id(given.get("entry")))
    leaf = await resources.database.read(active_leaf, conversation_id)
    return {"conversation": conversation_id, "tag": name, "entry": tagged, "leaf": leaf}


async def log(resources: Resources, conversation_id: ConversationId, given: Given) -> Answer:
    found = await context.log(
        resources,
        conversation_id,
        limit=given.get("limit", context.LIMIT),
        first=_id(given.get("from")),
        last=_id(given.get("to")),
    )
    dashboard = {**asdict(found.dashboard), "share": round(found.dashboard.share, 3)}
    return {
        "conversation": conversation_id,
        "leaf": found.head,
        "dashboard": dashboard,
        "tags": dict(found.tags),
        "log": log_text(found),
    }


async def checkout(resources: Resources, conversation_id: ConversationId, given: Given) -> Answer:
    leaf = _id(given.get("expected_leaf")) or await resources.database.read(active_leaf, conversation_id)
    done = await context.checkout(
        resources,
        conversation_id,
        given["target"],
        given["message"],
        backup_tag=given.get("backup_tag"),
        expected_leaf=leaf,
    )
    return {
        "conversation": conversation_id,
        "leaf": done.entry_id,
        "target": done.target_id,
        "left": done.from_id,
        "backup_tag": done.backup_tag,
    }


ON_THE_SHELF: Mapping[str, ShelfAct] = {conversation_tools.LIST: list_shelf, conversation_tools.CREATE: create}
IN_A_TREE: Mapping[str, TreeAct] = {
    conversation_tools.APPEND: append,
    conversation_tools.READ: read,
    context_tools.TAG: tag,
    context_tools.LOG: log,
    context_tools.CHECKOUT: checkout,
}


def _id(given: str | None) -> EntryId | None:
    return EntryId(given) if given else None


def _listed(listed: Listed) -> Answer:
    one = listed.conversation
    return {
        "conversation": one.id,
        "title": one.title,
        "leaf": one.leaf_id,
        "turns": one.turns,
        "status": one.status,
        "updated_at": one.updated_at,
        "last_line": listed.last_line,
    }


def _told(shown: Shown) -> Answer:
    """An entry as one reads it: who, what, and for a message left by a checkout, where one was."""
    entry = shown.entry
    told: Answer = {"id": entry.id, "kind": entry.kind, "role": entry.role, "depth": entry.depth}
    told["text"] = shown.text if entry.kind == MESSAGE else told_by(entry)
    if from_id := entry.data.get("from_id"):
        told["from"] = from_id
    return {name: value for name, value in told.items() if value is not None}
