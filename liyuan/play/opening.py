"""Opening a story: the greetings are sibling roots, and the reader begins at the one chosen."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import Connection

from liyuan.domain.entry import ASSISTANT, ConversationId, Draft, EntryId
from liyuan.domain.errors import Invalid
from liyuan.domain.journal import GREETING
from liyuan.domain.macros import expand, scope_of
from liyuan.domain.names import one_line
from liyuan.resources import Resources
from liyuan.store.cast import card_of, reader_of
from liyuan.store.conversations import Conversation, create, load_conversation
from liyuan.store.database import new_id
from liyuan.store.library import load_card, load_persona
from liyuan.store.moves import move
from liyuan.store.tree import append

NO_SUCH_GREETING = "There is no greeting number {number}: this character has {count}."


async def open_story(
    resources: Resources,
    *,
    card_id: str | None = None,
    persona_id: str | None = None,
    greeting: int = 0,
    title: str | None = None,
) -> Conversation:
    """A new story with a character, or with none. `greeting` counts from 0 over the card's greetings.

    Raises NotFound for an unknown card or persona, Invalid for a greeting that the card does not have.
    """
    return await resources.database.write(_open, card_id, persona_id, greeting, one_line(title or ""))


def _open(
    connection: Connection, card_id: str | None, persona_id: str | None, greeting: int, title: str
) -> Conversation:
    card = card_of(load_card(connection, card_id)) if card_id else None
    if persona_id:
        load_persona(connection, persona_id)
    made = create(connection, title=title or (card.name if card else ""), card_id=card_id, persona_id=persona_id)
    if card is None or not card.greetings:
        return made
    if not 0 <= greeting < len(card.greetings):
        raise Invalid(NO_SUCH_GREETING, count=len(card.greetings), number=greeting + 1)
    scope = scope_of(
        card, reader_of(connection, persona_id, card), seed=made.id, pick_seed=made.id, now=datetime.now().astimezone()
    )
    roots = [_greet(connection, made.id, expand(text, scope), index) for index, text in enumerate(card.greetings)]
    if roots[greeting] != roots[-1]:
        move(connection, made.id, roots[greeting], expected_leaf=roots[-1], cause=GREETING)
    return load_conversation(connection, made.id)


def _greet(connection: Connection, conversation_id: ConversationId, text: str, index: int) -> EntryId:
    leaf = load_conversation(connection, conversation_id).leaf_id
    draft = Draft(id=EntryId(new_id()), parent_id=None, role=ASSISTANT, text=text, data={"greeting": index})
    return append(connection, conversation_id, draft, expected_leaf=leaf, cause=GREETING).id
