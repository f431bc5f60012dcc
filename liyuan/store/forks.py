"""Where other ways leave from a path: how many children in sight each entry has beside the one that is followed."""

from __future__ import annotations

from collections.abc import Sequence

from sqlalchemy import Connection, bindparam, exists, func, select

from liyuan.domain.entry import ConversationId, Entry, EntryId
from liyuan.store.tables import entries, pruned

_counted = (
    select(entries.c.parent_id, func.count())
    .where(
        entries.c.conversation_id == bindparam("conversation"),
        entries.c.parent_id.in_(bindparam("parents", expanding=True)),
        ~exists().where(pruned.c.entry_id == entries.c.id),
    )
    .group_by(entries.c.parent_id)
)


def count_forks(
    connection: Connection, conversation_id: ConversationId, run: Sequence[Entry], leaf_id: EntryId | None
) -> dict[EntryId, int]:
    """For each entry of a run of the path of `leaf_id`, the other ways from it; entries with none are left out."""
    if not run:
        return {}
    rows = connection.execute(_counted, {"conversation": conversation_id, "parents": [entry.id for entry in run]})
    others = {row[0]: row[1] - (row[0] != leaf_id) for row in rows}
    return {key: count for key, count in others.items() if count > 0}
