"""A whole tree at once, for files that come in. Places, segments and tips are derived, never taken from outside.

The bulk door beside `tree.append`: it writes into a conversation that is still empty, in the caller's transaction.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import islice, pairwise
from typing import Any, Final, TypeVar

from sqlalchemy import Connection, Table, bindparam, insert, select, update

from liyuan.domain.conversation_file import Cut, Visit
from liyuan.domain.entry import SAVE, ConversationId, Draft, EntryId, Place
from liyuan.domain.journal import Move
from liyuan.domain.margin import Margin
from liyuan.domain.saves import Save, arranged, line_name_of, save_of
from liyuan.domain.tips import tips_of
from liyuan.domain.tree import Node, derive
from liyuan.store.codec import entry_row
from liyuan.store.database import dumps, now
from liyuan.store.save_rows import add_worldlines, save_row
from liyuan.store.tables import conversations, entries, moves, pruned, saves, segments, tags, tips

IMPORT: Final = "import"
# Ids asked for in one query; SQLite takes 32,766 values.
MANY = 10_000

Value = TypeVar("Value")


def plant(
    connection: Connection,
    conversation_id: ConversationId,
    drafts: Sequence[Draft],
    *,
    leaf: EntryId | None,
    journal: Sequence[Visit] = (),
    cuts: Sequence[Cut] = (),
    margin: Margin | None = None,
) -> None:
    """Writes entries (a sound forest, parents first), the journal and the pruned parts, and puts the reader at `leaf`.

    Siblings keep the order of `drafts`. Where the journal does not end at the leaf, one more move leads there. Nothing
    of it may be in the database yet (`taken_ids`), and every id that is named is among `drafts`.
    """
    nodes = [Node(draft.id, draft.parent_id, draft.kind, draft.role) for draft in drafts]
    places = derive(nodes)
    ids = _plant_segments(connection, conversation_id, nodes, places)
    at = now()
    _plant(connection, entries, (_row(conversation_id, draft, places[draft.id], ids, at) for draft in drafts))
    moved = _moves(journal, leaf, at)
    _plant(connection, moves, ({"conversation_id": conversation_id, **_move_row(move)} for move in moved))
    left = tips_of(nodes, moved)
    _plant(
        connection,
        tips,
        ({"entry_id": key, "conversation_id": conversation_id, "leaf_id": tip} for key, tip in left.items()),
    )
    _plant_margin(connection, conversation_id, drafts, places, margin or Margin(), at)
    _plant(connection, pruned, (_cut_row(conversation_id, cut, at) for cut in cuts))
    connection.execute(
        update(conversations)
        .where(conversations.c.id == conversation_id)
        .values(leaf_id=leaf, updated_at=max((move.at for move in moved), default=at))
    )


def _plant_margin(
    connection: Connection,
    conversation_id: ConversationId,
    drafts: Sequence[Draft],
    places: Mapping[EntryId, Place],
    margin: Margin,
    at: str,
) -> None:
    """The saves as the file says they stand now, the names of their worldlines, and the tags."""
    made = {draft.id: draft for draft in drafts if draft.kind == SAVE}
    stood = arranged(_saves(made.values(), places, margin, at))
    names = margin.names | {
        save.worldline_id: line_name_of(made[save.id]) if save.worldline_id == was else save.name
        for save, was in ((save, save_of(made[save.id], None).worldline_id) for save in stood.values())
        if save.worldline_id not in margin.names
    }
    _plant(connection, saves, (save_row(conversation_id, save) for save in stood.values()))
    add_worldlines(connection, conversation_id, names.items())
    named = ({"conversation_id": conversation_id, "name": tag.name, "entry_id": tag.entry_id} for tag in margin.tags)
    _plant(connection, tags, named)


def _saves(made: Iterable[Draft], places: Mapping[EntryId, Place], margin: Margin, at: str) -> Iterator[Save]:
    restated = {line.entry_id: line for line in margin.saves}
    deleted = {line.entry_id for line in margin.deleted}
    for draft in made:
        save = save_of(draft, places[draft.parent_id].save_id if draft.parent_id else None)
        line = restated.get(draft.id)
        if line:
            save = replace(save, name=line.name, worldline_id=line.worldline_id)
        yield replace(save, deleted_at=at) if draft.id in deleted else save


def taken_ids(connection: Connection, ids: Iterable[str]) -> set[str]:
    """Which of these ids an entry of any conversation has already."""
    taken: set[str] = set()
    for some in _batches(ids, MANY):
        taken.update(connection.execute(select(entries.c.id).where(entries.c.id.in_(some))).scalars())
    return taken


def _plant_segments(
    connection: Connection, conversation_id: ConversationId, nodes: Sequence[Node], places: Mapping[EntryId, Place]
) -> dict[int, int]:
    """Makes the segments; answers their ids by the numbers of `derive`. A parent's id is known only afterwards."""
    grown = _grown(nodes, places)
    if not grown:
        return {}
    made = connection.execute(
        insert(segments).returning(segments.c.id, sort_by_parameter_order=True),
        [{"conversation_id": conversation_id, "fork_depth": depth} for _, depth in grown.values()],
    )
    ids = dict(zip(grown, made.scalars(), strict=True))
    below = [
        {"segment": ids[number], "above": ids[parent]} for number, (parent, _) in grown.items() if parent is not None
    ]
    if below:
        connection.execute(_grow, below)
    return ids


_grow = update(segments).where(segments.c.id == bindparam("segment")).values(parent_segment_id=bindparam("above"))


def _grown(nodes: Sequence[Node], places: Mapping[EntryId, Place]) -> dict[int, tuple[int | None, int]]:
    """Each segment's number → the segment it grew from and the depth where, in the order of its first entry."""
    grown: dict[int, tuple[int | None, int]] = {}
    for node in nodes:
        number = places[node.id].segment_id
        if number not in grown:
            parent = places[node.parent_id] if node.parent_id else None
            grown[number] = (parent.segment_id, parent.depth) if parent else (None, -1)
    return grown


def _row(
    conversation_id: ConversationId, draft: Draft, place: Place, ids: Mapping[int, int], at: str
) -> dict[str, Any]:
    row = entry_row(conversation_id, draft, place)
    row["data"], row["extra"] = _as_json(row["data"]), _as_json(row["extra"])
    row["segment_id"] = ids[place.segment_id]
    row["created_at"] = draft.created_at or at
    return row


def _as_json(value: dict[str, Any]) -> str:
    return dumps(value) if value else "{}"


def _moves(journal: Iterable[Visit], leaf: EntryId | None, at: str) -> list[Move]:
    visits = [(visit.entry_id, visit.cause, visit.at or at) for visit in journal]
    if (visits[-1][0] if visits else None) != leaf:
        visits.append((leaf, IMPORT, at))
    start = (None, "", "")
    return [Move(earlier[0], *later) for earlier, later in pairwise([start, *visits])]


def _move_row(move: Move) -> dict[str, Any]:
    return {"from_id": move.from_id, "to_id": move.to_id, "cause": move.cause, "at": move.at}


def _cut_row(conversation_id: ConversationId, cut: Cut, at: str) -> dict[str, Any]:
    return {
        "entry_id": cut.entry_id,
        "conversation_id": conversation_id,
        "leaf_id": cut.leaf_id,
        "at": cut.at or at,
    }


def _plant(connection: Connection, table: Table, rows: Iterable[dict[str, Any]]) -> None:
    """Inserts rows in batches, past SQLAlchemy's care for every single value: it takes longer than SQLite itself."""
    for some in _batches(rows, MANY):
        compiled = insert(table).compile(dialect=connection.dialect, column_keys=list(some[0]))
        keys = compiled.positiontup
        connection.exec_driver_sql(str(compiled), [tuple(map(row.__getitem__, keys)) for row in some] if keys else some)


def _batches(values: Iterable[Value], size: int) -> Iterator[list[Value]]:
    rest = iter(values)
    while some := list(islice(rest, size)):
        yield some
