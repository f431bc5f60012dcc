"""Moving the reader to an entry that is already there. The same guard as an append, and a row in the journal."""

from __future__ import annotations

from sqlalchemy import Connection

from liyuan.domain.entry import ConversationId, EntryId
from liyuan.domain.errors import Invalid
from liyuan.store.journal import record
from liyuan.store.pruning import cut_at
from liyuan.store.tree import load_entry, move_leaf


def move(
    connection: Connection,
    conversation_id: ConversationId,
    to: EntryId,
    *,
    expected_leaf: EntryId | None,
    cause: str,
    performance_id: str | None = None,
) -> None:
    """Makes `to` the leaf if the reader is still at `expected_leaf` and nobody performs but `performance_id`.

    Raises LeafMoved, Busy, NotFound, or Invalid when the entry lies in a part that was deleted.
    """
    target = load_entry(connection, conversation_id, to)
    if cut_at(connection, conversation_id, target.place) is not None:
        raise Invalid("That part of the story has been deleted. Bring it back first, then go there.")
    move_leaf(connection, conversation_id, to, expected_leaf=expected_leaf, performance_id=performance_id)
    if to != expected_leaf:
        record(connection, conversation_id, expected_leaf, target, cause)
