"""The settings in force at a place of the tree: every `setting` entry on its path, the deeper over the higher."""

from __future__ import annotations

from typing import Any

from sqlalchemy import Connection, bindparam, select

from liyuan.domain.entry import EntryId
from liyuan.store.tables import entries

_above = entries.alias("above")
_setting = (
    select(entries.c.data, _above.c.setting_id)
    .outerjoin(_above, _above.c.id == entries.c.parent_id)
    .where(entries.c.id == bindparam("entry"))
)


def load_settings(connection: Connection, setting_id: EntryId | None) -> dict[str, Any]:
    """What the setting nearest to a place says, laid over those above it. One query for each setting on the path."""
    settings: dict[str, Any] = {}
    while setting_id is not None:
        row = connection.execute(_setting, {"entry": setting_id}).one()
        settings = {**row.data, **settings}
        setting_id = row.setting_id
    return settings
