"""Saving like in a game. A save is an entry at the leaf; going back to one is a guarded move and repairs nothing.

What is changed about a save afterwards is changed beside the tree (semantics §7). `worldlines.py` reads the picture.
"""

from __future__ import annotations

from sqlalchemy import Connection

from liyuan.domain.entry import ConversationId, EntryId
from liyuan.domain.errors import Invalid
from liyuan.domain.saves import Plan, Save, Source
from liyuan.play.leaving import Farewell
from liyuan.play.settle import settle
from liyuan.play.travel import move
from liyuan.resources import Resources
from liyuan.store import saves as store
from liyuan.store.branch import active_leaf
from liyuan.store.chapters import load_language, load_moment
from liyuan.store.conversations import Conversation
from liyuan.store.saves import IS_DELETED, Saved
from liyuan.store.standing import require_standing

LOAD = "load"
NO_QUICK_SAVE = "There is no quick save yet. Make one first."


async def save(
    resources: Resources,
    conversation_id: ConversationId,
    name: str = "",
    *,
    expected_leaf: EntryId | None,
    source: Source = "user",
) -> Saved:
    """Saves at the leaf once its turn is accounted for; without a name, under one from the story.

    Answers what the save became (`plan.kind`: first, sameLine or fork). Raises LeafMoved, Busy, NotFound, or Invalid
    where there is nothing to save yet.
    """
    await settle(resources, conversation_id, expected_leaf)
    return await resources.database.write(_save, conversation_id, name, expected_leaf, source)


def _save(
    connection: Connection,
    conversation_id: ConversationId,
    name: str,
    expected_leaf: EntryId | None,
    source: Source,
) -> Saved:
    leaf = require_standing(connection, conversation_id, expected_leaf)
    moment = load_moment(connection, conversation_id, leaf)
    return store.make_save(
        connection,
        conversation_id,
        name.strip() or moment.name,
        expected_leaf=leaf,
        language=moment.language,
        source=source,
    )


async def propose_name(resources: Resources, conversation_id: ConversationId, leaf_id: EntryId | None = None) -> str:
    """What a save at a leaf would be called, by default at the active one. Raises NotFound."""
    return await resources.database.read(_propose_name, conversation_id, leaf_id)


def _propose_name(connection: Connection, conversation_id: ConversationId, leaf_id: EntryId | None) -> str:
    return load_moment(connection, conversation_id, leaf_id or active_leaf(connection, conversation_id)).name


async def restore(
    resources: Resources,
    conversation_id: ConversationId,
    save_id: EntryId,
    *,
    expected_leaf: EntryId | None,
    summary: Farewell = "none",
    words: str = "",
) -> Conversation:
    """Goes back to a save: text, ledger, summaries, memory and settings are those of that moment.

    `summary` and `words` as in `travel.move`. Raises LeafMoved, Busy, NotFound, or Invalid for a deleted save.
    """
    wanted = await resources.database.read(store.load_save, conversation_id, save_id)
    if not wanted.is_live:
        raise Invalid(IS_DELETED)
    return await move(
        resources, conversation_id, save_id, expected_leaf=expected_leaf, cause=LOAD, summary=summary, words=words
    )


async def quick_save(resources: Resources, conversation_id: ConversationId, *, expected_leaf: EntryId | None) -> Saved:
    """Saves under a name from the story. Raises as `save` does."""
    return await save(resources, conversation_id, expected_leaf=expected_leaf, source="quick")


async def quick_load(
    resources: Resources, conversation_id: ConversationId, *, expected_leaf: EntryId | None
) -> Conversation:
    """Goes back to the quick save that was made last, on any branch. Raises as `restore` does, Invalid without one."""
    last = await resources.database.read(store.load_last_save, conversation_id, "quick")
    if last is None:
        raise Invalid(NO_QUICK_SAVE)
    return await restore(resources, conversation_id, last.id, expected_leaf=expected_leaf)


async def rename_save(resources: Resources, conversation_id: ConversationId, save_id: EntryId, name: str) -> Save:
    """Raises NotFound, or Invalid without a name."""
    return await resources.database.write(store.rename_save, conversation_id, save_id, name)


async def rename_worldline(resources: Resources, conversation_id: ConversationId, worldline_id: str, name: str) -> str:
    """Answers the name as it is kept. Raises NotFound, or Invalid without a name or for one that is taken."""
    return await resources.database.write(store.rename_worldline, conversation_id, worldline_id, name)


async def delete_save(resources: Resources, conversation_id: ConversationId, save_id: EntryId) -> Save:
    """Takes a save off its line; the story stays as it is, and `undelete_save` brings it back. Raises NotFound."""
    return await resources.database.write(store.delete_save, conversation_id, save_id)


async def undelete_save(
    resources: Resources, conversation_id: ConversationId, save_id: EntryId
) -> tuple[Save, Plan | None]:
    """Brings a save back: to its own line, or, where that has gone elsewhere meanwhile, by the plan that is answered.

    Raises NotFound, or Invalid for one that was not deleted.
    """
    return await resources.database.write(_undelete, conversation_id, save_id)


def _undelete(connection: Connection, conversation_id: ConversationId, save_id: EntryId) -> tuple[Save, Plan | None]:
    language = load_language(connection, conversation_id)
    return store.undelete_save(connection, conversation_id, save_id, language=language)
