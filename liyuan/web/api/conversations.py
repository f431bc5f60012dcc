"""Conversations as a list and one by one."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query, Response
from sqlalchemy import Connection

from liyuan.domain.entry import ConversationId
from liyuan.play.casting import recast
from liyuan.play.opening import open_story
from liyuan.store.conversations import (
    Conversation as ConversationRow,
)
from liyuan.store.conversations import (
    delete,
    list_conversations,
    load_conversation,
    rename,
)
from liyuan.web.api.asked import InConversation, Open
from liyuan.web.api.problems import problems
from liyuan.web.api.schemas import Conversation, Conversations, ListedConversation
from liyuan.web.api.wishes import ConversationChange, NewConversation, Plain

router = APIRouter(prefix="/conversations", tags=["conversations"])


@router.post("", status_code=201, responses=problems(404))
async def open_conversation(resources: Open, wish: NewConversation) -> Conversation:
    """A new story. The greetings of the card are sibling roots, and the reader begins at the one chosen."""
    made = await open_story(
        resources, card_id=wish.card_id, persona_id=wish.persona_id, greeting=wish.greeting, title=wish.title
    )
    return Conversation.of(made)


@router.get("", responses=problems())
async def list_all(
    resources: Open,
    query: Annotated[Plain, Query(max_length=500)] = "",
    limit: Annotated[int, Query(ge=1, le=200)] = 50,
    cursor: Annotated[Plain | None, Query(max_length=200)] = None,
) -> Conversations:
    """The shelf, latest first. `query` looks in titles, characters' names and texts."""
    found, after = await resources.database.read(list_conversations, query=query, limit=limit, cursor=cursor)
    return Conversations(items=[ListedConversation.listed(one) for one in found], next=after)


@router.get("/{conversation_id}", responses=problems(404))
async def read_one(resources: Open, conversation_id: InConversation) -> Conversation:
    return Conversation.of(await resources.database.read(load_conversation, conversation_id))


@router.patch("/{conversation_id}", responses=problems(404))
async def change(resources: Open, conversation_id: InConversation, wish: ConversationChange) -> Conversation:
    """Renames it, or chooses who the reader is and which saved connection plays."""
    return Conversation.of(await resources.database.write(_change, conversation_id, wish))


@router.delete("/{conversation_id}", status_code=204, responses=problems(404))
async def take_away(resources: Open, conversation_id: InConversation) -> Response:
    """Takes it off the shelf. What is stored stays, for the page's undo."""
    await resources.database.write(delete, conversation_id)
    return Response(status_code=204)


def _change(connection: Connection, conversation_id: ConversationId, wish: ConversationChange) -> ConversationRow:
    load_conversation(connection, conversation_id)
    if wish.title is not None:
        rename(connection, conversation_id, wish.title)
    if "persona_id" in wish.model_fields_set:
        recast(connection, conversation_id, "persona_id", wish.persona_id or None)
    if "connection_id" in wish.model_fields_set:
        recast(connection, conversation_id, "connection_id", wish.connection_id or None)
    return load_conversation(connection, conversation_id)
