"""Where a searched word stands in a story: a few words around it, so that a person sees why it was found."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from sqlalchemy import Connection, select

from liyuan.domain.entry import MESSAGE, REVISION, ConversationId
from liyuan.store.tables import entries

BEFORE, AFTER = 40, 100


@dataclass(frozen=True, slots=True)
class Excerpt:
    """The word as it is written there, and up to 40 characters before and 100 after it, on one line."""

    before: str
    found: str
    after: str


def load_excerpts(
    connection: Connection, conversation_ids: Collection[ConversationId], query: str
) -> dict[ConversationId, Excerpt]:
    """The latest place of `query` in each of these conversations; those where only the title has it are left out."""
    query = query.strip()
    if not query or not conversation_ids:
        return {}
    wanted = (
        select(entries.c.conversation_id, entries.c.text)
        .where(
            entries.c.conversation_id.in_(conversation_ids),
            entries.c.kind.in_((MESSAGE, REVISION)),
            entries.c.text.icontains(query, autoescape=True),
        )
        .order_by(entries.c.seq)
    )
    return {row[0]: excerpt(row[1], query) for row in connection.execute(wanted)}


def excerpt(text: str, query: str) -> Excerpt:
    """The first place of `query` in `text`; letters of either case are the same."""
    line = " ".join(text.split())
    at = line.lower().find(" ".join(query.lower().split()))
    if at < 0:
        return Excerpt(line[:AFTER], "", "")
    end = at + len(" ".join(query.split()))
    start = max(0, at - BEFORE)
    before = ("…" if start else "") + line[start:at]
    after = line[end : end + AFTER] + ("…" if end + AFTER < len(line) else "")
    return Excerpt(before, line[at:end], after)
