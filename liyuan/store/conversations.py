"""Conversations as a list and one by one. The tree below them is `tree.py`'s; this is the shelf they stand on."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Literal, TypeAlias

from sqlalchemy import Connection, Row, Select, and_, bindparam, exists, func, insert, or_, select, update

from liyuan.domain.entry import MESSAGE, REVISION, ConversationId, EntryId
from liyuan.domain.errors import Invalid, NotFound
from liyuan.store.database import new_id, now
from liyuan.store.settings_at import load_settings
from liyuan.store.tables import cards, conversations, entries, runs

ConversationStatus: TypeAlias = Literal["idle", "generating", "settling"]
TITLE_LIMIT = 200
LAST_LINE = 160


@dataclass(frozen=True, slots=True, kw_only=True)
class Conversation:
    """One tree and its leaf. `turns` counts the reader's messages on the active branch."""

    id: ConversationId
    title: str
    card_id: str | None
    persona_id: str | None
    connection_id: str | None
    leaf_id: EntryId | None
    performance_id: str | None
    draft: str
    turns: int
    created_at: str
    updated_at: str
    extra: Mapping[str, Any] = field(default_factory=dict)
    setting_id: EntryId | None = None
    is_settling: bool = False

    @property
    def status(self) -> ConversationStatus:
        """What goes on here now; "settling" while a run after a turn is queued or running."""
        if self.performance_id:
            return "generating"
        return "settling" if self.is_settling else "idle"


@dataclass(frozen=True, slots=True, kw_only=True)
class Listed:
    """A conversation on the shelf, with what helps to recognise it. `last_line` is cut to 160 characters."""

    conversation: Conversation
    card_name: str | None
    card_image_id: str | None
    last_line: str


_leaf = entries.alias("leaf")
_columns = (
    conversations.c.id,
    conversations.c.title,
    conversations.c.card_id,
    conversations.c.persona_id,
    conversations.c.connection_id,
    conversations.c.leaf_id,
    conversations.c.performance_id,
    conversations.c.draft,
    func.coalesce(_leaf.c.turn, 0).label("turns"),
    conversations.c.created_at,
    conversations.c.updated_at,
    conversations.c.extra,
    _leaf.c.setting_id,
    exists()
    .where(runs.c.conversation_id == conversations.c.id, runs.c.state.in_(("queued", "running")))
    .label("is_settling"),
)
_names = tuple(column.name for column in _columns)
_alive = conversations.c.deleted_at.is_(None)


def _as_chosen(connection: Connection, conversation: Conversation) -> Conversation:
    """With the persona and the connection that were chosen on the way to the leaf."""
    chosen = load_settings(connection, conversation.setting_id)
    known = {name: chosen[name] for name in ("persona_id", "connection_id") if name in chosen}
    return replace(conversation, **known) if known else conversation


def _from(row: Row[Any]) -> Conversation:
    return Conversation(**dict(zip(_names, row, strict=False)))


def _select(*more: Any) -> Select[Any]:
    return select(*_columns, *more).outerjoin(_leaf, _leaf.c.id == conversations.c.leaf_id)


def _select_listed() -> Select[Any]:
    return _select(cards.c.name, cards.c.image_id).outerjoin(cards, cards.c.id == conversations.c.card_id)


_one = _select().where(conversations.c.id == bindparam("conversation"))
_one_alive = _one.where(_alive)
_one_listed = _select_listed().where(conversations.c.id == bindparam("conversation"), _alive)
_line = select(entries.c.kind, entries.c.text, entries.c.parent_id).where(entries.c.id == bindparam("entry"))
_draft = (
    update(conversations)
    .where(conversations.c.id == bindparam("conversation"), _alive)
    .values(draft=bindparam("words"))
)


def create(
    connection: Connection,
    *,
    title: str = "",
    card_id: str | None = None,
    persona_id: str | None = None,
    conversation_id: ConversationId | None = None,
    created_at: str | None = None,
    extra: Mapping[str, Any] | None = None,
) -> Conversation:
    """An empty conversation. Raises nothing of ours; unknown cards and personas are refused by the foreign keys."""
    conversation_id = conversation_id or ConversationId(new_id())
    at = now()
    connection.execute(
        insert(conversations).values(
            id=conversation_id,
            title=title[:TITLE_LIMIT],
            card_id=card_id,
            persona_id=persona_id,
            extra=dict(extra or {}),
            created_at=created_at or at,
            updated_at=at,
        )
    )
    return load_conversation(connection, conversation_id)


def load_conversation(
    connection: Connection, conversation_id: ConversationId, *, deleted: bool = False
) -> Conversation:
    """One conversation. Raises NotFound when it is not there, or deleted unless `deleted` are asked for too."""
    row = connection.execute(_one if deleted else _one_alive, {"conversation": conversation_id}).first()
    if row is None:
        raise NotFound(what="story", id=conversation_id)
    return _as_chosen(connection, _from(row))


def load_listed(connection: Connection, conversation_id: ConversationId) -> Listed:
    """One living conversation as it stands on the shelf. Raises NotFound."""
    row = connection.execute(_one_listed, {"conversation": conversation_id}).first()
    if row is None:
        raise NotFound(what="story", id=conversation_id)
    return _listed(connection, row)


def list_conversations(
    connection: Connection, *, query: str = "", limit: int = 50, cursor: str | None = None
) -> tuple[list[Listed], str | None]:
    """The shelf, latest first, with the cursor of the next page (None on the last). `query` looks in titles, texts."""
    statement = (
        _select_listed()
        .where(_alive)
        .order_by(conversations.c.updated_at.desc(), conversations.c.id.desc())
        .limit(limit + 1)
    )
    if cursor:
        statement = statement.where(_before(cursor))
    if query.strip():
        statement = statement.where(_matches(query.strip()))
    rows = connection.execute(statement).all()
    listed = [_listed(connection, row) for row in rows[:limit]]
    last = listed[-1].conversation if len(rows) > limit else None
    return listed, f"{last.updated_at}~{last.id}" if last else None


def _before(cursor: str) -> Any:
    at, tilde, key = cursor.partition("~")
    if not tilde:
        raise Invalid(reason="the cursor is not one that this list gave out")
    return or_(conversations.c.updated_at < at, and_(conversations.c.updated_at == at, conversations.c.id < key))


def _matches(query: str) -> Any:
    said = exists().where(
        entries.c.conversation_id == conversations.c.id,
        entries.c.kind.in_((MESSAGE, REVISION)),
        entries.c.text.icontains(query, autoescape=True),
    )
    return or_(
        conversations.c.title.icontains(query, autoescape=True),
        cards.c.name.icontains(query, autoescape=True),
        said,
    )


def _listed(connection: Connection, row: Row[Any]) -> Listed:
    conversation = _from(row)
    return Listed(
        conversation=conversation,
        card_name=row[len(_names)],
        card_image_id=row[len(_names) + 1],
        last_line=_last_line(connection, conversation.leaf_id),
    )


def _last_line(connection: Connection, leaf_id: EntryId | None) -> str:
    """The text nearest above the leaf; the few entries of other kinds that may lie between are walked over."""
    while leaf_id is not None:
        row = connection.execute(_line, {"entry": leaf_id}).first()
        if row is None:
            return ""
        if row.kind == MESSAGE and row.text:
            return " ".join(row.text.split())[:LAST_LINE]
        leaf_id = row.parent_id
    return ""


def rename(connection: Connection, conversation_id: ConversationId, title: str) -> None:
    """Gives a conversation another title, cut to 200 characters. The tree is not touched."""
    _change(connection, conversation_id, title=title.strip()[:TITLE_LIMIT])


def choose_connection(connection: Connection, conversation_id: ConversationId, connection_id: str | None) -> None:
    """Which saved connection plays this story; None for the default one."""
    _change(connection, conversation_id, connection_id=connection_id)


def choose_persona(connection: Connection, conversation_id: ConversationId, persona_id: str | None) -> None:
    """Who the reader is in this story; None for the default persona."""
    _change(connection, conversation_id, persona_id=persona_id)


def keep_draft(connection: Connection, conversation_id: ConversationId, text: str) -> None:
    """Keeps what the reader has typed and not yet sent."""
    kept = connection.execute(_draft, {"conversation": conversation_id, "words": text})
    if kept.rowcount != 1:
        raise NotFound(what="story", id=conversation_id)


def delete(connection: Connection, conversation_id: ConversationId) -> None:
    """Takes a conversation off the shelf. Everything stays in place for `undelete`."""
    _change(connection, conversation_id, deleted_at=now())


def undelete(connection: Connection, conversation_id: ConversationId) -> Conversation:
    """Puts a deleted conversation back on the shelf, as it was."""
    load_conversation(connection, conversation_id, deleted=True)
    connection.execute(update(conversations).where(conversations.c.id == conversation_id).values(deleted_at=None))
    return load_conversation(connection, conversation_id)


def _change(connection: Connection, conversation_id: ConversationId, **values: Any) -> None:
    changed = connection.execute(
        update(conversations).where(conversations.c.id == conversation_id, _alive).values(**values)
    )
    if changed.rowcount != 1:
        raise NotFound(what="story", id=conversation_id)
