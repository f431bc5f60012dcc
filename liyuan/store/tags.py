"""Tags: names that people, models and programs give to entries. One name an entry of a story, in a table beside it."""

from __future__ import annotations

from sqlalchemy import Connection, delete, select
from sqlalchemy.dialects import postgresql, sqlite

from liyuan.domain.entry import ConversationId, EntryId
from liyuan.domain.errors import NotFound
from liyuan.store.tables import tags


def keep_tag(connection: Connection, conversation_id: ConversationId, name: str, entry_id: EntryId) -> None:
    """Gives an entry a name; a name that is there already moves to it."""
    make = postgresql.insert if connection.dialect.name == "postgresql" else sqlite.insert
    fresh = make(tags).values(conversation_id=conversation_id, name=name, entry_id=entry_id)
    keys = [tags.c.conversation_id, tags.c.name]
    connection.execute(fresh.on_conflict_do_update(index_elements=keys, set_={"entry_id": entry_id}))


def drop_tag(connection: Connection, conversation_id: ConversationId, name: str) -> EntryId:
    """Takes a name away; answers what it named. Raises NotFound."""
    found = load_tag(connection, conversation_id, name)
    if found is None:
        raise NotFound(what="tag", id=name)
    connection.execute(delete(tags).where(tags.c.conversation_id == conversation_id, tags.c.name == name))
    return found


def load_tag(connection: Connection, conversation_id: ConversationId, name: str) -> EntryId | None:
    """The entry that a name stands for."""
    statement = select(tags.c.entry_id).where(tags.c.conversation_id == conversation_id, tags.c.name == name)
    found: EntryId | None = connection.execute(statement).scalar_one_or_none()
    return found


def load_tags(connection: Connection, conversation_id: ConversationId) -> dict[str, EntryId]:
    """Every name and what it stands for."""
    statement = select(tags.c.name, tags.c.entry_id).where(tags.c.conversation_id == conversation_id)
    return {row[0]: row[1] for row in connection.execute(statement.order_by(tags.c.name))}
