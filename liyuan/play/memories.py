"""A story's memory in the reader's hands: looking through it, pinning, hiding, having it indexed anew."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection

from liyuan.domain.entry import ConversationId, EntryId
from liyuan.domain.recall import Memory
from liyuan.resources import Resources
from liyuan.store.branch import active_leaf, load_path
from liyuan.store.conversations import load_conversation
from liyuan.store.indexing import Progress, load_progress, order, unmark_embedded
from liyuan.store.memories import Mark, load_memories, mark, story_shelf
from liyuan.store.recall import count_path, load_latest

# Entries looked through, from the leaf upwards, for the last reply.
NEAR = 20


@dataclass(frozen=True, slots=True, kw_only=True)
class Account:
    """What the last reply on a path was told by memory: memories by number with the reasons kept then, and trouble."""

    reply_id: EntryId | None = None
    told: tuple[tuple[Memory, dict[str, Any]], ...] = ()
    trouble: str = ""


def load_account(connection: Connection, leaf: EntryId | None) -> Account:
    """What the reply nearest to a leaf was told. A memory that was erased since is left out."""
    for entry in reversed(load_path(connection, leaf, most=NEAR)):
        if entry.is_reply or entry.data.get("continued"):
            kept = entry.data.get("recalled")
            why = {one["memory_id"]: one for one in kept} if isinstance(kept, list) else {}
            found = load_memories(connection, why)
            return Account(
                reply_id=entry.id,
                told=tuple((found[key], why[key]) for key in why if key in found),
                trouble=str(entry.data.get("memory_trouble", "")),
            )
    return Account()


def load_index(connection: Connection, conversation_id: ConversationId, model: str | None) -> Progress:
    """How far the index of a story is. Raises NotFound."""
    load_conversation(connection, conversation_id)
    return load_progress(connection, story_shelf(conversation_id), model)


def load_remembered(
    connection: Connection, conversation_id: ConversationId, leaf: EntryId | None, k: int
) -> tuple[list[Memory], int]:
    """The latest memories on a path, and how many there are on it. Raises NotFound."""
    leaf = leaf or active_leaf(connection, conversation_id)
    if leaf is None:
        return [], 0
    return load_latest(connection, conversation_id, leaf, most=k), count_path(connection, conversation_id, leaf)


async def mark_memory(resources: Resources, conversation_id: ConversationId, memory_id: int, how: Mark) -> None:
    """Pins or hides a memory, or takes the mark away. It holds on every path with that memory. Raises NotFound."""
    await resources.database.read(load_conversation, conversation_id)
    await resources.database.write(mark, story_shelf(conversation_id), memory_id, how)


async def rebuild(resources: Resources, conversation_id: ConversationId) -> None:
    """Has every vector of a story made anew in the background. Raises NotFound."""
    await resources.database.write(_rebuild, conversation_id)


def _rebuild(connection: Connection, conversation_id: ConversationId) -> None:
    load_conversation(connection, conversation_id)
    shelf = story_shelf(conversation_id)
    unmark_embedded(connection, shelf)
    order(connection, shelf)
