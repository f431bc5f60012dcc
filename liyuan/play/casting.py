"""Who the reader is and which model plays, from here on. A choice is an entry, so other branches keep their own."""

from __future__ import annotations

from sqlalchemy import Connection

from liyuan.domain.entry import SETTING, ConversationId, Draft, EntryId
from liyuan.domain.errors import Invalid
from liyuan.resources import Resources
from liyuan.store.branch import active_leaf
from liyuan.store.conversations import Conversation, choose_connection, choose_persona, load_conversation
from liyuan.store.database import new_id
from liyuan.store.library import CONTEXT_TOOLS_ON, load_connection, load_persona
from liyuan.store.settings_at import load_settings
from liyuan.store.tree import append, load_entry

NOT_BEGUN = "This can be chosen once something has been said in the story."


async def choose_reader(resources: Resources, conversation_id: ConversationId, persona_id: str | None) -> Conversation:
    """Who the reader is from here on; None for the usual persona. Raises NotFound, Busy."""
    return await resources.database.write(recast, conversation_id, "persona_id", persona_id)


async def choose_player(
    resources: Resources, conversation_id: ConversationId, connection_id: str | None
) -> Conversation:
    """Which saved connection plays from here on; None for the usual one. Raises NotFound, Busy."""
    return await resources.database.write(recast, conversation_id, "connection_id", connection_id)


async def choose_tools(resources: Resources, conversation_id: ConversationId, on: bool | None) -> None:
    """Whether the model may use its context tools from here on; None for what the settings say.

    Raises NotFound, Busy, or Invalid where nothing has been said yet.
    """
    await resources.database.write(_allow_tools, conversation_id, on)


def _allow_tools(connection: Connection, conversation_id: ConversationId, on: bool | None) -> None:
    leaf = active_leaf(connection, conversation_id)
    if leaf is None:
        raise Invalid(NOT_BEGUN)
    place = load_entry(connection, conversation_id, leaf).place
    if load_settings(connection, place.setting_id).get(CONTEXT_TOOLS_ON) == on:
        return
    draft = Draft(id=EntryId(new_id()), parent_id=leaf, kind=SETTING, data={CONTEXT_TOOLS_ON: on})
    append(connection, conversation_id, draft, expected_leaf=leaf)


def recast(connection: Connection, conversation_id: ConversationId, what: str, chosen: str | None) -> Conversation:
    """Appends the choice at the leaf; before the first word it is the story's own."""
    if chosen is not None:
        _find(connection, what, chosen)
    conversation = load_conversation(connection, conversation_id)
    if getattr(conversation, what) == chosen:
        return conversation
    leaf = active_leaf(connection, conversation_id)
    if leaf is None:
        (choose_persona if what == "persona_id" else choose_connection)(connection, conversation_id, chosen)
    else:
        draft = Draft(id=EntryId(new_id()), parent_id=leaf, kind=SETTING, data={what: chosen})
        append(connection, conversation_id, draft, expected_leaf=leaf)
    return load_conversation(connection, conversation_id)


def _find(connection: Connection, what: str, chosen: str) -> None:
    if what == "persona_id":
        load_persona(connection, chosen)
    else:
        load_connection(connection, chosen)
