"""The shape of a tree without its bodies: one row a segment, whatever its length. Pruned parts are out of sight."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from sqlalchemy import Connection, and_, func, select

from liyuan.domain.entry import ConversationId, EntryId
from liyuan.store.branch import active_leaf
from liyuan.store.stretches import Stretch, entry_at
from liyuan.store.tables import entries, pruned, saves, segments, tags


@dataclass(frozen=True, slots=True, kw_only=True)
class Run:
    """A linear run of entries, by depth and id. It grew from `parent_entry_id`, which lies on the run `above`.

    `labels` are the names of the tags and living saves on it, from the top.
    """

    id: int
    above: int | None
    parent_entry_id: EntryId | None
    first: int
    last: int
    first_id: EntryId
    last_id: EntryId
    labels: tuple[str, ...] = ()

    @property
    def length(self) -> int:
        return self.last - self.first + 1


@dataclass(frozen=True, slots=True)
class Outline:
    """Every run in sight, those above before those below, and where the reader is."""

    runs: tuple[Run, ...]
    leaf_id: EntryId | None


def load_outline(connection: Connection, conversation_id: ConversationId) -> Outline:
    """Reads the shape of a tree. Takes as long as it has segments. Raises NotFound."""
    leaf_id = active_leaf(connection, conversation_id)
    runs = _in_sight(load_runs(connection, conversation_id), load_cuts(connection, conversation_id))
    labels = _load_labels(connection, conversation_id)
    return Outline(tuple(_labelled(_with_last_id(connection, run), labels) for run in runs), leaf_id)


def _labelled(run: Run, labels: Mapping[int, list[tuple[int, str]]]) -> Run:
    names = tuple(name for depth, name in sorted(labels.get(run.id, ())) if depth <= run.last)
    return replace(run, labels=names) if names else run


def _load_labels(connection: Connection, conversation_id: ConversationId) -> dict[int, list[tuple[int, str]]]:
    """For each segment the names of tags and living saves on it, each with its depth."""
    named = (
        select(entries.c.segment_id, entries.c.depth, tags.c.name)
        .join(tags, tags.c.entry_id == entries.c.id)
        .where(tags.c.conversation_id == conversation_id),
        select(entries.c.segment_id, entries.c.depth, saves.c.name)
        .join(saves, saves.c.entry_id == entries.c.id)
        .where(saves.c.conversation_id == conversation_id, saves.c.deleted_at.is_(None)),
    )
    labels: dict[int, list[tuple[int, str]]] = {}
    for statement in named:
        for segment, depth, name in connection.execute(statement):
            labels.setdefault(segment, []).append((depth, name))
    return labels


def load_runs(connection: Connection, conversation_id: ConversationId) -> list[Run]:
    """Every run of a tree, whatever was deleted of it."""
    first, last = entries.alias("first"), entries.alias("last")
    deepest = select(func.max(entries.c.depth)).where(entries.c.segment_id == segments.c.id).scalar_subquery()
    ends = select(segments.c.id, deepest.label("depth")).where(segments.c.conversation_id == conversation_id).subquery()
    rows = connection.execute(
        select(
            segments.c.id,
            segments.c.parent_segment_id.label("above"),
            first.c.parent_id.label("parent_entry_id"),
            first.c.depth.label("first"),
            last.c.depth.label("last"),
            first.c.id.label("first_id"),
            last.c.id.label("last_id"),
        )
        .join(ends, ends.c.id == segments.c.id)
        .join(first, and_(first.c.segment_id == segments.c.id, first.c.depth == segments.c.fork_depth + 1))
        .join(last, and_(last.c.segment_id == segments.c.id, last.c.depth == ends.c.depth))
        .order_by(segments.c.fork_depth, segments.c.id)
    )
    return [Run(**row._mapping) for row in rows]


def load_cuts(connection: Connection, conversation_id: ConversationId) -> dict[int, int]:
    """For each segment that is cut, the depth of its topmost pruned entry."""
    rows = connection.execute(
        select(entries.c.segment_id, func.min(entries.c.depth))
        .join(pruned, pruned.c.entry_id == entries.c.id)
        .where(pruned.c.conversation_id == conversation_id)
        .group_by(entries.c.segment_id)
    )
    return {row[0]: row[1] for row in rows}


def _in_sight(runs: Iterable[Run], cuts: Mapping[int, int]) -> list[Run]:
    """The runs, or the parts of them, that lie above every cut."""
    last: dict[int, int] = {}
    shown: list[Run] = []
    for run in runs:
        end = min(run.last, cuts.get(run.id, run.last + 1) - 1)
        hangs = run.above is None or last.get(run.above, -1) >= run.first - 1
        if hangs and end >= run.first:
            last[run.id] = end
            shown.append(replace(run, last=end, last_id=run.last_id if end == run.last else EntryId("")))
    return shown


def _with_last_id(connection: Connection, run: Run) -> Run:
    """Looks up the end of a run that a cut has shortened."""
    if run.last_id:
        return run
    found = entry_at(connection, [Stretch(segment_id=run.id, first=run.first, last=run.last)], run.last)
    return replace(run, last_id=found or run.first_id)
