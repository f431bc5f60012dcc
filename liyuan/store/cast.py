"""Who plays whom, and with what, at one leaf. Settings on the path win over those of the conversation."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from sqlalchemy import Connection

from liyuan.domain.card import Card, parse_card
from liyuan.domain.entry import ConversationId, Entry, EntryId
from liyuan.domain.errors import NotFound
from liyuan.domain.persona import Persona
from liyuan.domain.phrases import PHRASES
from liyuan.store.conversations import Conversation, load_conversation
from liyuan.store.library import (
    CONTEXT_TOOLS_ON,
    CardRow,
    ConnectionRow,
    default_connection,
    default_persona,
    load_card,
    load_connection,
    load_persona,
    load_preferences,
)
from liyuan.store.settings_at import load_settings
from liyuan.store.tree import load_entry

_NOBODY: Mapping[str, Any] = {"spec": "chara_card_v3", "spec_version": "3.0", "data": {"name": ""}}


@dataclass(frozen=True, slots=True, kw_only=True)
class Cast:
    """The character, the reader, and the connection chosen at a leaf (None: the default one).

    `has_tools` tells whether the branch lets the model use its context tools; None where the settings decide.
    """

    conversation: Conversation
    card: Card
    persona: Persona
    connection: ConnectionRow | None
    has_tools: bool | None = None


def load_cast(connection: Connection, conversation_id: ConversationId, leaf: Entry | None) -> Cast:
    """The cast at a leaf. A deleted card or persona still plays its old stories. Raises NotFound for the story."""
    conversation = load_conversation(connection, conversation_id)
    settings = load_settings(connection, leaf.place.setting_id if leaf else None)
    card = load_story_card(connection, conversation.card_id)
    return Cast(
        conversation=conversation,
        card=card,
        persona=reader_of(connection, settings.get("persona_id", conversation.persona_id), card),
        connection=_connection(connection, settings.get("connection_id", conversation.connection_id)),
        has_tools=tools_chosen(settings),
    )


def tools_chosen(settings: Mapping[str, Any]) -> bool | None:
    """What the settings of a branch say of the model's context tools; None where nothing was chosen on it."""
    chosen = settings.get(CONTEXT_TOOLS_ON)
    return None if chosen is None else chosen is True


def may_use_tools(connection: Connection, cast: Cast) -> bool:
    """Whether the model may use its context tools: by the choice of the branch, else by the preferences."""
    return bool(load_preferences(connection).get(CONTEXT_TOOLS_ON)) if cast.has_tools is None else cast.has_tools


def reader_of(connection: Connection, persona_id: str | None, card: Card) -> Persona:
    """Who the reader is: the persona chosen, else the default one, else a nameless traveller."""
    row = load_persona(connection, persona_id, deleted=True) if persona_id else default_persona(connection)
    if row is None:
        return Persona(id="", name=PHRASES[card.language].reader)
    return Persona(id=row.id, name=row.name, description=row.description)


def card_of(row: CardRow) -> Card:
    """The card in a stored row; reading one is remembered, for as long as the row stays as it is."""
    return _parsed(row.id, row.updated_at, _Data(row.data))


class _Data:
    """Lets a card's JSON ride along in a cache whose key is the row's id and date."""

    def __init__(self, data: Mapping[str, Any]) -> None:
        self.data = data

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Data)

    def __hash__(self) -> int:
        return 0


@lru_cache(maxsize=256)
def _parsed(_card_id: str, _updated_at: str, data: _Data) -> Card:
    return parse_card(data.data)[0]


def load_story_card(connection: Connection, card_id: str | None) -> Card:
    """The character of a story; one without a name where there is none. A deleted card still plays its old stories."""
    if card_id is None:
        return _nobody()
    return card_of(load_card(connection, card_id, deleted=True))


@lru_cache(maxsize=1)
def _nobody() -> Card:
    return parse_card(_NOBODY)[0]


def _connection(connection: Connection, connection_id: str | None) -> ConnectionRow | None:
    try:
        return load_connection(connection, connection_id) if connection_id else default_connection(connection)
    except NotFound:  # It was deleted since it was chosen: the default one plays.
        return default_connection(connection)


def covered_depth(connection: Connection, conversation_id: ConversationId, leaf: Entry) -> int:
    """The depth through which the summary in force at a leaf covers the story; -1 where there is none."""
    if leaf.place.summary_id is None:
        return -1
    covers = load_entry(connection, conversation_id, leaf.place.summary_id).data.get("covers_through_id")
    try:
        return load_entry(connection, conversation_id, EntryId(covers)).depth if isinstance(covers, str) else -1
    except NotFound:
        return -1
