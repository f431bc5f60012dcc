"""Waiting for the ledger: the next turn should know what the last one changed, but never waits long for it."""

from __future__ import annotations

import asyncio
import time

from sqlalchemy import Connection

from liyuan.domain.entry import ConversationId, EntryId
from liyuan.resources import Nobody, Resources
from liyuan.store.branch import active_leaf
from liyuan.store.runs import open_run
from liyuan.store.standing import anchors, standing

LOOK_EVERY = 0.1


async def settle(resources: Resources, conversation_id: ConversationId, shown_leaf: EntryId | None) -> bool:
    """Waits for the run of the leaf that the page shows, at most `settle_wait` seconds. False when it gave up."""
    if isinstance(resources.worker, Nobody):
        return True
    until = time.monotonic() + resources.settings.settle_wait
    while await resources.database.read(_is_settling, conversation_id, shown_leaf):
        if time.monotonic() >= until:
            return False
        await asyncio.sleep(LOOK_EVERY)
    return True


def is_settling(connection: Connection, conversation_id: ConversationId) -> bool:
    """Whether the turn at the active leaf is still being accounted for."""
    return _is_settling(connection, conversation_id, active_leaf(connection, conversation_id))


def _is_settling(connection: Connection, conversation_id: ConversationId, shown_leaf: EntryId | None) -> bool:
    leaf = standing(connection, conversation_id, shown_leaf)
    if leaf is None or leaf != active_leaf(connection, conversation_id):
        return False  # The reader is elsewhere: that run will be stale, and there is nothing to wait for.
    return open_run(connection, conversation_id, anchors(connection, conversation_id, leaf)) is not None
