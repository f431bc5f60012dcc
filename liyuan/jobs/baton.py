"""The baton of a run is the leaf: does the reader still stand there, and what has an earlier try written."""

from __future__ import annotations

from sqlalchemy import Connection

from liyuan.domain.entry import ConversationId, EntryId
from liyuan.domain.errors import LeafMoved, NotFound
from liyuan.resources import Resources
from liyuan.store.branch import active_leaf
from liyuan.store.runs import Run
from liyuan.store.tree import load_entry


async def still_here(resources: Resources, run: Run, leaf: EntryId) -> None:
    """Raises LeafMoved when the reader has already gone elsewhere: no model need be asked for an answer to drop.

    Spares tokens only. The guard is the append that follows.
    """
    present = await resources.database.read(active_leaf, run.conversation_id)
    if present != leaf:
        raise LeafMoved(leaf_id=present, expected_leaf=leaf)


async def already(resources: Resources, run: Run, entry_id: EntryId) -> bool:
    """Whether an earlier try of this run, killed before its end, has written this entry."""
    return await resources.database.read(_is_there, run.conversation_id, entry_id)


def _is_there(connection: Connection, conversation_id: ConversationId, entry_id: EntryId) -> bool:
    try:
        load_entry(connection, conversation_id, entry_id)
    except NotFound:
        return False
    return True
