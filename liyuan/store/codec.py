"""Rows to values and back. The one place that knows both column names and entry fields."""

from __future__ import annotations

from typing import Any

from sqlalchemy import ColumnElement, Row

from liyuan.domain.entry import ConversationId, Draft, Entry, Place
from liyuan.store.tables import entries

# Everything an Entry is made of, in the order `entry_from` reads it.
ENTRY_COLUMNS: tuple[ColumnElement[Any], ...] = (
    entries.c.id,
    entries.c.parent_id,
    entries.c.kind,
    entries.c.role,
    entries.c.text,
    entries.c.data,
    entries.c.status,
    entries.c.created_at,
    entries.c.extra,
    entries.c.segment_id,
    entries.c.depth,
    entries.c.turn,
    entries.c.state_id,
    entries.c.summary_id,
    entries.c.save_id,
    entries.c.setting_id,
    entries.c.jump_id,
    entries.c.jump_depth,
)


def entry_from(row: Row[*tuple[Any, ...]]) -> Entry:
    """The entry in a row that begins with ENTRY_COLUMNS."""
    return Entry(
        id=row[0],
        parent_id=row[1],
        kind=row[2],
        role=row[3],
        text=row[4],
        data=row[5],
        status=row[6],
        created_at=row[7],
        extra=row[8],
        place=Place(
            segment_id=row[9],
            depth=row[10],
            turn=row[11],
            state_id=row[12],
            summary_id=row[13],
            save_id=row[14],
            setting_id=row[15],
            jump_id=row[16],
            jump_depth=row[17],
        ),
    )


def entry_row(conversation_id: ConversationId, draft: Draft, place: Place) -> dict[str, Any]:
    """The row that stores a draft at its place."""
    return {
        "id": draft.id,
        "conversation_id": conversation_id,
        "parent_id": draft.parent_id,
        "kind": draft.kind,
        "role": draft.role,
        "text": draft.text,
        "data": dict(draft.data),
        "status": draft.status,
        "created_at": draft.created_at,
        "extra": dict(draft.extra),
        "target_id": draft.target_id,
        "segment_id": place.segment_id,
        "depth": place.depth,
        "turn": place.turn,
        "state_id": place.state_id,
        "summary_id": place.summary_id,
        "save_id": place.save_id,
        "setting_id": place.setting_id,
        "jump_id": place.jump_id,
        "jump_depth": place.jump_depth,
    }
