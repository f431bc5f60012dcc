"""Semantics §7 for every history: random play, saves, restores, deletions and returns against a naive model."""

from __future__ import annotations

import asyncio
import tempfile
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from liyuan.domain.entry import EntryId
from liyuan.domain.errors import Invalid
from liyuan.model.scripted import ScriptedModel
from liyuan.play import edits, saves, travel
from liyuan.play.exports import export_conversation
from liyuan.play.imports import import_conversation
from liyuan.play.worldlines import Picture, load_picture
from tests.conversation_files import as_lines
from tests.postgres import new_database
from tests.tale import Tale, new_tale, theatre

pick = st.integers(min_value=0, max_value=10_000)


@dataclass
class NaiveSave:
    line: str
    name: str
    live: bool = True


@dataclass
class NaiveStory:
    """Parents by child and saves by entry; everything else is found by walking paths and looking at every save."""

    parents: dict[str, str | None] = field(default_factory=dict)
    saves: dict[str, NaiveSave] = field(default_factory=dict)
    leaf: str = ""

    def path(self, key: str | None) -> list[str]:
        found: list[str] = []
        while key is not None:
            found.append(key)
            key = self.parents[key]
        return found

    def prev(self, at: str | None) -> str | None:
        return next((key for key in self.path(at) if key in self.saves and self.saves[key].live), None)

    def plan(self, at: str | None) -> tuple[str, str | None]:
        """§7, word for word: first; fork if some live save below prev is not on this path; else the same line."""
        prev = self.prev(at)
        if prev is None:
            return "first", None
        here = self.path(at)
        elsewhere = [
            key
            for key, save in self.saves.items()
            if save.live and key != prev and prev in self.path(key) and key not in here
        ]
        return ("fork" if elsewhere else "sameLine"), prev

    def fits(self, key: str) -> bool:
        """Whether a deleted save still lies on one path with all that lives on its line."""
        mates = [other for other, save in self.saves.items() if save.live and save.line == self.saves[key].line]
        return all(key in self.path(mate) or mate in self.path(key) for mate in mates)


class SaveHistories(RuleBasedStateMachine):
    """Everything goes through the functions that the page and the API call."""

    postgres = False

    def __init__(self) -> None:
        super().__init__()
        self.runner = asyncio.Runner()
        self.stack = AsyncExitStack()
        self.folder = tempfile.TemporaryDirectory()
        self.naive = NaiveStory()
        self.made = 0
        self.tale: Tale

    def do(self, act: Any) -> Any:
        return self.runner.run(act)

    @initialize()
    def open(self) -> None:
        async def opened() -> Tale:
            more = {"database_url": new_database()} if self.postgres else {}
            model = ScriptedModel(otherwise="…")
            resources = await self.stack.enter_async_context(theatre(Path(self.folder.name), model, **more))
            return await new_tale(resources, model)

        self.tale = self.do(opened())
        self.learn()

    def teardown(self) -> None:
        self.do(self.stack.aclose())
        self.runner.close()
        self.folder.cleanup()

    def learn(self) -> None:
        """Takes in the path that the reader is on now."""
        items = self.do(self.tale.items())
        for item in items:
            self.naive.parents[item.id] = item.entry.parent_id
        self.naive.leaf = items[-1].id

    def picture(self) -> Picture:
        return self.do(self.tale.resources.database.read(load_picture, self.tale.id))

    def chosen(self, keys: list[str], at: int) -> EntryId:
        return EntryId(keys[at % len(keys)])

    def living(self) -> list[str]:
        return [key for key, save in self.naive.saves.items() if save.live]

    def deleted(self) -> list[str]:
        return [key for key, save in self.naive.saves.items() if not save.live]

    @rule()
    def say(self) -> None:
        self.do(self.tale.say("on"))
        self.learn()

    @rule(at=pick)
    def go(self, at: int) -> None:
        self.do(self.tale.go(self.chosen(list(self.naive.parents), at)))
        self.learn()

    @rule()
    def save(self) -> None:
        kind, prev = self.naive.plan(self.naive.leaf)
        self.made += 1
        name = f"save {self.made}"
        saved = self.do(saves.save(self.tale.resources, self.tale.id, name, expected_leaf=EntryId(self.naive.leaf)))
        assert (saved.plan.kind, saved.plan.prev and saved.plan.prev.id) == (kind, prev)
        line = saved.save.worldline_id
        lines = {save.line for save in self.naive.saves.values()}
        assert line == self.naive.saves[str(prev)].line if kind == "sameLine" else line not in lines
        self.naive.saves[saved.save.id] = NaiveSave(line, name)
        self.learn()

    @precondition(lambda self: self.living())
    @rule(at=pick)
    def restore(self, at: int) -> None:
        goal = self.chosen(self.living(), at)
        leaf = EntryId(self.naive.leaf)
        restored = self.do(saves.restore(self.tale.resources, self.tale.id, goal, expected_leaf=leaf))
        assert restored.leaf_id == goal
        self.learn()

    @precondition(lambda self: self.naive.saves)
    @rule(at=pick)
    def another_way(self, at: int) -> None:
        """Back to where somebody once saved, and saved again: what forks are made of."""
        self.do(self.tale.go(self.chosen(list(self.naive.saves), at)))
        self.learn()
        self.save()

    @precondition(lambda self: self.living())
    @rule(at=pick)
    def delete(self, at: int) -> None:
        gone = self.chosen(self.living(), at)
        self.do(saves.delete_save(self.tale.resources, self.tale.id, gone))
        self.naive.saves[gone].live = False

    @precondition(lambda self: self.deleted())
    @rule(at=pick)
    def bring_back(self, at: int) -> None:
        back = self.chosen(self.deleted(), at)
        expected = None if self.naive.fits(back) else self.naive.plan(self.naive.parents[back])
        save, plan = self.do(saves.undelete_save(self.tale.resources, self.tale.id, back))
        if expected is None:
            assert plan is None
            assert save.worldline_id == self.naive.saves[back].line
        else:
            assert (plan.kind, plan.prev and plan.prev.id) == expected
        self.naive.saves[back] = NaiveSave(save.worldline_id, self.naive.saves[back].name)

    @precondition(lambda self: self.naive.saves)
    @rule(at=pick)
    def rename(self, at: int) -> None:
        key = self.chosen(list(self.naive.saves), at)
        self.made += 1
        name = f"name {self.made}"
        self.do(saves.rename_save(self.tale.resources, self.tale.id, key, name))
        self.naive.saves[key].name = name

    @precondition(lambda self: self.living())
    @rule(at=pick)
    def rename_line(self, at: int) -> None:
        line = self.naive.saves[self.chosen(self.living(), at)].line
        self.made += 1
        self.do(saves.rename_worldline(self.tale.resources, self.tale.id, line, f"line {self.made}"))

    @precondition(lambda self: len(self.naive.parents) > 1)
    @rule(at=pick)
    def prune_and_restore(self, at: int) -> None:
        """What was out of sight for a while comes back as it was."""
        entry = self.chosen([key for key, parent in self.naive.parents.items() if parent], at)
        before = self.picture().worldlines
        self.do(self.tale.prune(entry))
        leaf = self.do(self.tale.leaf())
        self.do(edits.restore(self.tale.resources, self.tale.id, entry, expected_leaf=leaf))
        assert self.picture().worldlines == before
        self.learn()

    @precondition(lambda self: len(self.naive.parents) > 1)
    @rule()
    def undo(self) -> None:
        try:
            self.do(travel.undo(self.tale.resources, self.tale.id))
        except Invalid:
            return
        self.learn()

    @invariant()
    def the_saves_of_a_line_lie_on_one_path_and_below_their_source(self) -> None:
        told = self.picture()
        assert sorted(save.id for line in told.worldlines for save in line.saves) == sorted(self.living())
        for line in told.worldlines:
            longest = self.naive.path(line.saves[-1].id)
            assert [key for key in reversed(longest) if key in {save.id for save in line.saves}] == [
                save.id for save in line.saves
            ]
            for save in line.saves:
                assert self.naive.saves[save.id].line == line.id
                assert save.name == self.naive.saves[save.id].name
                assert line.fork_source is None or line.fork_source in self.naive.path(save.id)[1:]

    @invariant()
    def every_line_has_a_name_of_its_own(self) -> None:
        names = [line.name for line in self.picture().worldlines]
        assert len(set(names)) == len(names) and all(names)

    @invariant()
    def where_one_is_is_the_nearest_living_save(self) -> None:
        assert self.picture().current_save == self.naive.prev(self.naive.leaf)

    @invariant()
    def everything_proves_itself(self) -> None:
        assert self.do(self.tale.faults()) == []

    @precondition(lambda self: self.deleted())
    @rule()
    def take_it_to_another_server(self) -> None:
        """The file tells it all: the picture is the same there, and goes out again byte for byte."""
        first = "".join(export_conversation(self.tale.resources.database, self.tale.id))

        async def there() -> tuple[Picture, str]:
            with tempfile.TemporaryDirectory() as folder:
                async with theatre(Path(folder)) as other:
                    await import_conversation(other, as_lines(first))
                    picture = await other.database.read(load_picture, self.tale.id)
                    return picture, "".join(export_conversation(other.database, self.tale.id))

        picture, second = self.do(there())
        here = self.picture()
        assert second == first
        assert (picture.worldlines, picture.current_save) == (here.worldlines, here.current_save)
        assert {save.id for save in picture.deleted} == set(self.deleted())


class SaveHistoriesOnPostgres(SaveHistories):
    """The same on PostgreSQL."""

    postgres = True


def whole(machine: type[RuleBasedStateMachine], examples: int) -> Any:
    case = machine.TestCase
    case.settings = settings(
        max_examples=examples, stateful_step_count=40, deadline=None, suppress_health_check=list(HealthCheck)
    )
    case.pytestmark = [pytest.mark.slow]
    return case


TestSaveHistories = whole(SaveHistories, 30)
TestSaveHistoriesOnPostgres = whole(SaveHistoriesOnPostgres, 6)
