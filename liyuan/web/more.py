"""The menu of one message: what it can be asked for, and how it was made."""

from __future__ import annotations

from dataclasses import dataclass

from sqlalchemy import Connection

from liyuan.domain.entry import ConversationId, EntryId
from liyuan.store.branch import load_shown
from liyuan.store.conversations import load_conversation
from liyuan.store.standing import standing
from liyuan.web.story import address_of
from liyuan.web.times import said_when


@dataclass(frozen=True, slots=True, kw_only=True)
class More:
    """What a message can be asked for, and what is known of how it was made. Tokens as the server counted them."""

    id: EntryId
    address: str
    can_go_on: bool
    can_be_retold: bool
    can_be_answered: bool
    model: str
    input_tokens: int | None
    output_tokens: int | None
    cost: str
    at: str
    when: str


def load_more(connection: Connection, story_id: ConversationId, entry_id: EntryId, language: str) -> More:
    conversation = load_conversation(connection, story_id)
    shown = load_shown(connection, story_id, entry_id)
    entry = shown.entry
    usage = entry.data.get("usage") or {}
    end = standing(connection, story_id, shown.revision_id or entry.id)
    cost = usage.get("cost_usd")
    return More(
        id=entry.id,
        address=address_of(story_id),
        can_go_on=entry.is_reply and conversation.leaf_id == end,
        can_be_retold=entry.is_reply and entry.parent_id is not None,
        can_be_answered=entry.is_user,
        model=str(entry.data.get("model", "")),
        input_tokens=usage.get("input_tokens"),
        output_tokens=usage.get("output_tokens"),
        cost=f"{cost:.4f}" if isinstance(cost, int | float) else "",
        at=entry.created_at,
        when=said_when(entry.created_at, language),
    )
