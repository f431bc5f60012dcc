"""What the ledger does not know yet: messages on a path since the last snapshot, and those revised since."""

from __future__ import annotations

from dataclasses import dataclass

from sqlalchemy import Connection

from liyuan.domain.card_world import CardWorld, card_world
from liyuan.domain.entry import REVISION, ConversationId, Entry, EntryId
from liyuan.domain.errors import NotFound
from liyuan.domain.history import Line, replay
from liyuan.domain.snapshot import Standing
from liyuan.store.branch import load_path, revisions_of
from liyuan.store.cast import Cast, load_cast
from liyuan.store.climb import is_above
from liyuan.store.tree import load_entry
from liyuan.store.worlds import load_world


@dataclass(frozen=True, slots=True, kw_only=True)
class Unread:
    """What the scribe works on at a leaf. `lines` run root → leaf and are empty when everything is accounted for."""

    cast: Cast
    declared: CardWorld
    standing: Standing
    lines: tuple[Line, ...]


def load_unread(connection: Connection, conversation_id: ConversationId, leaf_id: EntryId) -> Unread:
    """Reads the path of a leaf down from what the nearest readable snapshot accounts for. Raises NotFound."""
    leaf = load_entry(connection, conversation_id, leaf_id)
    cast = load_cast(connection, conversation_id, leaf)
    standing = load_world(connection, conversation_id, leaf, cast.card)
    through = _through(connection, conversation_id, standing.snapshot.through_id, leaf)
    tail = load_path(connection, leaf.id, most=leaf.depth - through) if leaf.depth > through else []
    # What a branch summary tells has not happened on this path, unless the model has filed it away.
    lines = tuple(line for line in replay(tail).lines if line.role != "system" or line.is_filed)
    revised = _revised_since(
        connection, conversation_id, standing.entry_id, tail, {line.entry_id for line in lines}, leaf
    )
    return Unread(cast=cast, declared=card_world(cast.card.extensions), standing=standing, lines=(*revised, *lines))


def _through(connection: Connection, conversation_id: ConversationId, through_id: EntryId | None, leaf: Entry) -> int:
    """The depth up to which the ledger knows the story; -1 for nothing, also for one of another branch."""
    if through_id is None:
        return -1
    try:
        through = load_entry(connection, conversation_id, through_id)
    except NotFound:
        return -1
    return through.depth if is_above(connection, through, leaf) else -1


def _revised_since(
    connection: Connection,
    conversation_id: ConversationId,
    snapshot_id: EntryId | None,
    tail: list[Entry],
    known: set[EntryId],
    leaf: Entry,
) -> list[Line]:
    booked = next((entry.depth for entry in tail if entry.id == snapshot_id), -1)
    targets = [
        entry.target_id
        for entry in tail
        if entry.kind == REVISION and entry.depth > booked and entry.target_id and entry.target_id not in known
    ]
    revisions = revisions_of(connection, targets, leaf)
    lines = []
    for target, revision in revisions.items():
        message = load_entry(connection, conversation_id, target)
        lines.append(_line(message, revision))
    return sorted(lines, key=lambda line: line.turn)


def _line(message: Entry, revision: Entry) -> Line:
    return Line(
        entry_id=message.id,
        role="user" if message.is_user else "assistant",
        text=revision.text or "",
        turn=message.place.turn,
    )
