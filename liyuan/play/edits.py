"""Changing what was said without changing what was written: a sibling, a revision, or a subtree put out of sight.

Redacting is the one exception, for privacy: it empties an entry for good and keeps its place in the tree.
"""

from __future__ import annotations

from typing import Literal

from sqlalchemy import Connection

from liyuan.domain.entry import MESSAGE, REVISION, ConversationId, Draft, Entry, EntryId
from liyuan.domain.errors import Invalid
from liyuan.domain.tree import neighbour
from liyuan.play.redaction import erase_vectors
from liyuan.play.travel import PRUNE
from liyuan.play.turn import LONGEST_MESSAGE, TOO_LONG
from liyuan.resources import Resources
from liyuan.store.branch import Shown, active_leaf, load_shown, load_variants
from liyuan.store.climb import is_above
from liyuan.store.conversations import Conversation, load_conversation
from liyuan.store.database import new_id
from liyuan.store.indexing import Order, order
from liyuan.store.journal import tip_below
from liyuan.store.memories import forget_entries, story_shelf
from liyuan.store.moves import move
from liyuan.store.pruning import cut, cut_at, in_sight, require_idle, require_in_sight, uncut
from liyuan.store.redaction import empty
from liyuan.store.standing import standing
from liyuan.store.tree import append, load_entry

EDIT = "edit"
RESTORE = "restore"


async def edit(
    resources: Resources,
    conversation_id: ConversationId,
    entry_id: EntryId,
    text: str,
    *,
    mode: Literal["branch", "in_place"],
    expected_leaf: EntryId | None,
) -> Shown:
    """Gives a message another text; answers the message as it is now seen. Never generates.

    "branch" makes a sibling with the text and goes there; what followed stays on the old branch. "in_place" appends a
    revision at the leaf: what follows stays, and other branches keep the old text (semantics §2).
    Raises LeafMoved, Busy, NotFound, or Invalid for an empty text, or for a message that is not on the active branch.
    """
    if not text.strip():
        raise Invalid("An empty message cannot be kept. Delete it instead, or write something.")
    if len(text) > LONGEST_MESSAGE:
        raise Invalid(TOO_LONG, length=len(text), limit=LONGEST_MESSAGE)
    write = _edit_as_branch if mode == "branch" else _edit_in_place
    return await resources.database.write(write, conversation_id, entry_id, text.strip(), expected_leaf)


def _edit_as_branch(
    connection: Connection, conversation_id: ConversationId, entry_id: EntryId, text: str, leaf: EntryId | None
) -> Shown:
    old = _message(connection, conversation_id, entry_id)
    if old.parent_id:
        require_in_sight(connection, conversation_id, load_entry(connection, conversation_id, old.parent_id))
    draft = Draft(id=EntryId(new_id()), parent_id=old.parent_id, role=old.role, text=text, data={"edited_from": old.id})
    leaf = standing(connection, conversation_id, leaf)
    made = append(connection, conversation_id, draft, expected_leaf=leaf, cause=EDIT)
    return load_shown(connection, conversation_id, made.id, made.id)


def _edit_in_place(
    connection: Connection, conversation_id: ConversationId, entry_id: EntryId, text: str, leaf: EntryId | None
) -> Shown:
    leaf = standing(connection, conversation_id, leaf)
    target = _message(connection, conversation_id, entry_id)
    end = load_entry(connection, conversation_id, leaf) if leaf else None
    if end is None or not is_above(connection, target, end):
        raise Invalid("This message is not on the branch you are on. Go there first, or edit it as a new branch.")
    draft = Draft(id=EntryId(new_id()), parent_id=leaf, kind=REVISION, text=text, data={"target_id": target.id})
    made = append(connection, conversation_id, draft, expected_leaf=leaf, cause=EDIT)
    return load_shown(connection, conversation_id, target.id, made.id)


def _message(connection: Connection, conversation_id: ConversationId, entry_id: EntryId) -> Entry:
    entry = load_entry(connection, conversation_id, entry_id)
    if entry.kind != MESSAGE:
        raise Invalid("Only messages can be edited.")
    return entry


async def prune(
    resources: Resources, conversation_id: ConversationId, entry_id: EntryId, *, expected_leaf: EntryId | None
) -> Conversation:
    """Puts an entry and all below it out of sight. A reader inside goes to the neighbouring variant, else up.

    Nothing is generated and nothing is lost; `restore` brings it back. Raises LeafMoved, Busy, NotFound, or Invalid for
    the only opening of a story.
    """
    return await resources.database.write(_prune, conversation_id, entry_id, expected_leaf)


def _prune(
    connection: Connection, conversation_id: ConversationId, entry_id: EntryId, expected_leaf: EntryId | None
) -> Conversation:
    expected_leaf = standing(connection, conversation_id, expected_leaf)
    entry = load_entry(connection, conversation_id, entry_id)
    end = load_entry(connection, conversation_id, expected_leaf) if expected_leaf else None
    require_idle(connection, conversation_id, expected_leaf)
    if cut_at(connection, conversation_id, entry.place) is not None:
        raise Invalid("This part of the story is deleted already.")
    inside = end is not None and is_above(connection, entry, end)
    goal = _way_out(connection, conversation_id, entry, end) if inside else None
    cut(connection, conversation_id, entry.id, expected_leaf)
    if goal:
        move(connection, conversation_id, goal, expected_leaf=expected_leaf, cause=PRUNE)
    return load_conversation(connection, conversation_id)


def _way_out(connection: Connection, conversation_id: ConversationId, entry: Entry, leaf: Entry | None) -> EntryId:
    variants = load_variants(connection, conversation_id, [entry]).get(entry.id) if entry.kind == MESSAGE else None
    beside = neighbour(list(variants.ids), entry.id) if variants else None
    if beside:
        tip = tip_below(connection, load_entry(connection, conversation_id, beside), leaf)
        return in_sight(connection, conversation_id, tip)
    if entry.parent_id is None:
        raise Invalid("This is the only opening of the story. Delete the whole story instead.")
    return entry.parent_id


async def restore(
    resources: Resources, conversation_id: ConversationId, entry_id: EntryId, *, expected_leaf: EntryId | None
) -> Conversation:
    """Brings a deleted part back, and the reader to where they were in it. Raises Invalid when it was not deleted."""
    return await resources.database.write(_restore, conversation_id, entry_id, expected_leaf)


def _restore(
    connection: Connection, conversation_id: ConversationId, entry_id: EntryId, expected_leaf: EntryId | None
) -> Conversation:
    expected_leaf = standing(connection, conversation_id, expected_leaf)
    entry = load_entry(connection, conversation_id, entry_id)
    require_idle(connection, conversation_id, expected_leaf)
    was_cut, leaf_id = uncut(connection, conversation_id, entry.id)
    if not was_cut:
        raise Invalid("This part of the story was not deleted.")
    leaf = load_entry(connection, conversation_id, leaf_id) if leaf_id else None
    if leaf and is_above(connection, entry, leaf):
        move(connection, conversation_id, leaf.id, expected_leaf=expected_leaf, cause=RESTORE)
    return load_conversation(connection, conversation_id)


async def redact(resources: Resources, conversation_id: ConversationId, entry_id: EntryId) -> Conversation:
    """Empties an entry and its revisions for good; its place stays. Not to be undone. Raises Busy, NotFound."""
    conversation, ordered, forgotten = await resources.database.write(_redact, conversation_id, entry_id)
    await resources.database.settle()
    await erase_vectors(resources, ordered, forgotten)
    return conversation


def _redact(
    connection: Connection, conversation_id: ConversationId, entry_id: EntryId
) -> tuple[Conversation, Order, list[int]]:
    entry = load_entry(connection, conversation_id, entry_id)
    require_idle(connection, conversation_id, active_leaf(connection, conversation_id))
    forgotten = forget_entries(connection, empty(connection, conversation_id, entry))
    ordered = order(connection, story_shelf(conversation_id), erases=True)
    return load_conversation(connection, conversation_id), ordered, forgotten
