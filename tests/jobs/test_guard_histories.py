"""Semantics §4 under an adversary, on SQLite and on PostgreSQL.

Whatever the reader does while jobs stand still, die and run twice: no entry lands on a branch its job did not start
from, no turn is accounted for twice on one path, and none stays unaccounted for once its branch is played on.
"""

from __future__ import annotations

import asyncio
import tempfile
from contextlib import AsyncExitStack, suppress
from dataclasses import replace
from pathlib import Path
from typing import Any, cast

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, precondition, rule
from sqlalchemy import Connection, select

from liyuan.domain.entry import SAVE, STATE, SUMMARY, Draft, Entry, EntryId
from liyuan.domain.errors import Invalid
from liyuan.jobs.after_turn import after_turn
from liyuan.model.scripted import ScriptedModel
from liyuan.resources import Resources
from liyuan.store.branch import active_leaf, load_path
from liyuan.store.codec import ENTRY_COLUMNS, entry_from
from liyuan.store.database import Database, new_id
from liyuan.store.runs import Run, load_run
from liyuan.store.tables import entries
from liyuan.store.tree import append
from tests.jobs.adversary import Adversary, Booking, PausingDatabase
from tests.postgres import new_database
from tests.tale import Tale, new_tale, theatre

pick = st.integers(min_value=0, max_value=10_000)


class Held:
    """A worker that begins every run under the adversary's hand."""

    def __init__(self, adversary: Adversary) -> None:
        self.adversary = adversary
        self.resources: list[Resources] = []
        self.runs: list[Run] = []

    async def submit(self, run: Run) -> None:
        self.runs.append(run)
        self.adversary.begin(after_turn(self.resources[0], run.id))


class Guarded(RuleBasedStateMachine):
    """A reader who never waits, and jobs that never hurry."""

    postgres = False

    def __init__(self) -> None:
        super().__init__()
        self.runner = asyncio.Runner()
        self.stack = AsyncExitStack()
        self.folder = tempfile.TemporaryDirectory()
        self.adversary = Adversary()
        self.worker = Held(self.adversary)
        self.tale: Tale

    def do(self, act: Any) -> Any:
        async def whole() -> Any:
            done = await act
            await self.adversary.settle()
            return done

        return self.runner.run(whole())

    @initialize()
    def open(self) -> None:
        self.do(self._open())

    async def _open(self) -> None:
        folder, model = Path(self.folder.name), Booking(self.adversary)
        more = {"database_url": new_database()} if self.postgres else {}
        resources = await self.stack.enter_async_context(
            theatre(folder, model, worker=self.worker, compact_every_turns=3, keep_turns=1, **more)
        )
        for _ in range(2):  # Two workers on one database, as two processes would be.
            database: Database = PausingDatabase(resources.settings.database_url, self.adversary)
            self.stack.callback(database.close)
            self.worker.resources.append(replace(resources, database=database))
        self.tale = await new_tale(resources, cast(ScriptedModel, model))

    def teardown(self) -> None:
        self.do(self._close())
        self.runner.close()
        self.folder.cleanup()

    async def _close(self) -> None:
        try:
            await self._play_on()
            await self._check()
        finally:
            for job in self.adversary.jobs:
                job.cancel()
            await self.stack.aclose()

    async def _play_on(self) -> None:
        """Once the branch is played on undisturbed, all of it is accounted for."""
        await self.adversary.drain()
        reply = await self.tale.say("and then?")
        await self.adversary.drain()
        through = [one.data["through_id"] for one in await self._path() if one.kind == STATE]
        assert through and through[-1] == reply

    async def _path(self) -> list[Entry]:
        def read(connection: Connection) -> list[Entry]:
            return load_path(connection, active_leaf(connection, self.tale.id))

        return await self.tale.resources.database.read(read)

    async def _check(self) -> None:
        assert await self.tale.faults() == []
        every = await self.tale.resources.database.read(self._read_all)
        await self.tale.resources.database.read(self._lands_on_its_own_branch, every)
        self._accounts_once(every)

    def _read_all(self, connection: Connection) -> dict[EntryId, Entry]:
        statement = select(*ENTRY_COLUMNS).where(entries.c.conversation_id == self.tale.id)
        return {entry.id: entry for entry in map(entry_from, connection.execute(statement))}

    def _lands_on_its_own_branch(self, connection: Connection, every: dict[EntryId, Entry]) -> None:
        for entry in every.values():
            if entry.kind in (STATE, SUMMARY):
                run_id = entry.id.split("-")[0]
                above = entry.parent_id
                while above and above.startswith(f"{run_id}-"):
                    above = every[above].parent_id
                assert above == load_run(connection, run_id).anchor_id

    def _accounts_once(self, every: dict[EntryId, Entry]) -> None:
        for kind, key in ((STATE, "through_id"), (SUMMARY, "covers_through_id")):
            for entry in every.values():
                if entry.kind != kind:
                    continue
                reached, above = every[entry.data[key]].depth, entry.parent_id
                while above:
                    if every[above].kind == kind:
                        assert every[every[above].data[key]].depth < reached
                        break
                    above = every[above].parent_id

    async def _message(self, at: int) -> EntryId:
        messages = [item.id for item in await self.tale.items() if item.entry.kind == "message"]
        return messages[at % len(messages)]

    @rule()
    def say(self) -> None:
        self.do(self.tale.say("words"))

    @rule(at=pick)
    def swipe(self, at: int) -> None:
        async def act() -> None:
            with suppress(Invalid):
                await self.tale.swipe(await self._message(at))

        self.do(act())

    @rule(at=pick, which=pick)
    def choose(self, at: int, which: int) -> None:
        async def act() -> None:
            items = [item for item in await self.tale.items() if item.variants]
            variants = items[at % len(items)].variants
            assert variants is not None
            await self.tale.choose(variants.ids[which % variants.total])

        self.do(act())

    @rule(at=pick)
    def move(self, at: int) -> None:
        async def act() -> None:
            await self.tale.go(await self._message(at))

        self.do(act())

    @rule(at=pick)
    def edit_in_place(self, at: int) -> None:
        async def act() -> None:
            await self.tale.edit(await self._message(at), "changed", "in_place")

        self.do(act())

    @rule(at=pick)
    def prune(self, at: int) -> None:
        async def act() -> None:
            with suppress(Invalid):
                await self.tale.prune(await self._message(at))

        self.do(act())

    @rule()
    def save(self) -> None:
        async def act() -> None:
            leaf = await self.tale.leaf()
            draft = Draft(id=EntryId(new_id()), parent_id=leaf, kind=SAVE)
            await self.tale.resources.database.write(append, self.tale.id, draft, expected_leaf=leaf)

        self.do(act())

    @precondition(lambda self: self.adversary.waiting)
    @rule(at=pick, steps=st.integers(1, 6))
    def let_jobs_go_on(self, at: int, steps: int) -> None:
        async def act() -> None:
            for step in range(steps):
                await self.adversary.step(at + step)

        self.do(act())

    @precondition(lambda self: self.adversary.waiting)
    @rule(at=pick)
    def kill_a_job(self, at: int) -> None:
        self.do(self.adversary.kill(at))

    @precondition(lambda self: self.worker.runs)
    @rule(at=pick, where=st.integers(0, 1))
    def run_again(self, at: int, where: int) -> None:
        async def act() -> None:
            run = self.worker.runs[at % len(self.worker.runs)]
            self.adversary.begin(after_turn(self.worker.resources[where], run.id))

        self.do(act())


class GuardedOnPostgres(Guarded):
    """The same on PostgreSQL, where writers do not stand in one line."""

    postgres = True


def whole(machine: type[RuleBasedStateMachine], examples: int) -> Any:
    case = machine.TestCase
    case.settings = settings(
        max_examples=examples, stateful_step_count=25, deadline=None, suppress_health_check=list(HealthCheck)
    )
    case.pytestmark = [pytest.mark.slow]
    return case


TestGuarded = whole(Guarded, 30)
TestGuardedOnPostgres = whole(GuardedOnPostgres, 12)
