"""Characters, personas, connections and preferences in SQL. What is deleted can come back."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, TypeVar

from sqlalchemy import Connection, Row, Select, Table, bindparam, delete, func, insert, select, update
from sqlalchemy.dialects import postgresql, sqlite

from liyuan.domain.errors import NotFound
from liyuan.store.database import new_id, now
from liyuan.store.tables import cards, connections, personas, preferences


@dataclass(frozen=True, slots=True, kw_only=True)
class CardRow:
    """A stored character. `data` is the card's own JSON; `image_id` names a file of `store/media.py`."""

    id: str
    name: str
    data: Mapping[str, Any] = field(repr=False)
    image_id: str | None
    created_at: str
    updated_at: str


@dataclass(frozen=True, slots=True, kw_only=True)
class PersonaRow:
    """The reader's own character. At most one living persona is the default."""

    id: str
    name: str
    description: str
    image_id: str | None
    is_default: bool
    created_at: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ConnectionRow:
    """A saved way to a model. `sealed_key` is opened by `store/secrets.py` alone.

    `options` is {"sampling": {the fields of model.chat.Sampling that are set}, "context_tokens": a number};
    both may be absent. At most one living connection is the default.
    """

    id: str
    name: str
    provider: str
    base_url: str
    model: str
    sealed_key: bytes | None = field(repr=False)
    options: Mapping[str, Any]
    is_default: bool
    created_at: str


AnyRow = TypeVar("AnyRow", CardRow, PersonaRow, ConnectionRow)

_CARD = [cards.c[name] for name in CardRow.__dataclass_fields__]
_PERSONA = [personas.c[name] for name in PersonaRow.__dataclass_fields__]
_CONNECTION = [connections.c[name] for name in ConnectionRow.__dataclass_fields__]

_card = select(*_CARD).where(cards.c.id == bindparam("wanted"))
_living_card = _card.where(cards.c.deleted_at.is_(None))
_persona = select(*_PERSONA).where(personas.c.id == bindparam("wanted"))
_living_persona = _persona.where(personas.c.deleted_at.is_(None))
_default_persona = select(*_PERSONA).where(personas.c.deleted_at.is_(None), personas.c.is_default)
_living_connection = select(*_CONNECTION).where(
    connections.c.id == bindparam("wanted"), connections.c.deleted_at.is_(None)
)
_default_connection = select(*_CONNECTION).where(connections.c.deleted_at.is_(None), connections.c.is_default)
#: The preference, and the setting of a branch, that offers the story model its context tools (decision 16).
CONTEXT_TOOLS_ON = "context_tools"
_preferences = select(preferences)


def add_card(connection: Connection, name: str, data: Mapping[str, Any], image_id: str | None = None) -> CardRow:
    """Puts a character on the shelf. `data` is kept as it is, key order and unknown keys included."""
    at = now()
    row = CardRow(id=new_id(), name=name, data=data, image_id=image_id, created_at=at, updated_at=at)
    connection.execute(
        insert(cards).values(id=row.id, name=name, data=dict(data), image_id=image_id, created_at=at, updated_at=at)
    )
    return row


def load_card(connection: Connection, card_id: str, *, deleted: bool = False) -> CardRow:
    """One character, with `deleted` also a deleted one (its stories keep it). Raises NotFound."""
    return _one(connection, _card if deleted else _living_card, CardRow, "character", card_id)


def list_cards(
    connection: Connection, query: str = "", *, limit: int | None = None, before: str | None = None
) -> tuple[CardRow, ...]:
    """Living characters whose name holds `query`, the newest first, below the one with the id `before`."""
    wanted = select(*_CARD).where(cards.c.deleted_at.is_(None)).order_by(cards.c.id.desc()).limit(limit)
    if query.strip():
        wanted = wanted.where(cards.c.name.icontains(query.strip(), autoescape=True))
    if before:
        wanted = wanted.where(cards.c.id < before)
    return tuple(_made(CardRow, row) for row in connection.execute(wanted))


def change_card(connection: Connection, card_id: str, /, **changes: Any) -> CardRow:
    """Sets any of `name`, `data`, `image_id`. Raises NotFound."""
    _change(connection, cards, card_id, "character", {**changes, "updated_at": now()})
    return load_card(connection, card_id)


def delete_card(connection: Connection, card_id: str) -> None:
    """Takes a character off the shelf; its stories stay. Raises NotFound."""
    _change(connection, cards, card_id, "character", {"deleted_at": now()})


def undelete_card(connection: Connection, card_id: str) -> CardRow:
    """Brings a deleted character back. Raises NotFound when there never was one."""
    _bring_back(connection, cards, card_id)
    return load_card(connection, card_id)


def add_persona(connection: Connection, name: str, description: str = "", image_id: str | None = None) -> PersonaRow:
    """The first living persona becomes the default."""
    row = PersonaRow(
        id=new_id(),
        name=name,
        description=description,
        image_id=image_id,
        is_default=_is_first(connection, personas),
        created_at=now(),
    )
    connection.execute(insert(personas).values(**_fields(row)))
    return row


def load_persona(connection: Connection, persona_id: str, *, deleted: bool = False) -> PersonaRow:
    """One persona, with `deleted` also one that was deleted. Raises NotFound."""
    return _one(connection, _persona if deleted else _living_persona, PersonaRow, "persona", persona_id)


def list_personas(connection: Connection) -> tuple[PersonaRow, ...]:
    """Living personas, in the order they were made."""
    wanted = select(*_PERSONA).where(personas.c.deleted_at.is_(None)).order_by(personas.c.id)
    return tuple(_made(PersonaRow, row) for row in connection.execute(wanted))


def default_persona(connection: Connection) -> PersonaRow | None:
    """Who the reader is where a story does not say."""
    row = connection.execute(_default_persona).first()
    return _made(PersonaRow, row) if row else None


def change_persona(connection: Connection, persona_id: str, /, **changes: Any) -> PersonaRow:
    """Sets any of `name`, `description`, `image_id`. Raises NotFound."""
    _change(connection, personas, persona_id, "persona", changes)
    return load_persona(connection, persona_id)


def prefer_persona(connection: Connection, persona_id: str | None) -> None:
    """Makes this persona the default, or none. Raises NotFound."""
    _prefer(connection, personas, persona_id, "persona")


def delete_persona(connection: Connection, persona_id: str) -> None:
    """Takes a persona away; stories told with it keep it. Raises NotFound."""
    _change(connection, personas, persona_id, "persona", {"deleted_at": now(), "is_default": False})


def undelete_persona(connection: Connection, persona_id: str) -> PersonaRow:
    """Brings a deleted persona back. Raises NotFound when there never was one."""
    _bring_back(connection, personas, persona_id)
    return load_persona(connection, persona_id)


def add_connection(
    connection: Connection,
    *,
    name: str,
    provider: str,
    base_url: str = "",
    model: str = "",
    sealed_key: bytes | None = None,
    options: Mapping[str, Any] | None = None,
) -> ConnectionRow:
    """The first living connection becomes the default."""
    row = ConnectionRow(
        id=new_id(),
        name=name,
        provider=provider,
        base_url=base_url,
        model=model,
        sealed_key=sealed_key,
        options=dict(options or {}),
        is_default=_is_first(connection, connections),
        created_at=now(),
    )
    connection.execute(insert(connections).values(**_fields(row)))
    return row


def load_connection(connection: Connection, connection_id: str) -> ConnectionRow:
    """One living connection. Raises NotFound."""
    return _one(connection, _living_connection, ConnectionRow, "connection", connection_id)


def list_connections(connection: Connection) -> tuple[ConnectionRow, ...]:
    """Living connections, in the order they were made."""
    wanted = select(*_CONNECTION).where(connections.c.deleted_at.is_(None)).order_by(connections.c.id)
    return tuple(_made(ConnectionRow, row) for row in connection.execute(wanted))


def default_connection(connection: Connection) -> ConnectionRow | None:
    """The model that plays where a story does not name another."""
    row = connection.execute(_default_connection).first()
    return _made(ConnectionRow, row) if row else None


def change_connection(connection: Connection, connection_id: str, /, **changes: Any) -> ConnectionRow:
    """Sets any of `name`, `provider`, `base_url`, `model`, `sealed_key`, `options`. Raises NotFound."""
    _change(connection, connections, connection_id, "connection", changes)
    return load_connection(connection, connection_id)


def prefer_connection(connection: Connection, connection_id: str | None) -> None:
    """Makes this connection the default, or none. Raises NotFound."""
    _prefer(connection, connections, connection_id, "connection")


def delete_connection(connection: Connection, connection_id: str) -> None:
    """Takes a connection away; stories that used it play with the default. Raises NotFound."""
    _change(connection, connections, connection_id, "connection", {"deleted_at": now(), "is_default": False})


def undelete_connection(connection: Connection, connection_id: str) -> ConnectionRow:
    """Brings a deleted connection back, its key included. Raises NotFound when there never was one."""
    _bring_back(connection, connections, connection_id)
    return load_connection(connection, connection_id)


def load_preferences(connection: Connection) -> dict[str, Any]:
    """Everything the person has chosen, by key. What was never chosen is absent."""
    return {row.key: row.value for row in connection.execute(_preferences)}


def keep_preferences(connection: Connection, /, **changes: Any) -> None:
    """Sets these preferences; None forgets one."""
    insert_into = postgresql.insert if connection.dialect.name == "postgresql" else sqlite.insert
    for key, value in changes.items():
        if value is None:
            connection.execute(delete(preferences).where(preferences.c.key == key))
        else:
            fresh = insert_into(preferences).values(key=key, value=value)
            settled = fresh.on_conflict_do_update(index_elements=["key"], set_={"value": fresh.excluded.value})
            connection.execute(settled)


def _one(connection: Connection, wanted: Select[Any], made: type[AnyRow], what: str, row_id: str) -> AnyRow:
    row = connection.execute(wanted, {"wanted": row_id}).first()
    if row is None:
        raise NotFound(what=what, id=row_id)
    return _made(made, row)


def _made(made: type[AnyRow], row: Row[Any]) -> AnyRow:
    return made(**row._mapping)


def _fields(row: PersonaRow | ConnectionRow) -> dict[str, Any]:
    return {name: getattr(row, name) for name in row.__dataclass_fields__}


def _change(connection: Connection, table: Table, row_id: str, what: str, changes: Mapping[str, Any]) -> None:
    living = update(table).where(table.c.id == row_id, table.c.deleted_at.is_(None))
    if connection.execute(living.values(id=table.c.id, **changes)).rowcount != 1:
        raise NotFound(what=what, id=row_id)


def _bring_back(connection: Connection, table: Table, row_id: str) -> None:
    connection.execute(update(table).where(table.c.id == row_id).values(deleted_at=None))


def _prefer(connection: Connection, table: Table, row_id: str | None, what: str) -> None:
    connection.execute(update(table).where(table.c.is_default).values(is_default=False))
    if row_id is not None:
        _change(connection, table, row_id, what, {"is_default": True})


def _is_first(connection: Connection, table: Table) -> bool:
    living = select(func.count()).select_from(table).where(table.c.deleted_at.is_(None))
    return connection.execute(living).scalar_one() == 0
