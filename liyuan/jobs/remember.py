"""Remembering: after a turn, keeps in memory what was said on this path. Writes no entry, so it never moves the leaf.

What was said is kept in SQL first. A turn's own pieces get their vectors at once; whatever else waits is left to the
indexer (`jobs/indexing.py`), and so is everything when the store or the embedding model cannot be used.
"""

from __future__ import annotations

import structlog
from sqlalchemy import Connection

from liyuan.domain.entry import ConversationId, EntryId
from liyuan.jobs.indexing import embed
from liyuan.memory.recall import MemoryFailed
from liyuan.resources import Resources
from liyuan.store.indexing import note_trouble, order
from liyuan.store.memories import load_unremembered, story_shelf
from liyuan.store.memories import remember as keep
from liyuan.store.runs import Run
from liyuan.store.tree import load_entry

NAME = "remember"
# Entries of a path that one run takes up, and pieces it makes vectors of; more is the indexer's.
ENTRIES = 200
PIECES = 8

log = structlog.get_logger(__name__)


async def remember(resources: Resources, run: Run, leaf: EntryId) -> EntryId:
    """Keeps what memory does not know yet on the path of `leaf`; answers `leaf`. A failing store fails nothing."""
    is_whole = await resources.database.write(_keep_path, run.conversation_id, leaf)
    shelf = story_shelf(run.conversation_id)
    try:
        is_done = await embed(resources, shelf, most=PIECES)
    except MemoryFailed as error:
        log.warning("no vectors were made after the turn", run_id=run.id, reason=str(error))
        await resources.database.write(_order, shelf, str(error))
        return leaf
    if not (is_whole and is_done):
        await resources.database.write(_order, shelf, "")
    return leaf


def _keep_path(connection: Connection, conversation_id: ConversationId, leaf_id: EntryId) -> bool:
    """Whether all of the path is kept now."""
    leaf = load_entry(connection, conversation_id, leaf_id)
    missing, is_whole = load_unremembered(connection, conversation_id, leaf, most=ENTRIES)
    keep(connection, conversation_id, missing)
    return is_whole


def _order(connection: Connection, shelf: str, trouble: str) -> None:
    order(connection, shelf)
    if trouble:
        note_trouble(connection, shelf, trouble)
