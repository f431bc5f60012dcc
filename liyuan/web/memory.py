"""The Memory panel: what the last reply was told and why, what this branch remembers, and how far the index is."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, ClassVar, Final

from fastapi import Request
from sqlalchemy import Connection

from liyuan.domain.entry import ConversationId, EntryId
from liyuan.domain.recall import Hit, Memory
from liyuan.play.knowledge import load_knowledge
from liyuan.play.memories import load_account, load_index, load_remembered
from liyuan.play.recall import search, search_documents
from liyuan.store.conversations import Conversation, load_conversation
from liyuan.store.documents import Document
from liyuan.store.indexing import Progress
from liyuan.store.stretches import entry_at, stretches
from liyuan.store.tree import load_entry
from liyuan.web.redraw import resources_of
from liyuan.web.render import View
from liyuan.web.speech import language_of, slot_of
from liyuan.web.story import address_of

#: Hits of a search, and passages.
FOUND: Final = 8


@dataclass(frozen=True, slots=True, kw_only=True)
class Told:
    """A memory as a line. `likeness` is of 100, None where meanings were not compared; `place` leads to the message.

    A passage of a document has a `title` in place of a turn and a way.
    """

    id: int
    text: str
    lang: str
    turn: int = 0
    title: str = ""
    likeness: int | None = None
    words: tuple[str, ...] = ()
    mark: str = ""
    place: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Remembered:
    """All that the panel tells. `query` is None where nothing was searched for; `model` None where only words count."""

    address: str
    has_character: bool
    has_reply: bool = False
    told: tuple[Told, ...] = ()
    trouble: str = ""
    query: str | None = None
    found: tuple[Told, ...] = ()
    search_trouble: str = ""
    total: int = 0
    has_meanings: bool = True
    progress: Progress = field(default_factory=lambda: Progress(0, 0))
    documents: tuple[Document, ...] = ()


@dataclass(frozen=True)
class MemoryView(View):
    """The panel."""

    template: ClassVar[str] = "memory/_memory.html"
    memory: Remembered


async def draw(request: Request, story_id: ConversationId) -> MemoryView:
    """What stands below the tab."""
    return MemoryView(await read_memory(request, story_id))


async def read_memory(request: Request, story_id: ConversationId, query: str | None = None) -> Remembered:
    """All of the panel at the active leaf; with `query`, what was found by it on this branch and in documents."""
    resources = resources_of(request)
    story = await resources.database.read(load_conversation, story_id)
    hits: list[Hit] = []
    trouble = ""
    if query and query.strip() and story.leaf_id:
        hits, trouble = await search(resources, story_id, story.leaf_id, query, k=FOUND)
        passages, more = await search_documents(resources, story_id, story.card_id, query, k=FOUND // 2)
        hits, trouble = sorted([*hits, *passages], key=lambda hit: -hit.score), trouble or more
    return await resources.database.read(_look, story, resources.memory.model, query, hits, trouble)


def _look(
    connection: Connection,
    story: Conversation,
    model: str | None,
    query: str | None,
    hits: list[Hit],
    trouble: str,
) -> Remembered:
    account = load_account(connection, story.leaf_id)
    return Remembered(
        address=address_of(story.id),
        has_character=story.card_id is not None,
        has_reply=account.reply_id is not None,
        told=tuple(_told(connection, story, memory, **_why(kept)) for memory, kept in account.told),
        trouble=account.trouble,
        query=query,
        found=tuple(
            _told(connection, story, hit.memory, likeness=_of_100(hit.likeness), words=hit.words) for hit in hits
        ),
        search_trouble=trouble,
        total=load_remembered(connection, story.id, story.leaf_id, 1)[1],
        has_meanings=model is not None,
        progress=load_index(connection, story.id, model),
        documents=tuple(load_knowledge(connection, story.id)),
    )


def _why(kept: dict[str, Any]) -> dict[str, Any]:
    return {"likeness": _of_100(kept.get("likeness")), "words": tuple(kept.get("words") or ())}


def _of_100(likeness: float | None) -> int | None:
    return None if likeness is None else round(100 * likeness)


def _told(
    connection: Connection, story: Conversation, memory: Memory, *, likeness: int | None, words: tuple[str, ...]
) -> Told:
    return Told(
        id=memory.id,
        text=memory.text,
        lang=language_of(memory.text),
        turn=memory.turn,
        title=memory.title,
        likeness=likeness,
        words=words,
        mark=memory.mark,
        place=_place(connection, story, memory.subject_id) if memory.subject_id else "",
    )


def _place(connection: Connection, story: Conversation, message_id: EntryId) -> str:
    """The address of the page that shows a message of the active branch, and the message on it."""
    message = load_entry(connection, story.id, message_id)
    slot = slot_of(message.parent_id)
    leaf = load_entry(connection, story.id, story.leaf_id).place if story.leaf_id else None
    below = entry_at(connection, stretches(connection, leaf), message.depth + 1) if leaf else None
    return f"{address_of(story.id)}?before={below}#{slot}" if below else f"{address_of(story.id)}#{slot}"
