"""Names that quote what was redacted: a save is often called after the first words of a reply, and a line after a save.

The one place that changes what a save entry holds; which line it is on, and where it stands, stays.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from sqlalchemy import Connection, select, update

from liyuan.domain.entry import SAVE, ConversationId, Entry
from liyuan.domain.save_names import quotes, turn_name
from liyuan.domain.saves import QUOTED_NAME, shortened
from liyuan.store.chapters import load_language
from liyuan.store.codec import ENTRY_COLUMNS, entry_from
from liyuan.store.saves import load_forest, load_worldline_names
from liyuan.store.tables import entries, saves, worldlines


def forget_names(connection: Connection, conversation_id: ConversationId, texts: Iterable[str]) -> None:
    """Gives every save that is called after one of these texts the number of its turn as its name, deleted ones too."""
    texts = [text for text in texts if text.strip()]
    statement = select(*ENTRY_COLUMNS).where(entries.c.conversation_id == conversation_id, entries.c.kind == SAVE)
    made = {entry.id: entry for entry in map(entry_from, connection.execute(statement).all())}
    if not texts or not made:
        return
    present = {key: save.name for key, save in load_forest(connection, conversation_id).items()}
    language = load_language(connection, conversation_id)
    told = {
        name: turn_name(entry.place.turn, language)
        for key, entry in made.items()
        for name in (present.get(key, ""), str(entry.data.get("name", "")))
        if name and any(quotes(name, text) for text in texts)
    }
    if told:
        _rename(connection, conversation_id, made.values(), present, told)


def _rename(
    connection: Connection,
    conversation_id: ConversationId,
    made: Iterable[Entry],
    present: dict[Any, str],
    told: dict[str, str],
) -> None:
    for entry in made:
        connection.execute(
            update(entries).where(entries.c.id == entry.id).values(data=_without(dict(entry.data), told))
        )
        if present.get(entry.id) in told:
            connection.execute(update(saves).where(saves.c.entry_id == entry.id).values(name=told[present[entry.id]]))
    for key, name in load_worldline_names(connection, conversation_id).items():
        here = (worldlines.c.conversation_id == conversation_id) & (worldlines.c.id == key)
        connection.execute(update(worldlines).where(here).values(name=_replaced(name, told)))


def _without(data: dict[str, Any], told: dict[str, str]) -> dict[str, Any]:
    if data.get("name") in told:
        data["name"] = told[data["name"]]
    if isinstance(data.get("worldline_name"), str):
        data["worldline_name"] = _replaced(data["worldline_name"], told)
    return data


def _replaced(line: str, told: dict[str, str]) -> str:
    """The name of a worldline without the name of the save it was called after."""
    for old, new in told.items():
        for opens, closes in ("“”", "「」"):
            line = line.replace(f"{opens}{shortened(old, QUOTED_NAME)}{closes}", f"{opens}{new}{closes}")
    return line
