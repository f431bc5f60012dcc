"""The rows beside rp-save entries, written in the same breath as they are. `saves.py` reads and changes them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from sqlalchemy import Connection
from sqlalchemy.dialects import postgresql, sqlite

from liyuan.domain.entry import ConversationId, Draft, EntryId
from liyuan.domain.saves import Save, line_name_of, save_of
from liyuan.store.tables import saves, worldlines


def book(connection: Connection, conversation_id: ConversationId, draft: Draft, above_id: EntryId | None) -> None:
    """Writes down a save that was just appended, and its worldline where that is new. Called by `tree.append` alone."""
    save = save_of(draft, above_id)
    add_worldlines(connection, conversation_id, [(save.worldline_id, line_name_of(draft))])
    connection.execute(saves.insert(), save_row(conversation_id, save))


def save_row(conversation_id: ConversationId, save: Save) -> dict[str, Any]:
    return {
        "entry_id": save.id,
        "conversation_id": conversation_id,
        "above_id": save.above_id,
        "worldline_id": save.worldline_id,
        "name": save.name,
        "source": save.source,
        "deleted_at": save.deleted_at,
    }


def add_worldlines(connection: Connection, conversation_id: ConversationId, named: Iterable[tuple[str, str]]) -> None:
    """Adds the worldlines (id, name) that are not there yet; those that are keep their names."""
    make = postgresql.insert if connection.dialect.name == "postgresql" else sqlite.insert
    rows = [{"conversation_id": conversation_id, "id": key, "name": name} for key, name in named]
    if rows:
        connection.execute(make(worldlines).on_conflict_do_nothing(), rows)
