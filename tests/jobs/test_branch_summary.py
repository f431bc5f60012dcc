"""Semantics §5: leaving a branch can leave a summary at the place one goes to, guarded like every background writer."""

from __future__ import annotations

import asyncio

from liyuan.domain.entry import BRANCH_SUMMARY, STATE, Entry, EntryId
from liyuan.jobs.worker import Worker
from liyuan.play import travel
from liyuan.store.runs import load_runs
from tests.tale import Tale


async def play(tale: Tale, worker: Worker, text: str) -> EntryId:
    tale.model.enqueue("{}", purpose="scribe")
    reply = await tale.say(text, reply=f"re: {text}")
    await worker.idle()
    return reply


async def jump(tale: Tale, to: EntryId, summary: str = "auto", words: str = "") -> EntryId | None:
    leaf = await tale.leaf()
    moved = await travel.move(
        tale.resources,
        tale.id,
        to,
        expected_leaf=leaf,
        summary=summary,  # type: ignore[arg-type]
        words=words,
    )
    return moved.leaf_id


async def notes(tale: Tale) -> list[Entry]:
    return [item.entry for item in await tale.items() if item.entry.kind == BRANCH_SUMMARY]


async def states(tale: Tale) -> list[str]:
    return [run.state for run in await tale.resources.database.read(load_runs, tale.id)]


async def test_it_is_written_under_the_place_one_goes_to(booked: Tale, worker: Worker) -> None:
    goal = await play(booked, worker, "hello")
    await play(booked, worker, "down to the cellar")
    left = await booked.leaf()
    booked.model.enqueue("The cellar was empty.", purpose="summary")
    await jump(booked, goal)
    await worker.idle()
    (note,) = await notes(booked)
    assert (note.parent_id, note.data["text"], note.data["from_id"]) == (goal, "The cellar was empty.", left)
    asked = booked.model.asked("summary")[0].messages[-1].text
    assert "down to the cellar" in asked and "re: hello" not in asked
    assert await booked.faults() == []


async def test_one_click_returns_to_the_leaf_that_was_left(booked: Tale, worker: Worker) -> None:
    goal = await play(booked, worker, "hello")
    await play(booked, worker, "down")
    left = await booked.leaf()
    await jump(booked, goal, "text", "The cellar was empty.")
    (note,) = await notes(booked)
    moved = await travel.return_there(booked.resources, booked.id, note.id, expected_leaf=await booked.leaf())
    assert moved.leaf_id == left
    assert await notes(booked) == []


async def test_own_words_are_there_at_once_and_call_no_model(booked: Tale, worker: Worker) -> None:
    goal = await play(booked, worker, "hello")
    await play(booked, worker, "down")
    asked = len(booked.model.asked("summary"))
    leaf = await jump(booked, goal, "text", "  The cellar was empty. ")
    (note,) = await notes(booked)
    assert (note.id, note.data["text"]) == (leaf, "The cellar was empty.")
    assert len(booked.model.asked("summary")) == asked


async def test_the_prompt_says_that_it_happened_elsewhere(booked: Tale, worker: Worker) -> None:
    goal = await play(booked, worker, "hello")
    await play(booked, worker, "down")
    await jump(booked, goal, "text", "The cellar was empty.")
    await play(booked, worker, "up")
    told = booked.model.asked("story")[-1].messages
    (note,) = [said.text for said in told if "The cellar was empty." in said.text]
    assert note.startswith("[A note on another branch")
    assert not any("down" in said.text for said in told)


async def test_the_scribe_does_not_book_what_happened_elsewhere(booked: Tale, worker: Worker) -> None:
    goal = await play(booked, worker, "hello")
    await play(booked, worker, "down")
    await jump(booked, goal, "text", "The cellar was empty.")
    await play(booked, worker, "up")
    assert "cellar was empty" not in booked.model.asked("scribe")[-1].messages[-1].text


async def test_going_down_the_same_branch_leaves_nothing_behind(booked: Tale, worker: Worker) -> None:
    goal = await play(booked, worker, "hello")
    await play(booked, worker, "down")
    end = await booked.leaf()
    assert end is not None
    await booked.go(goal)
    await jump(booked, end)
    await worker.idle()
    assert await notes(booked) == []
    assert booked.model.asked("summary") == []


async def test_gone_elsewhere_meanwhile_nothing_is_written(booked: Tale, worker: Worker) -> None:
    goal = await play(booked, worker, "hello")
    down = await play(booked, worker, "down")
    before = await booked.count()
    gate = asyncio.Event()
    booked.model.enqueue([gate, "The cellar was empty."], purpose="summary")
    asked = len(booked.model.requests)
    await jump(booked, goal)
    await booked.model.until_asked(asked + 1)
    await booked.go(down)
    gate.set()
    await worker.idle()
    assert await booked.count() == before
    assert (await states(booked))[0] == "stale"


async def test_undo_of_the_jump_goes_back_to_what_was_left(booked: Tale, worker: Worker) -> None:
    goal = await play(booked, worker, "hello")
    await play(booked, worker, "down")
    left = await booked.leaf()
    await jump(booked, goal, "text", "The cellar was empty.")
    undone = await travel.undo(booked.resources, booked.id)
    assert undone.leaf_id == left
    again = await travel.redo(booked.resources, booked.id)
    assert [item.kind for item in (await notes(booked))] == [BRANCH_SUMMARY]
    assert again.leaf_id == (await notes(booked))[0].id


async def test_the_ledger_of_the_way_left_is_not_on_the_new_one(booked: Tale, worker: Worker) -> None:
    goal = await play(booked, worker, "hello")
    booked.model.enqueue('{"location": "the cellar"}', purpose="scribe")
    await booked.say("down", reply="dark")
    await worker.idle()
    await jump(booked, goal, "text", "The cellar was empty.")
    assert not any(item.entry.kind == STATE and "cellar" in str(item.entry.data) for item in await booked.items())
