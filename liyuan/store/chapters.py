"""What a leaf offers for naming and choosing saves: the world there, the world a turn ago, the last reply's words."""

from __future__ import annotations

from dataclasses import dataclass

from sqlalchemy import Connection

from liyuan.domain.card import Card, Language
from liyuan.domain.entry import ConversationId, Entry, EntryId
from liyuan.domain.history import replay
from liyuan.domain.save_names import is_new_chapter, proposed_name
from liyuan.domain.world import WorldState
from liyuan.store.branch import load_path
from liyuan.store.cast import load_story_card
from liyuan.store.conversations import load_conversation
from liyuan.store.tree import load_entry
from liyuan.store.worlds import load_world

# How far above a leaf the last reply, or the turn's beginning, is looked for.
NEAR = 30


@dataclass(frozen=True, slots=True, kw_only=True)
class Moment:
    """A leaf as a place to save: a name for it, the story's language, and whether a chapter begins here."""

    name: str
    language: Language
    is_new_chapter: bool
    turn: int


def load_language(connection: Connection, conversation_id: ConversationId) -> Language:
    """The language of a story's character. Raises NotFound."""
    return load_story_card(connection, load_conversation(connection, conversation_id).card_id).language


def load_moment(connection: Connection, conversation_id: ConversationId, leaf_id: EntryId | None) -> Moment:
    """Raises NotFound for the story, or for a leaf that is not in it."""
    card = load_story_card(connection, load_conversation(connection, conversation_id).card_id)
    leaf = load_entry(connection, conversation_id, leaf_id) if leaf_id else None
    tail = load_path(connection, leaf.id, most=NEAR) if leaf else []
    world = _world(connection, conversation_id, leaf, card)
    before = _world(connection, conversation_id, _before_turn(connection, conversation_id, tail), card)
    turn = leaf.place.turn if leaf else 0
    return Moment(
        name=proposed_name(world, replay(tail).last("assistant"), turn, card.language),
        language=card.language,
        is_new_chapter=is_new_chapter(before, world),
        turn=turn,
    )


def _world(connection: Connection, conversation_id: ConversationId, leaf: Entry | None, card: Card) -> WorldState:
    return load_world(connection, conversation_id, leaf, card).snapshot.state


def _before_turn(connection: Connection, conversation_id: ConversationId, tail: list[Entry]) -> Entry | None:
    """The entry above the reader's last message; the top of what was read where that lies farther above."""
    spoken = next((entry for entry in reversed(tail) if entry.is_user), None)
    if spoken is None:
        return tail[0] if tail else None
    return load_entry(connection, conversation_id, spoken.parent_id) if spoken.parent_id else None
