"""Emptying an entry for good. The one place that changes an entry's payload; the tree around it stays as it is."""

from __future__ import annotations

from typing import Any, Final

from sqlalchemy import Connection, select, update

from liyuan.domain.entry import BRANCH_SUMMARY, SUMMARY, ConversationId, Entry, EntryId
from liyuan.store.codec import ENTRY_COLUMNS, entry_from
from liyuan.store.save_redaction import forget_names
from liyuan.store.tables import entries

REDACTED: Final = "redacted"
CARRIED: Final = "carried_from_id"
# What an emptied entry still tells of its place among the others.
KEPT: Final = ("covers_through_id", "from_id", "turns", "source", CARRIED)
# A text shorter than this is quoted by chance; a summary that holds a longer one holds it because it was said.
QUOTE = 12


def empty(connection: Connection, conversation_id: ConversationId, entry: Entry) -> list[EntryId]:
    """Empties an entry, its revisions, and every summary that quotes one of them word for word. Answers their ids.

    Words that a model's checkout carried to another place are there twice or more (decision 16): all of them go.
    """
    copies = _copies(connection, conversation_id, entry)
    statement = select(*ENTRY_COLUMNS).where(
        entries.c.target_id.in_([one.id for one in copies]), entries.c.conversation_id == conversation_id
    )
    gone = [*copies, *map(entry_from, connection.execute(statement))]
    quoting = _quoting(connection, conversation_id, [one.text for one in gone if one.text and len(one.text) >= QUOTE])
    emptied = [*gone, *quoting]
    for one in emptied:
        connection.execute(update(entries).where(entries.c.id == one.id).values(**_emptied(one)))
    forget_names(connection, conversation_id, [one.text for one in gone if one.text])
    return [one.id for one in emptied]


def _copies(connection: Connection, conversation_id: ConversationId, entry: Entry) -> list[Entry]:
    """The entry and the same words in other places: where they were carried from, and to."""
    if not entry.is_user:
        return [entry]
    carried = select(*ENTRY_COLUMNS).where(
        entries.c.conversation_id == conversation_id, entries.c.data[CARRIED].as_string().is_not(None)
    )
    joined = {one.id: one.data[CARRIED] for one in map(entry_from, connection.execute(carried))}
    same, size = {entry.id}, 0
    while size < len(same):
        size = len(same)
        for copy, origin in joined.items():
            if copy in same or origin in same:
                same |= {copy, origin}
    found = select(*ENTRY_COLUMNS).where(entries.c.conversation_id == conversation_id, entries.c.id.in_(same))
    return [entry, *(one for one in map(entry_from, connection.execute(found)) if one.id != entry.id)]


def _emptied(entry: Entry) -> dict[str, Any]:
    kept = {"target_id": entry.data["target_id"]} if "target_id" in entry.data else {}
    kept |= {name: entry.data[name] for name in KEPT if name in entry.data}
    return {"text": "" if entry.text is not None else None, "data": {REDACTED: True, **kept}, "extra": {}}


def _quoting(connection: Connection, conversation_id: ConversationId, texts: list[str]) -> list[Entry]:
    if not texts:
        return []
    statement = select(*ENTRY_COLUMNS).where(
        entries.c.conversation_id == conversation_id, entries.c.kind.in_([SUMMARY, BRANCH_SUMMARY])
    )
    summaries = list(map(entry_from, connection.execute(statement)))
    return [one for one in summaries if any(text in _said(one) for text in texts)]


def _said(entry: Entry) -> str:
    return f"{entry.text or ''}\n{entry.data.get('text', '')}"
