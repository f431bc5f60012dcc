"""The indexer: makes the vectors that are missing, shelf by shelf, and takes away those that must go.

What is to be done is told by rows (`store/indexing.py`), so a restart goes on where it was. The newest path comes
first. A store that is gone, damaged or of another model is only an index: it is made anew from SQL.
"""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime, timedelta

import structlog
from sqlalchemy import Connection

from liyuan.domain.entry import ConversationId, Place
from liyuan.domain.errors import NotFound
from liyuan.memory.recall import MemoryFailed, StoreFailed
from liyuan.resources import Resources
from liyuan.store.branch import active_leaf
from liyuan.store.indexing import (
    Order,
    Piece,
    count_embedded,
    erased,
    fulfil,
    load_deleted,
    load_orders,
    load_pending,
    mark_embedded,
    note_trouble,
    order_unindexed,
    reconcile,
    unmark_embedded,
)
from liyuan.store.memories import STORY, load_unremembered_anywhere, remember, story_of
from liyuan.store.tree import load_entry

# Pieces whose vectors are made between two looks at the database, and entries cut in one transaction.
BATCH = 8
ENTRIES = 200
LOOK_EVERY = 2.0
# Seconds before a shelf that failed is tried again, and before the vectors of a deleted story go: somebody may undo it.
PATIENCE = 30.0
GRACE = 600.0

log = structlog.get_logger(__name__)


async def keep_indexing(resources: Resources) -> None:
    """Looks for something to index, for as long as this process lives."""
    if resources.memory.model:
        await resources.database.write(order_unindexed, resources.memory.model)
    while True:
        troubled = True
        try:
            troubled = await index_all(resources)
            await drop_deleted(resources)
        except Exception:  # A worker's loop: what nobody foresaw is written down, and the next look is taken.
            log.exception("indexing the memory broke down")
        await asyncio.sleep(PATIENCE if troubled else LOOK_EVERY)


async def index_all(resources: Resources) -> bool:
    """Does everything that waits. Tells whether something failed, and so still waits."""
    troubled = False
    for order in await resources.database.read(load_orders):
        try:
            await index(resources, order)
        except MemoryFailed as error:
            troubled = True
            log.warning("a shelf of memory could not be indexed", shelf=order.shelf, reason=str(error))
            await resources.database.write(note_trouble, order.shelf, str(error))
            if isinstance(error, StoreFailed):
                await _mend(resources, order.shelf)
    return troubled


async def index(resources: Resources, order: Order) -> None:
    """Does everything that waits on one shelf. Raises MemoryFailed; then the order stands."""
    if order.shelf.startswith(STORY):
        await _cut(resources, story_of(order.shelf))
    if resources.memory.model:
        if order.trouble:
            await _mend(resources, order.shelf)
        await prove(resources, order.shelf, afresh=order.erases)
        if order.erases:
            await resources.memory.store.erase(resources.memory.shelf(order.shelf), ())
            await resources.database.write(erased, order)
        is_done = False
        while not is_done:
            is_done = await embed(resources, order.shelf, most=BATCH)
    await resources.database.write(fulfil, order)


async def prove(resources: Resources, shelf: str, *, afresh: bool = False) -> None:
    """Makes SQL and the store agree on which vectors of a shelf are there, once since the start, or `afresh`.

    Vectors that nobody needs are erased, those that are missing are pending again. Raises MemoryFailed.
    """
    memory = resources.memory
    if memory.model is None or (shelf in memory.proven and not afresh):
        return
    there = await memory.store.count(memory.shelf(shelf))
    if afresh or there != await resources.database.read(count_embedded, shelf, memory.model):
        held = await memory.store.held(memory.shelf(shelf))
        unneeded = await resources.database.write(reconcile, shelf, memory.model, held)
        if unneeded:
            await memory.store.erase(memory.shelf(shelf), unneeded)
    memory.proven.add(shelf)


async def embed(resources: Resources, shelf: str, *, most: int) -> bool:
    """Makes at most `most` of the vectors that are missing on a shelf. Tells whether none is missing now.

    Raises MemoryFailed. Safe to be cut short: a vector counts only once both the store and SQL have it.
    """
    memory = resources.memory
    if memory.embedder is None or memory.model is None:
        return True
    pieces = await resources.database.read(_load_pending, shelf, memory.model, most + 1)
    some = pieces[:most]
    if some:
        await prove(resources, shelf)
        vectors = await memory.embedder.passages([piece.text for piece in some])
        await memory.store.add(
            memory.shelf(shelf), {piece.seq: vector for piece, vector in zip(some, vectors, strict=True)}
        )
        gone = await resources.database.write(mark_embedded, [piece.seq for piece in some], memory.model)
        if gone:  # Redacted while the model was reading it.
            await memory.store.erase(memory.shelf(shelf), gone)
    return len(pieces) <= most


def _load_pending(connection: Connection, shelf: str, model: str, most: int) -> list[Piece]:
    return load_pending(connection, shelf, model, near=_reader(connection, shelf), most=most)


def _reader(connection: Connection, shelf: str) -> Place | None:
    """Where the reader of a story is; None for documents, and for a story that is not there."""
    if not shelf.startswith(STORY):
        return None
    conversation_id = story_of(shelf)
    try:
        leaf = active_leaf(connection, conversation_id)
        return load_entry(connection, conversation_id, leaf).place if leaf else None
    except NotFound:
        return None


async def _cut(resources: Resources, conversation_id: ConversationId) -> None:
    """Keeps everything a story says on any branch in sight, the latest first. Quick beside the vectors of it."""
    before: int | None = None
    while True:
        before = await resources.database.write(_cut_some, conversation_id, before)
        if before is None:
            return


def _cut_some(connection: Connection, conversation_id: ConversationId, before: int | None) -> int | None:
    missing, before = load_unremembered_anywhere(connection, conversation_id, before=before, most=ENTRIES)
    remember(connection, conversation_id, missing)
    return before


async def drop_deleted(resources: Resources, *, grace: float = GRACE) -> None:
    """Takes the vectors of stories away that were deleted `grace` seconds ago. One that comes back is indexed anew."""
    until = datetime.now(UTC) - timedelta(seconds=grace)
    before = until.isoformat(timespec="milliseconds").replace("+00:00", "Z")
    for shelf in await resources.database.read(load_deleted, before):
        if await _drop(resources, shelf):
            await resources.database.write(unmark_embedded, shelf)


async def _mend(resources: Resources, shelf: str) -> None:
    memory = resources.memory
    try:
        if await memory.store.mend(memory.shelf(shelf)):
            memory.proven.clear()
    except MemoryFailed as error:
        log.warning("the store of vectors could not be mended", reason=str(error))


async def _drop(resources: Resources, shelf: str) -> bool:
    memory = resources.memory
    try:
        await memory.store.drop(memory.shelf(shelf))
    except MemoryFailed as error:
        log.warning("a shelf of memory can neither be read nor dropped", shelf=shelf, reason=str(error))
        return False
    memory.proven.discard(shelf)
    return True
