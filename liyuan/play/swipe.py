"""Swiping: asking for another reply, or choosing one that is there. The old one stands until the new one exists."""

from __future__ import annotations

from sqlalchemy import Connection

from liyuan.domain.entry import ConversationId, EntryId
from liyuan.domain.errors import Invalid
from liyuan.play.turn import start
from liyuan.resources import Resources
from liyuan.stage import Performance
from liyuan.store.branch import active_leaf
from liyuan.store.conversations import Conversation, load_conversation
from liyuan.store.journal import tip_below
from liyuan.store.moves import move
from liyuan.store.performances import Performing, begin
from liyuan.store.pruning import cut_at, in_sight, require_in_sight
from liyuan.store.standing import standing
from liyuan.store.tree import load_entry

SELECT = "select"


async def another(
    resources: Resources, conversation_id: ConversationId, entry_id: EntryId, *, expected_leaf: EntryId | None
) -> Performance:
    """Lets the model give a sibling of the reply `entry_id`, or a reply to the reader's message `entry_id`.

    The leaf moves only when the new reply exists (semantics §2). Raises LeafMoved, Busy, NotFound, or Invalid for an
    entry that cannot have a reply.
    """
    performing = await resources.database.write(
        _another, conversation_id, entry_id, expected_leaf, resources.stage.owner
    )
    return start(resources, performing)


def _another(
    connection: Connection,
    conversation_id: ConversationId,
    entry_id: EntryId,
    expected_leaf: EntryId | None,
    owner: str,
) -> Performing:
    expected_leaf = standing(connection, conversation_id, expected_leaf)
    entry = load_entry(connection, conversation_id, entry_id)
    parent_id: EntryId
    if entry.is_user:
        parent_id = entry.id
    elif entry.is_reply and entry.parent_id:
        parent_id = entry.parent_id
    else:
        raise Invalid("There is nothing here that could be told another way. Choose a reply, or write first.")
    require_in_sight(connection, conversation_id, load_entry(connection, conversation_id, parent_id))
    return begin(connection, conversation_id, "swipe", parent_id=parent_id, expected_leaf=expected_leaf, owner=owner)


async def choose(
    resources: Resources, conversation_id: ConversationId, entry_id: EntryId, *, expected_leaf: EntryId | None
) -> Conversation:
    """Selects a variant: the reader lands on the leaf last visited below it, so its whole tail comes back.

    Calls no model. Raises LeafMoved, Busy or NotFound.
    """
    return await resources.database.write(_choose, conversation_id, entry_id, expected_leaf)


def _choose(
    connection: Connection, conversation_id: ConversationId, entry_id: EntryId, expected_leaf: EntryId | None
) -> Conversation:
    entry = load_entry(connection, conversation_id, entry_id)
    leaf_id = active_leaf(connection, conversation_id)
    leaf = load_entry(connection, conversation_id, leaf_id) if leaf_id else None
    if cut_at(connection, conversation_id, entry.place) is not None:
        raise Invalid("This variant has been deleted. Bring it back first.")
    tip = in_sight(connection, conversation_id, tip_below(connection, entry, leaf))
    expected_leaf = standing(connection, conversation_id, expected_leaf)
    move(connection, conversation_id, tip, expected_leaf=expected_leaf, cause=SELECT)
    return load_conversation(connection, conversation_id)
