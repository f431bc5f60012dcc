"""The world at a leaf: one indexed read, however long the story. What is broken is passed over, never fatal."""

from __future__ import annotations

from collections.abc import Iterator

from sqlalchemy import Connection

from liyuan.domain.card import Card
from liyuan.domain.card_world import card_world
from liyuan.domain.entry import ConversationId, Entry, EntryId
from liyuan.domain.snapshot import Standing
from liyuan.domain.snapshot import standing as standing_of
from liyuan.store.tree import load_entry


def load_world(connection: Connection, conversation_id: ConversationId, leaf: Entry | None, card: Card) -> Standing:
    """The snapshot in force at `leaf`, else the card's opening state."""
    return standing_of(snapshots_above(connection, conversation_id, leaf), card_world(card.extensions).opening)


def snapshots_above(connection: Connection, conversation_id: ConversationId, leaf: Entry | None) -> Iterator[Entry]:
    """The `rp-state` entries at or above `leaf`, the nearest first. Each is read only when it is asked for."""
    key: EntryId | None = leaf.place.state_id if leaf else None
    while key is not None:
        entry = load_entry(connection, conversation_id, key)
        yield entry
        above = load_entry(connection, conversation_id, entry.parent_id) if entry.parent_id else None
        key = above.place.state_id if above else None
