"""Summaries on the reader's wish: asking for one, correcting one, taking one out of force from here on."""

from __future__ import annotations

from sqlalchemy import Connection

from liyuan.domain.entry import SUMMARY, ConversationId, Draft, EntryId
from liyuan.domain.errors import Invalid
from liyuan.resources import Resources
from liyuan.store.database import new_id
from liyuan.store.pruning import require_idle
from liyuan.store.runs import Run, queue
from liyuan.store.standing import standing
from liyuan.store.tree import append, load_entry

COMPACTION = "compaction"


async def compact(resources: Resources, conversation_id: ConversationId, *, expected_leaf: EntryId | None) -> Run:
    """Asks for a summary now, due or not; it comes in the background. Raises LeafMoved, Busy, NotFound."""
    run = await resources.database.write(_compact, conversation_id, expected_leaf)
    await resources.worker.submit(run)
    return run


def _compact(connection: Connection, conversation_id: ConversationId, expected_leaf: EntryId | None) -> Run:
    leaf = standing(connection, conversation_id, expected_leaf)
    require_idle(connection, conversation_id, leaf)
    if leaf is None:
        raise Invalid("There is nothing to summarise yet.")
    return queue(connection, conversation_id, leaf, asked=COMPACTION)


async def correct(
    resources: Resources,
    conversation_id: ConversationId,
    summary_id: EntryId,
    text: str,
    *,
    expected_leaf: EntryId | None,
) -> EntryId:
    """Puts another text in the place of a summary, as a new entry at the leaf; the old one is never rewritten.

    An empty text takes the summary out of force from here on, and the full story comes back into the prompt.
    Raises LeafMoved, Busy, NotFound, or Invalid for an entry that is no summary.
    """
    return await resources.database.write(_correct, conversation_id, summary_id, text.strip(), expected_leaf)


def _correct(
    connection: Connection,
    conversation_id: ConversationId,
    summary_id: EntryId,
    text: str,
    expected_leaf: EntryId | None,
) -> EntryId:
    old = load_entry(connection, conversation_id, summary_id)
    if old.kind != SUMMARY:
        raise Invalid("Only a summary can be corrected here.")
    leaf = standing(connection, conversation_id, expected_leaf)
    kept = {name: old.data.get(name) for name in ("covers_through_id", "turns")} if text else {"turns": 0}
    draft = Draft(id=EntryId(new_id()), parent_id=leaf, kind=SUMMARY, data={"text": text, **kept, "source": "user"})
    return append(connection, conversation_id, draft, expected_leaf=leaf).id
