"""Random histories of play against the naive tree: path, texts, variants, tips, pointers and undo always agree."""

from __future__ import annotations

import asyncio
import tempfile
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from liyuan.domain.entry import SAVE, STATE, Draft, EntryId
from liyuan.domain.errors import Invalid
from liyuan.model.scripted import ScriptedModel
from liyuan.play import edits, travel
from liyuan.store.branch import load_page
from liyuan.store.conversations import load_conversation
from liyuan.store.database import new_id
from liyuan.store.tree import append
from tests.postgres import new_database
from tests.store.naive import NaiveEntry, NaiveTree
from tests.tale import Tale, new_tale, theatre

pick = st.integers(min_value=0, max_value=10_000)


class Histories(RuleBasedStateMachine):
    """Say, swipe, choose, edit, delete, bring back, move, undo, redo, and what jobs append, in any order."""

    postgres = False

    def __init__(self) -> None:
        super().__init__()
        self.runner = asyncio.Runner()
        self.stack = AsyncExitStack()
        self.folder = tempfile.TemporaryDirectory()
        self.naive = NaiveTree()
        self.spoken = 0
        self.tale: Tale

    def do(self, act: Any) -> Any:
        return self.runner.run(act)

    @initialize(greetings=st.integers(1, 3))
    def open(self, greetings: int) -> None:
        async def opened() -> Tale:
            model = ScriptedModel(otherwise="…")
            more = {"database_url": new_database()} if self.postgres else {}
            resources = await self.stack.enter_async_context(theatre(Path(self.folder.name), model, **more))
            return await new_tale(resources, model, tuple(f"greeting {i}" for i in range(greetings)))

        self.tale = self.do(opened())
        first = self.do(self.tale.items())[0]
        assert first.variants is not None
        for key in first.variants.ids:
            self.naive.add(
                NaiveEntry(key, None, "message", "assistant", f"greeting {len(self.naive.entries)}"), jump=False
            )
        if greetings > 1:
            self.naive.go(first.id, jump=False)

    def teardown(self) -> None:
        self.do(self.stack.aclose())
        self.runner.close()
        self.folder.cleanup()

    def text(self) -> str:
        self.spoken += 1
        return f"text {self.spoken}"

    def messages(self) -> list[str]:
        return [key for key in self.naive.path(self.naive.leaf) if self.naive.entries[key].kind == "message"]

    def chosen(self, keys: list[str], at: int) -> str:
        return keys[at % len(keys)]

    @rule()
    def say(self) -> None:
        text = self.text()
        parent = self.naive.leaf
        reply = self.do(self.tale.say(text, reply=f"re: {text}"))
        entries = self.do(self.tale.items())
        user = entries[-2].id
        self.naive.add(NaiveEntry(user, parent, "message", "user", text), jump=False)
        self.naive.add(NaiveEntry(reply, user, "message", "assistant", f"re: {text}"), jump=False)

    @rule(kind=st.sampled_from([STATE, SAVE, "setting", "some-day"]))
    def book(self, kind: str) -> None:
        leaf = EntryId(str(self.naive.leaf))
        draft = Draft(id=EntryId(new_id()), parent_id=leaf, kind=kind, data={})
        self.do(self.tale.resources.database.write(append, self.tale.id, draft, expected_leaf=leaf))
        self.naive.add(NaiveEntry(draft.id, leaf, kind, None, ""), jump=False)

    @rule(at=pick)
    def swipe(self, at: int) -> None:
        replies = [key for key in self.messages() if self.naive.entries[key].role == "assistant"]
        old = self.naive.entries[self.chosen(replies, at)]
        if old.parent is None:
            return
        text = self.text()
        made = self.do(self.tale.swipe(EntryId(old.id), reply=text))
        self.naive.add(NaiveEntry(made, old.parent, "message", "assistant", text), jump=True)

    @rule(at=pick, which=pick)
    def choose(self, at: int, which: int) -> None:
        variant = self.chosen(self.naive.variants(self.chosen(self.messages(), at)), which)
        tip = self.naive.tip(variant)
        before = len(self.naive.entries)
        assert self.do(self.tale.choose(EntryId(variant))) == tip
        assert len(self.naive.entries) == before
        self.naive.go(tip)

    @rule(at=pick)
    def choose_anywhere(self, at: int) -> None:
        living = [
            key for key, one in self.naive.entries.items() if one.kind == "message" and not self.naive.is_hidden(key)
        ]
        chosen = self.chosen(living, at)
        tip = self.naive.tip(chosen)
        assert self.do(self.tale.choose(EntryId(chosen))) == tip
        self.naive.go(tip)

    @rule(at=pick)
    def edit_as_branch(self, at: int) -> None:
        old = self.naive.entries[self.chosen(self.messages(), at)]
        text = self.text()
        made = self.do(self.tale.edit(EntryId(old.id), text, "branch")).id
        self.naive.add(NaiveEntry(made, old.parent, "message", old.role, text), jump=True)

    @rule(at=pick)
    def edit_in_place(self, at: int) -> None:
        target, text, parent = self.chosen(self.messages(), at), self.text(), self.naive.leaf
        shown = self.do(self.tale.edit(EntryId(target), text, "in_place"))
        assert shown.text == text
        leaf = self.do(self.tale.leaf())
        self.naive.add(NaiveEntry(leaf, parent, "revision", None, text, target), jump=True)

    @rule(at=pick)
    def move(self, at: int) -> None:
        goal = self.chosen([key for key in self.naive.entries if not self.naive.is_hidden(key)], at)
        self.do(self.tale.go(EntryId(goal)))
        self.naive.go(goal)

    @rule(at=pick)
    def prune(self, at: int) -> None:
        entry = self.chosen([key for key in self.naive.entries if not self.naive.is_hidden(key)], at)
        goal = self.naive.way_out(entry)
        inside = entry in self.naive.path(self.naive.leaf)
        if inside and goal is None:
            with pytest.raises(Invalid):
                self.do(self.tale.prune(EntryId(entry)))
            return
        self.do(self.tale.prune(EntryId(entry)))
        self.naive.pruned.add(entry)
        if inside:
            self.naive.go(goal)

    @precondition(lambda self: self.naive.pruned)
    @rule(at=pick)
    def restore(self, at: int) -> None:
        entry = self.chosen(sorted(self.naive.pruned), at)
        others = self.naive.pruned - {entry}
        act = edits.restore(self.tale.resources, self.tale.id, EntryId(entry), expected_leaf=self.naive.leaf)
        try:
            leaf = self.do(act).leaf_id
        except Invalid:
            assert any(key in others for key in self.naive.path(entry)) or others
            return
        self.naive.pruned = others
        if leaf != self.naive.leaf:
            assert entry in self.naive.path(leaf)
            self.naive.go(leaf)

    @precondition(lambda self: self.naive.undo and not self.naive.is_hidden(self.naive.undo[-1]))
    @rule()
    def undo(self) -> None:
        pruned = set(self.naive.pruned)
        conversation = self.do(travel.undo(self.tale.resources, self.tale.id))
        assert conversation.leaf_id == self.naive.undo[-1]
        assert self.naive.pruned == pruned
        self.naive.step(self.naive.undo, self.naive.redo)

    @precondition(lambda self: self.naive.redo and not self.naive.is_hidden(self.naive.redo[-1]))
    @rule()
    def redo(self) -> None:
        conversation = self.do(travel.redo(self.tale.resources, self.tale.id))
        assert conversation.leaf_id == self.naive.redo[-1]
        self.naive.step(self.naive.redo, self.naive.undo)

    @invariant()
    def the_branch_is_the_same(self) -> None:
        items = self.do(self.tale.items())
        assert [item.id for item in items] == self.naive.path(self.naive.leaf)
        assert [item.text for item in items if item.entry.kind == "message"] == self.naive.texts()
        for item in items:
            if item.variants:
                assert list(item.variants.ids) == self.naive.variants(item.id)

    @invariant()
    def what_is_derived_is_the_same(self) -> None:
        async def read() -> Any:
            return await self.tale.resources.database.read(load_conversation, self.tale.id)

        assert self.do(read()).turns == self.naive.turns()
        last = self.do(self.tale.items())[-1].entry
        assert last.place.state_id == self.naive.nearest(STATE)
        assert last.place.save_id == self.naive.nearest(SAVE)

    @invariant()
    def a_page_is_the_end_of_the_branch(self) -> None:
        async def read() -> Any:
            return await self.tale.resources.database.read(load_page, self.tale.id, limit=3)

        page = self.do(read())
        assert [item.id for item in page.items] == self.naive.path(self.naive.leaf)[-3:]
        assert (page.prev is None) == (len(self.naive.path(self.naive.leaf)) <= 3)

    @invariant()
    def everything_proves_itself(self) -> None:
        assert self.do(self.tale.faults()) == []


class HistoriesOnPostgres(Histories):
    """The same on PostgreSQL."""

    postgres = True


def whole(machine: type[RuleBasedStateMachine], examples: int) -> Any:
    case = machine.TestCase
    case.settings = settings(
        max_examples=examples, stateful_step_count=30, deadline=None, suppress_health_check=list(HealthCheck)
    )
    case.pytestmark = [pytest.mark.slow]
    return case


TestHistories = whole(Histories, 40)
TestHistoriesOnPostgres = whole(HistoriesOnPostgres, 10)
