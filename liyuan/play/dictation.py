"""Writing down what was said elsewhere: a message of either role, word for word. No turn begins and no model is asked.

The scribe and the memory take such messages in with the next turn that is played below them, as after an import.
"""

from __future__ import annotations

from typing import Literal

from sqlalchemy import Connection

from liyuan.domain.entry import ConversationId, Draft, Entry, EntryId
from liyuan.domain.errors import Invalid
from liyuan.play.turn import LONGEST_MESSAGE, TOO_LONG
from liyuan.resources import Resources
from liyuan.store.database import new_id
from liyuan.store.standing import standing
from liyuan.store.tree import append

NO_TEXT = "There is nothing to write down: the message is empty."


async def dictate(
    resources: Resources,
    conversation_id: ConversationId,
    role: Literal["user", "assistant"],
    text: str,
    *,
    expected_leaf: EntryId | None,
) -> Entry:
    """Appends a message below `expected_leaf`; None for an empty conversation. Macros stay as they are written.

    Raises LeafMoved, Busy, NotFound, or Invalid for an empty or overlong message; then nothing is written.
    """
    if not text.strip():
        raise Invalid(NO_TEXT)
    if len(text) > LONGEST_MESSAGE:
        raise Invalid(TOO_LONG, length=len(text), limit=LONGEST_MESSAGE)
    return await resources.database.write(_dictate, conversation_id, role, text, expected_leaf)


def _dictate(
    connection: Connection, conversation_id: ConversationId, role: str, text: str, expected_leaf: EntryId | None
) -> Entry:
    leaf = standing(connection, conversation_id, expected_leaf)
    draft = Draft(id=EntryId(new_id()), parent_id=leaf, role=role, text=text)
    return append(connection, conversation_id, draft, expected_leaf=leaf)
