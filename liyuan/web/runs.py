"""What becomes of a reply behind the curtain: what it changed in the ledger, and how far its run is."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

from sqlalchemy import Connection

from liyuan.domain.entry import MESSAGE, STATE, ConversationId, Entry, EntryId
from liyuan.domain.fields import Field
from liyuan.store.branch import load_path
from liyuan.store.runs import ASKED, Run, State, load_runs
from liyuan.store.tree import load_entry
from liyuan.web.told import Told, changes_of, tell

About: TypeAlias = Literal["turn", "summary"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Chip:
    """The word at a reply about its run. `trouble` keeps what went wrong; `came_to_nothing`: nothing was to do."""

    run_id: str
    state: State
    about: About
    trouble: str = ""
    came_to_nothing: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Booking:
    """What a reply changed, and the word about its run; None when there is nothing to be said any more."""

    changes: tuple[Told, ...] = ()
    chip: Chip | None = None


NOTHING_BOOKED = Booking()


def load_bookings(
    connection: Connection, story_id: ConversationId, path: Sequence[Entry], fields: Sequence[Field]
) -> dict[EntryId, Booking]:
    """For each reply among these entries of one path, root → leaf and without gaps, what is known below it."""
    latest = {run.anchor_id: run for run in reversed(load_runs(connection, story_id))}
    found: dict[EntryId, Booking] = {}
    is_accounted_for = False
    for number, (reply, below) in enumerate(_below_replies(path)):
        run = next((latest[key] for key in (*(one.id for one in reversed(below)), reply.id) if key in latest), None)
        is_said = number == 0 or not (is_accounted_for or (run and run.state == "done"))
        found[reply.id] = Booking(
            changes=tell(changes_of(below), fields), chip=_chip(run) if run is not None and is_said else None
        )
        is_accounted_for = is_accounted_for or any(_is_booked(one) for one in below)
    return found


def load_booking(
    connection: Connection, story_id: ConversationId, reply: Entry, leaf_id: EntryId | None, fields: Sequence[Field]
) -> Booking:
    """The same for one reply on the path of a leaf."""
    if leaf_id is None:
        return NOTHING_BOOKED
    leaf = load_entry(connection, story_id, leaf_id)
    path = load_path(connection, leaf.id, most=max(leaf.depth - reply.depth + 1, 1))
    return load_bookings(connection, story_id, path, fields).get(reply.id, NOTHING_BOOKED)


def run_mark(connection: Connection, story_id: ConversationId) -> str:
    """Which run is the latest and how far it is, as one word: it differs when a chip does."""
    runs = load_runs(connection, story_id, limit=1)
    return f"{runs[0].id}.{runs[0].state}" if runs else ""


def _below_replies(path: Sequence[Entry]) -> Iterator[tuple[Entry, list[Entry]]]:
    """The replies of a path, the last first, each with what stands between it and the next message."""
    below: list[Entry] = []
    for entry in reversed(path):
        if entry.kind != MESSAGE:
            below.insert(0, entry)
            continue
        if entry.is_reply:
            yield entry, below
        below = []


def _is_booked(entry: Entry) -> bool:
    return entry.kind == STATE and entry.data.get("source") == "scribe"


def _chip(run: Run) -> Chip:
    is_summary = run.steps.get(ASKED) == "compaction"
    return Chip(
        run_id=run.id,
        state=run.state,
        about="summary" if is_summary else "turn",
        trouble=run.trouble,
        came_to_nothing=is_summary and run.state == "done" and run.steps.get("compaction") != "done",
    )
