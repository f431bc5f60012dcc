"""Gathers all the ingredients of a request from one leaf, in one read. What is not on the path cannot get in."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from functools import lru_cache
from typing import Any

from sqlalchemy import Connection

from liyuan.domain.card import Card, parse_card
from liyuan.domain.entry import ConversationId, Entry, EntryId
from liyuan.domain.errors import NotFound
from liyuan.domain.history import History, Line, replay
from liyuan.domain.persona import Persona
from liyuan.domain.phrases import PHRASES
from liyuan.domain.prompt import PER_MESSAGE, Prompt, assemble
from liyuan.domain.scene import Cue, Scene
from liyuan.model.tokenizer import count
from liyuan.resources import Chosen, Resources
from liyuan.store.branch import load_path
from liyuan.store.conversations import Conversation, load_conversation
from liyuan.store.library import (
    CardRow,
    ConnectionRow,
    default_connection,
    default_persona,
    load_card,
    load_connection,
    load_persona,
)
from liyuan.store.tree import load_entry

# Entries read at a time, from the leaf upwards, until the window is full.
RUN = 200
# Tokens kept free for the reply where the connection sets no limit: an eighth of the window, at most this many.
RESERVE = 2048
_EMPTY_CARD: Mapping[str, Any] = {"spec": "chara_card_v3", "spec_version": "3.0", "data": {"name": ""}}


@dataclass(frozen=True, slots=True, kw_only=True)
class Ingredients:
    """What one leaf offers: who plays whom, with what, and what has been said."""

    conversation: Conversation
    card: Card
    persona: Persona
    history: History
    connection: ConnectionRow | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Ready:
    """A prompt, and the model that is to hear it."""

    scene: Scene
    prompt: Prompt
    chosen: Chosen


async def gather(
    resources: Resources, conversation_id: ConversationId, leaf: EntryId | None, cue: Cue = "reply", *, text: str = ""
) -> Ready:
    """The prompt for what comes after `leaf`; `text` is what the reader would say first, for a preview.

    Raises NotFound, PromptTooLarge, or SealBroken for a key that can no longer be read.
    """
    window = resources.settings.context_tokens
    found = await resources.database.read(load_ingredients, conversation_id, leaf, window)
    chosen = resources.models.choose(found.connection)
    if chosen.window > window:
        found = await resources.database.read(load_ingredients, conversation_id, leaf, chosen.window)
    scene = Scene(
        card=found.card,
        persona=found.persona,
        history=found.history if not text else _saying(found.history, text),
        cue=cue,
        seed=conversation_id,
        now=datetime.now().astimezone(),
        model=chosen.model.name,
        window=chosen.window,
        reserve=chosen.sampling.max_tokens or min(RESERVE, chosen.window // 8),
    )
    return Ready(scene=scene, prompt=assemble(scene, count), chosen=chosen)


def load_ingredients(
    connection: Connection, conversation_id: ConversationId, leaf: EntryId | None, window: int
) -> Ingredients:
    """Reads a leaf's ingredients. The path is read upwards from the leaf until `window` tokens are surely filled."""
    conversation = load_conversation(connection, conversation_id)
    end = load_entry(connection, conversation_id, leaf) if leaf else None
    settings = load_settings(connection, conversation_id, end)
    card = load_story_card(connection, conversation.card_id)
    persona_id = settings.get("persona_id", conversation.persona_id)
    return Ingredients(
        conversation=conversation,
        card=card,
        persona=reader_of(connection, persona_id, card),
        history=replay(_load_tail(connection, conversation_id, end, window)),
        connection=_connection(connection, settings.get("connection_id", conversation.connection_id)),
    )


def load_settings(connection: Connection, conversation_id: ConversationId, leaf: Entry | None) -> dict[str, Any]:
    """The settings in force at a leaf: every `setting` entry on its path, the deeper over the higher."""
    settings: dict[str, Any] = {}
    key = leaf.place.setting_id if leaf else None
    while key:
        entry = load_entry(connection, conversation_id, key)
        settings = {**entry.data, **settings}
        parent = load_entry(connection, conversation_id, entry.parent_id) if entry.parent_id else None
        key = parent.place.setting_id if parent else None
    return settings


def _load_tail(connection: Connection, conversation_id: ConversationId, end: Entry | None, window: int) -> list[Entry]:
    """The end of the path, back to what the summary covers or to where the window is full, whichever comes first."""
    if end is None:
        return []
    floor = _covered_depth(connection, conversation_id, end)
    tail: list[Entry] = []
    tokens = 0
    start: EntryId | None = end.id
    while start is not None and tokens <= window:
        run = load_path(connection, start, most=RUN)
        tail = run + tail
        tokens += sum(count(entry.text or "") + PER_MESSAGE for entry in run if entry.kind == "message")
        start = run[0].parent_id if run[0].depth > floor else None
    return tail


def _covered_depth(connection: Connection, conversation_id: ConversationId, end: Entry) -> int:
    if end.place.summary_id is None:
        return 0
    summary = load_entry(connection, conversation_id, end.place.summary_id)
    covers = summary.data.get("covers_through_id")
    try:
        return load_entry(connection, conversation_id, EntryId(covers)).depth if isinstance(covers, str) else 0
    except NotFound:
        return 0


def load_story_card(connection: Connection, card_id: str | None) -> Card:
    """The character of a story; one without a name where there is none. A deleted card still plays its old stories."""
    if card_id is None:
        return parse_card(_EMPTY_CARD)[0]
    return card_of(load_card(connection, card_id, deleted=True))


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


def reader_of(connection: Connection, persona_id: str | None, card: Card) -> Persona:
    """Who the reader is: the persona chosen, else the default one, else a nameless traveller."""
    row = load_persona(connection, persona_id, deleted=True) if persona_id else default_persona(connection)
    if row is None:
        return Persona(id="", name=PHRASES[card.language].reader)
    return Persona(id=row.id, name=row.name, description=row.description)


def _connection(connection: Connection, connection_id: str | None) -> ConnectionRow | None:
    try:
        return load_connection(connection, connection_id) if connection_id else default_connection(connection)
    except NotFound:  # It was deleted since it was chosen: the default one plays.
        return default_connection(connection)


def _saying(history: History, text: str) -> History:
    line = Line(entry_id=EntryId(""), role="user", text=text, turn=history.lines[-1].turn + 1 if history.lines else 1)
    return replace(history, lines=(*history.lines, line))
