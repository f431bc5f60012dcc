"""The after-turn runs, as rows. A run is written with the reply it follows, so neither is ever there without the other.

The row is what people and programs see; what executes it (`jobs/worker.py`) may forget, and is then reminded.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, Literal, TypeAlias

from sqlalchemy import Connection, bindparam, func, insert, select, update

from liyuan.domain.entry import ConversationId, EntryId
from liyuan.domain.errors import NotFound
from liyuan.store.database import new_id, now
from liyuan.store.tables import runs

State: TypeAlias = Literal["queued", "running", "done", "stale", "failed"]
# The key in a run's steps that names the step a person asked for, due or not.
ASKED: Final = "asked"
# The key that names the leaf from which a person came, for a step that tells of it.
FROM: Final = "from_id"
STATES: Final[tuple[State, ...]] = ("queued", "running", "done", "stale", "failed")
OPEN: Final[tuple[State, ...]] = ("queued", "running")


@dataclass(frozen=True, slots=True, kw_only=True)
class Run:
    """One after-turn run. `anchor_id` is the leaf it grew from; `steps` tells how each step ended.

    "stale" is no failure: the reader had moved on and nothing was written (semantics §4). `trouble` is an error as
    `domain.trouble` keeps it.
    """

    id: str
    conversation_id: ConversationId
    anchor_id: EntryId
    state: State
    steps: Mapping[str, str] = field(default_factory=dict)
    trouble: str = ""
    attempts: int = 0
    created_at: str = ""
    beat_at: str = ""


_columns = tuple(runs.c[name] for name in Run.__dataclass_fields__)
_write = insert(runs)
# Found by their state, of which few are open; the conversation's own runs grow with its turns.
_open_at = select(*_columns).where(runs.c.anchor_id.in_(bindparam("anchors", expanding=True)), runs.c.state.in_(OPEN))


def queue(
    connection: Connection,
    conversation_id: ConversationId,
    anchor_id: EntryId,
    *,
    asked: str | None = None,
    from_id: EntryId | None = None,
) -> Run:
    """Writes down that a turn has settled at `anchor_id` and is to be accounted for; `asked` forces one step of it.

    `from_id` is the leaf that was left, where the step that is asked for tells of it.
    """
    at = now()
    about = {ASKED: asked, FROM: from_id}
    made = Run(
        id=new_id(),
        conversation_id=conversation_id,
        anchor_id=anchor_id,
        state="queued",
        steps={name: value for name, value in about.items() if value},
        created_at=at,
        beat_at=at,
    )
    connection.execute(_write, {name: getattr(made, name) for name in Run.__dataclass_fields__})
    return made


def start(connection: Connection, run_id: str) -> Run:
    """Marks a run as running, counts the attempt, and answers it as it was. Raises NotFound."""
    run = load_run(connection, run_id)
    connection.execute(
        update(runs).where(runs.c.id == run_id).values(state="running", attempts=run.attempts + 1, beat_at=now())
    )
    return run


def mark(connection: Connection, run_id: str, step: str, how: str) -> None:
    """Writes down how a step ended, with a sign of life."""
    steps = {**load_run(connection, run_id).steps, step: how}
    connection.execute(update(runs).where(runs.c.id == run_id).values(steps=steps, beat_at=now()))


def beat(connection: Connection, run_id: str) -> None:
    """Gives a sign of life."""
    connection.execute(update(runs).where(runs.c.id == run_id).values(beat_at=now()))


def finish(connection: Connection, run_id: str, state: State, trouble: str = "") -> None:
    """Writes down how a run ended."""
    connection.execute(update(runs).where(runs.c.id == run_id).values(state=state, trouble=trouble, beat_at=now()))


def requeue(connection: Connection, run_id: str) -> Run:
    """Queues a run again, because it failed or because whoever ran it is gone."""
    connection.execute(update(runs).where(runs.c.id == run_id).values(state="queued", trouble="", beat_at=now()))
    return load_run(connection, run_id)


def load_run(connection: Connection, run_id: str) -> Run:
    """One run. Raises NotFound."""
    row = connection.execute(select(*_columns).where(runs.c.id == run_id)).first()
    if row is None:
        raise NotFound(what="run", id=run_id)
    return Run(**row._mapping)


def load_runs(connection: Connection, conversation_id: ConversationId, *, limit: int = 20) -> list[Run]:
    """The runs of a conversation, latest first."""
    statement = (
        select(*_columns).where(runs.c.conversation_id == conversation_id).order_by(runs.c.id.desc()).limit(limit)
    )
    return [Run(**row._mapping) for row in connection.execute(statement)]


def open_run(connection: Connection, conversation_id: ConversationId, anchors: Sequence[EntryId]) -> Run | None:
    """The run that is queued or running for one of these leaves."""
    rows = connection.execute(_open_at, {"anchors": anchors})
    found = [run for row in rows if (run := Run(**row._mapping)).conversation_id == conversation_id]
    return max(found, key=lambda run: run.id, default=None)


def count_runs(connection: Connection) -> dict[State, int]:
    """How many runs there are in each state, those of all conversations together."""
    counted: dict[State, int] = dict.fromkeys(STATES, 0)
    for state, number in connection.execute(select(runs.c.state, func.count()).group_by(runs.c.state)):
        counted[state] = number
    return counted


def load_forgotten(connection: Connection, *, before: str) -> list[Run]:
    """Open runs without a sign of life since `before`."""
    statement = select(*_columns).where(runs.c.state.in_(OPEN), runs.c.beat_at < before).order_by(runs.c.id)
    return [Run(**row._mapping) for row in connection.execute(statement)]
