"""Turns in progress, as rows: what has been said so far survives the tab, the process and the power.

The conversation's own `performance_id` is the lock; it stands in the row that the leaf guard updates, so "is anybody
performing" and "is the leaf still there" are answered by one statement.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal, TypeAlias

from sqlalchemy import Connection, Text, bindparam, delete, insert, select, update

from liyuan.domain.entry import ConversationId, EntryId
from liyuan.domain.errors import Busy
from liyuan.store.database import new_id, now
from liyuan.store.tables import conversations, performances
from liyuan.store.tree import refusal

Act: TypeAlias = Literal["reply", "swipe", "continue", "impersonate"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Performing:
    """A performance as it is stored. `parent_id` is what it answers (for "continue": the reply that goes on).

    `expected_leaf` must still be the leaf when it ends. `owner` names the process; `beat_at` is the last sign. `uses`
    is what the model has done with its context tools in this turn (`domain.tool_use`), None for nothing.
    """

    id: str
    conversation_id: ConversationId
    act: Act
    parent_id: EntryId | None
    expected_leaf: EntryId | None
    text: str = ""
    reasoning: str = ""
    uses: Sequence[Mapping[str, Any]] | None = None
    owner: str
    stop_asked: bool = False
    started_at: str = ""
    beat_at: str = ""

    @property
    def told_up_to(self) -> EntryId | None:
        """The entry whose path the model is told: what a reply answers; for the rest, where the reader is."""
        return self.parent_id if self.act in ("reply", "swipe") else self.expected_leaf


_columns = tuple(performances.c[name] for name in Performing.__dataclass_fields__)
_take = (
    update(conversations)
    .where(
        conversations.c.id == bindparam("conversation"),
        conversations.c.leaf_id.is_not_distinct_from(bindparam("expected_leaf", type_=Text)),
        conversations.c.performance_id.is_(None),
        conversations.c.deleted_at.is_(None),
    )
    .values(performance_id=bindparam("performance"))
)
_write = insert(performances)
_asked = select(performances.c.id).where(performances.c.stop_asked)
_where = select(performances.c.conversation_id).where(performances.c.id == bindparam("performance")).scalar_subquery()
_free = (
    update(conversations)
    .where(conversations.c.id == _where, conversations.c.performance_id == bindparam("performance"))
    .values(performance_id=None)
)
_remove = delete(performances).where(performances.c.id == bindparam("performance"))
_here = select(*_columns).where(performances.c.conversation_id == bindparam("conversation"))
_everywhere = select(*_columns)


def begin(
    connection: Connection,
    conversation_id: ConversationId,
    act: Act,
    *,
    parent_id: EntryId | None,
    expected_leaf: EntryId | None,
    owner: str,
) -> Performing:
    """Takes the stage of a conversation. Raises LeafMoved, Busy or NotFound; then nothing has changed."""
    key, at = new_id(), now()
    taken = connection.execute(
        _take, {"conversation": conversation_id, "expected_leaf": expected_leaf, "performance": key}
    )
    if taken.rowcount != 1:
        raise refusal(connection, conversation_id, expected_leaf)
    made = Performing(
        id=key,
        conversation_id=conversation_id,
        act=act,
        parent_id=parent_id,
        expected_leaf=expected_leaf,
        owner=owner,
        started_at=at,
        beat_at=at,
    )
    connection.execute(_write, {name: getattr(made, name) for name in Performing.__dataclass_fields__})
    return made


def keep_uses(connection: Connection, performing: Performing, uses: Sequence[Mapping[str, Any]]) -> Performing:
    """Notes what has been done with tools, in the transaction that does it. Raises Busy when the turn is over."""
    noted = connection.execute(update(performances).where(performances.c.id == performing.id).values(uses=list(uses)))
    if noted.rowcount != 1:
        raise Busy(leaf_id=performing.expected_leaf)
    return replace(performing, uses=tuple(uses))


def go_elsewhere(
    connection: Connection, performing: Performing, *, parent_id: EntryId | None, expected_leaf: EntryId
) -> Performing:
    """A performance goes on in another place, where nothing has been said yet. Call it after the move of the leaf."""
    changed = {"parent_id": parent_id, "expected_leaf": expected_leaf, "text": "", "reasoning": ""}
    connection.execute(update(performances).where(performances.c.id == performing.id).values(**changed))
    return replace(performing, parent_id=parent_id, expected_leaf=expected_leaf, text="", reasoning="")


@dataclass(frozen=True, slots=True)
class SoFar:
    """What one performance has said so far, and the leaf it said it at: words do not follow it to another place."""

    id: str
    text: str
    reasoning: str
    leaf: EntryId | None


_flush = (
    update(performances)
    .where(
        performances.c.id == bindparam("performance"),
        performances.c.expected_leaf.is_not_distinct_from(bindparam("leaf", type_=Text)),
    )
    .values(text=bindparam("said"), reasoning=bindparam("thought"), beat_at=bindparam("at"))
)


def flush(connection: Connection, so_far: Sequence[SoFar]) -> set[str]:
    """Stores what has been said so far, with a sign of life. Answers the ids of those that were asked to stop."""
    at = now()
    connection.execute(
        _flush,
        [
            {"performance": one.id, "leaf": one.leaf, "said": one.text, "thought": one.reasoning, "at": at}
            for one in so_far
        ],
    )
    return set(connection.execute(_asked).scalars())


def end(connection: Connection, performance_id: str) -> bool:
    """Leaves the stage. False when somebody else had already ended it (another process took it for dead)."""
    connection.execute(_free, {"performance": performance_id})
    return connection.execute(_remove, {"performance": performance_id}).rowcount == 1


def ask_to_stop(connection: Connection, conversation_id: ConversationId) -> None:
    """Asks whoever performs here, in whatever process, to stop at the next flush."""
    connection.execute(
        update(performances).where(performances.c.conversation_id == conversation_id).values(stop_asked=True)
    )


def load_performing(connection: Connection, conversation_id: ConversationId) -> Performing | None:
    """The turn in progress in a conversation, with the text stored so far."""
    row = connection.execute(_here, {"conversation": conversation_id}).first()
    return Performing(**row._mapping) if row else None


def load_performances(connection: Connection) -> list[Performing]:
    """Every turn in progress, in whatever process."""
    return [Performing(**row._mapping) for row in connection.execute(_everywhere)]
