"""One exchange: the reader's words are heard and committed, then answered. The server owns the turn from there on.

The prompt is gathered from what the reply will hang on, so a swipe's prompt cannot hold what it replaces. No
transaction is open while the model speaks; the reply is appended in one, under the same guard as every other entry.
"""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import Connection

from liyuan.domain.entry import USER, ConversationId, Draft, Entry, EntryId
from liyuan.domain.errors import Invalid
from liyuan.domain.macros import expand, scope_of
from liyuan.play.answer import answer
from liyuan.play.settle import settle
from liyuan.resources import Resources
from liyuan.stage import Performance
from liyuan.store.branch import active_leaf
from liyuan.store.cast import load_cast
from liyuan.store.conversations import keep_draft, load_conversation
from liyuan.store.database import new_id
from liyuan.store.performances import Performing, begin
from liyuan.store.standing import standing
from liyuan.store.tree import append, load_entry

LONGEST_MESSAGE = 200_000
TOO_LONG = "This message has {length} characters; at most {limit} are taken."


async def hear(
    resources: Resources, conversation_id: ConversationId, text: str, *, expected_leaf: EntryId | None
) -> Performance:
    """Commits the reader's words below `expected_leaf` and lets the reply begin. Returns as soon as the words are safe.

    Raises LeafMoved, Busy, NotFound, or Invalid for an empty or overlong message; then nothing is written.
    """
    if not text.strip():
        raise Invalid("There is nothing to send yet: write something first.")
    if len(text) > LONGEST_MESSAGE:
        raise Invalid(TOO_LONG, length=len(text), limit=LONGEST_MESSAGE)
    await settle(resources, conversation_id, expected_leaf)
    performing, message = await resources.database.write(
        _hear, conversation_id, text, expected_leaf, resources.stage.owner
    )
    return start(resources, performing, message)


def _hear(
    connection: Connection, conversation_id: ConversationId, text: str, expected_leaf: EntryId | None, owner: str
) -> tuple[Performing, Entry]:
    expected_leaf = standing(connection, conversation_id, expected_leaf)
    key = EntryId(new_id())
    spoken = _expanded(connection, conversation_id, text, expected_leaf, key)
    draft = Draft(id=key, parent_id=expected_leaf, role=USER, text=spoken)
    message = append(connection, conversation_id, draft, expected_leaf=expected_leaf)
    keep_draft(connection, conversation_id, "")
    performing = begin(
        connection, conversation_id, "reply", parent_id=message.id, expected_leaf=message.id, owner=owner
    )
    return performing, message


def _expanded(
    connection: Connection, conversation_id: ConversationId, text: str, leaf: EntryId | None, key: EntryId
) -> str:
    """The reader's macros, once: dice that were thrown stay thrown."""
    if "{{" not in text:
        return text
    cast = load_cast(connection, conversation_id, load_entry(connection, conversation_id, leaf) if leaf else None)
    now = datetime.now().astimezone()
    return expand(text, scope_of(cast.card, cast.persona, seed=key, pick_seed=conversation_id, now=now))


async def carry_on(
    resources: Resources, conversation_id: ConversationId, *, expected_leaf: EntryId | None
) -> Performance:
    """Lets the last reply go on where it stopped; when the reader spoke last, or nobody did, lets the model reply.

    Raises LeafMoved, Busy or NotFound.
    """
    await settle(resources, conversation_id, expected_leaf)
    performing = await resources.database.write(_carry_on, conversation_id, expected_leaf, resources.stage.owner)
    return start(resources, performing)


def _carry_on(
    connection: Connection, conversation_id: ConversationId, expected_leaf: EntryId | None, owner: str
) -> Performing:
    expected_leaf = standing(connection, conversation_id, expected_leaf)
    last = _last_message(connection, conversation_id, expected_leaf)
    goes_on = last is not None and last.is_reply
    return begin(
        connection,
        conversation_id,
        "continue" if goes_on else "reply",
        parent_id=last.id if last and goes_on else expected_leaf,
        expected_leaf=expected_leaf,
        owner=owner,
    )


def _last_message(connection: Connection, conversation_id: ConversationId, leaf: EntryId | None) -> Entry | None:
    while leaf is not None:
        entry = load_entry(connection, conversation_id, leaf)
        if entry.is_reply or entry.is_user:
            return entry
        leaf = entry.parent_id
    return None


async def impersonate(resources: Resources, conversation_id: ConversationId) -> Performance:
    """Lets the model write the reader's next words, for the composer. Nothing is appended. Raises Busy or NotFound."""
    performing = await resources.database.write(_impersonate, conversation_id, resources.stage.owner)
    return start(resources, performing)


def _impersonate(connection: Connection, conversation_id: ConversationId, owner: str) -> Performing:
    leaf = active_leaf(connection, conversation_id)
    return begin(connection, conversation_id, "impersonate", parent_id=leaf, expected_leaf=leaf, owner=owner)


async def stop(resources: Resources, conversation_id: ConversationId) -> None:
    """Stops whoever performs. What was said is kept, marked interrupted; when nothing was, nothing is written."""
    await resources.database.read(load_conversation, conversation_id)
    await resources.stage.stop(conversation_id)


def start(resources: Resources, performing: Performing, message: Entry | None = None) -> Performance:
    """Lets a performance that has taken the stage begin."""

    async def play(performance: Performance) -> None:
        await answer(resources, performance)

    return resources.stage.start(Performance(performing, message), play)
