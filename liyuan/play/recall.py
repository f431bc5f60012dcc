"""Recall: what was played and has left the prompt is found again, by meaning and by words, on this path only.

A store or a model that fails costs a question its meanings; its words are still looked for, and the reply says so.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Collection, Iterable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from functools import partial
from typing import Any, Final, TypeAlias

import structlog
from sqlalchemy import Connection

from liyuan.domain.entry import ConversationId, EntryId
from liyuan.domain.recall import Hit, choose, fuse, with_words
from liyuan.domain.terms import telling_terms
from liyuan.memory.recall import Memory as Index
from liyuan.memory.recall import MemoryFailed, Near, StoreFailed, Vector
from liyuan.resources import Resources
from liyuan.store.documents import load_embedded_passages, shelves_of
from liyuan.store.indexing import count_embedded, note_trouble, order
from liyuan.store.memories import load_memories, story_shelf
from liyuan.store.recall import Field, load_field, load_seen
from liyuan.store.words import search_shelf

# Memories and passages that a turn is told at the most, and how many are looked at to choose them.
MEMORIES: Final = 6
PASSAGES: Final = 4
LOOKED_AT: Final = 32
# Up to so many memories on a path are named in the question. Of more, the nearest on the shelf are looked at first.
NAMED: Final = 400
AROUND: Final = 256
# Tokens they may take: a share of the window, up to a limit.
SHARE: Final = 16
LIMIT: Final = 1200
# Seconds that a turn waits for meanings.
WAIT: Final = 5.0

Look: TypeAlias = Callable[[Vector], Awaitable[list[Near]]]

log = structlog.get_logger(__name__)


class StillIndexing(MemoryFailed):
    message = "The memory of this story is being made anew. Until then only words are searched for."


@dataclass(frozen=True, slots=True, kw_only=True)
class Recalled:
    """What a turn is told. `trouble` says why meanings could not be looked for; empty when they could."""

    memories: tuple[Hit, ...] = ()
    passages: tuple[Hit, ...] = ()
    trouble: str = ""

    @property
    def data(self) -> dict[str, Any]:
        """What the reply keeps of it: numbers and reasons, never the words, which may be redacted one day."""
        told = [_told(hit) for hit in (*self.memories, *self.passages)]
        return {"recalled": told, "memory_trouble": self.trouble}


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """A question on its way: its words, and, once there is a need for it, its vector."""

    text: str
    terms: tuple[str, ...]

    @classmethod
    def of(cls, text: str) -> Asked:
        return cls(text=text, terms=tuple(telling_terms(text)))


def budget_of(window: int) -> int:
    """Tokens that memories may take of a window, and as many passages."""
    return min(LIMIT, window // SHARE)


async def recall(
    resources: Resources,
    conversation_id: ConversationId,
    leaf: EntryId,
    card_id: str | None,
    question: str,
    *,
    told: Collection[EntryId],
    budget: int,
    count: Callable[[str], int],
) -> Recalled:
    """What to tell a turn after `leaf`. `told` are the messages that the prompt holds word for word. Never fails."""
    asked = Asked.of(question)
    found, trouble = await _search_story(resources, conversation_id, leaf, asked, told=told)
    passages, more = await _search_documents(resources, conversation_id, card_id, asked)
    return Recalled(
        memories=_in_words(choose(found, budget=budget, most=MEMORIES, count=count, told=told), asked),
        passages=_in_words(choose(passages, budget=budget, most=PASSAGES, count=count), asked),
        trouble=trouble or more,
    )


async def search(
    resources: Resources, conversation_id: ConversationId, leaf: EntryId, query: str, *, k: int
) -> tuple[list[Hit], str]:
    """The `k` memories on the path of `leaf` that answer a query best, and what trouble there was. Raises NotFound."""
    asked = Asked.of(query)
    found, trouble = await _search_story(resources, conversation_id, leaf, asked, most=max(k, LOOKED_AT))
    found.sort(key=lambda hit: (-hit.score, hit.memory.id))
    return list(_in_words([hit for hit in found if hit.score > 0][:k], asked)), trouble


async def search_documents(
    resources: Resources, conversation_id: ConversationId, card_id: str | None, query: str, *, k: int
) -> tuple[list[Hit], str]:
    """The `k` passages of a story's documents that answer a query best, and what trouble there was."""
    asked = Asked.of(query)
    found, trouble = await _search_documents(resources, conversation_id, card_id, asked)
    return list(_in_words(found[:k], asked)), trouble


async def _search_story(
    resources: Resources,
    conversation_id: ConversationId,
    leaf: EntryId,
    asked: Asked,
    *,
    told: Collection[EntryId] = (),
    most: int = LOOKED_AT,
) -> tuple[list[Hit], str]:
    model = resources.memory.model
    where = partial(load_field, conversation_id=conversation_id, leaf_id=leaf, model=model, told=told, most=most)
    field = await resources.database.read(partial(where, asked=asked.terms, few=NAMED))
    if field.is_empty:
        return [], ""
    shelf = story_shelf(conversation_id)

    async def look(vector: Vector) -> list[Near]:
        if not field.is_cut:
            return await _nearest_of(resources, shelf, field.embedded, vector, most)
        seen = partial(load_seen, conversation_id=conversation_id, leaf_id=leaf, model=model or "", told=told)
        near = await _nearest_seen(resources, shelf, seen, vector, most)
        if len(near) == most:
            return near
        whole = await resources.database.read(partial(where, asked=()))
        return await _nearest_of(resources, shelf, whole.embedded, vector, most)

    near, trouble = await _nearest(resources, [look] if field.has_meanings else [], asked, most)
    return await _hits(resources, near, field), trouble


async def _search_documents(
    resources: Resources, conversation_id: ConversationId, card_id: str | None, asked: Asked
) -> tuple[list[Hit], str]:
    shelves = shelves_of(conversation_id, card_id)
    looked = await resources.database.read(_look_into, shelves, resources.memory.model, asked.terms)
    if not any(embedded or worded for _, embedded, worded in looked):
        return [], ""
    looks = [partial(_nearest_of, resources, shelf, ids, most=LOOKED_AT) for shelf, ids, _ in looked if ids]
    near, trouble = await _nearest(resources, looks, asked, LOOKED_AT)
    worded = [seq for _, _, found in looked for seq in found]
    return await _hits(resources, near, Field(worded=worded)), trouble


def _look_into(
    connection: Connection, shelves: Sequence[str], model: str | None, terms: Sequence[str]
) -> list[tuple[str, list[str], list[int]]]:
    return [
        (
            shelf,
            load_embedded_passages(connection, shelf, model) if model else [],
            search_shelf(connection, shelf, terms, most=LOOKED_AT),
        )
        for shelf in shelves
    ]


async def _nearest(resources: Resources, looks: Sequence[Look], asked: Asked, most: int) -> tuple[list[Near], str]:
    """The nearest that these looks find together; none, and why, when meanings cannot be compared."""
    embedder = resources.memory.embedder
    if embedder is None or not asked.text.strip() or not looks:
        return [], ""
    found: list[Near] = []
    try:
        async with asyncio.timeout(WAIT):
            vector = await embedder.query(asked.text)
            for look in looks:
                found += await look(vector)
    except (MemoryFailed, TimeoutError) as error:
        trouble = str(error) if isinstance(error, MemoryFailed) else str(MemoryFailed(reason=f"{WAIT:.0f} s"))
        log.warning("a turn goes on without the meanings of its memory", reason=trouble)
        return [], trouble
    return sorted(found, key=lambda near: (-near.likeness, near.id))[:most], ""


async def _nearest_of(resources: Resources, shelf: str, ids: Sequence[str], vector: Vector, most: int) -> list[Near]:
    """The nearest of exactly these memories."""
    async with _proven(resources, shelf) as memory:
        return await memory.store.nearest(memory.shelf(shelf), vector, ids, min(most, len(ids)))


async def _nearest_seen(
    resources: Resources, shelf: str, seen: Callable[..., set[int]], vector: Vector, most: int
) -> list[Near]:
    """The `most` nearest that may be seen, or fewer where others crowd them out: then there may be more to find."""
    async with _proven(resources, shelf) as memory:
        near = await memory.store.around(memory.shelf(shelf), vector, max(AROUND, 2 * most))
    visible = await resources.database.read(partial(seen, seqs=[one.id for one in near]))
    return [one for one in near if one.id in visible][:most]


@asynccontextmanager
async def _proven(resources: Resources, shelf: str) -> AsyncIterator[Index]:
    """A shelf that holds what SQL says it holds. Where it cannot be asked, the indexer is told to look after it."""
    memory = resources.memory
    try:
        if shelf not in memory.proven:
            await _prove(resources, shelf)
        yield memory
    except StoreFailed as error:
        memory.proven.discard(shelf)
        await resources.database.write(_order, shelf, str(error))
        raise


async def _prove(resources: Resources, shelf: str) -> None:
    """Counts once whether the store has what SQL says it has. If not, the indexer is asked to make it so."""
    memory = resources.memory
    there = await memory.store.count(memory.shelf(shelf))
    if there != await resources.database.read(count_embedded, shelf, memory.model or ""):
        await resources.database.write(_order, shelf, "")
        raise StillIndexing
    memory.proven.add(shelf)


def _order(connection: Connection, shelf: str, trouble: str) -> None:
    order(connection, shelf)
    if trouble:
        note_trouble(connection, shelf, trouble)


async def _hits(resources: Resources, near: Sequence[Near], field: Field) -> list[Hit]:
    """Both rankings as one; what is pinned comes along, found or not."""
    likeness = {one.id: one.likeness for one in near}
    scores = fuse([one.id for one in near], field.worded)
    memories = await resources.database.read(load_memories, [*scores, *field.pinned])
    return [
        Hit(memory=memories[seq], score=round(scores.get(seq, 0.0), 4), likeness=likeness.get(seq))
        for seq in dict.fromkeys([*scores, *field.pinned])
        if seq in memories
    ]


def _in_words(hits: Iterable[Hit], asked: Asked) -> tuple[Hit, ...]:
    """What was chosen, with the words that it was found by."""
    return tuple(with_words(hit, asked.terms) for hit in hits)


def _told(hit: Hit) -> dict[str, Any]:
    memory = hit.memory
    told = {
        "memory_id": memory.id,
        "entry_id": memory.subject_id,
        "turn": memory.turn if memory.subject_id else None,
        "document_id": memory.document_id,
        "score": hit.score,
        "likeness": None if hit.likeness is None else round(hit.likeness, 4),
        "words": list(hit.words[:8]),
        "pinned": hit.is_pinned,
    }
    return {name: value for name, value in told.items() if value is not None and value is not False and value != []}
