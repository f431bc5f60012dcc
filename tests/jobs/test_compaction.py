"""Semantics §5: long stories are summarised on their branch, between turns, and going back brings the text back."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from liyuan.domain.entry import SUMMARY, Entry, EntryId
from liyuan.domain.phrases import PHRASES
from liyuan.jobs.worker import Worker
from liyuan.model.chat import Request
from liyuan.model.scripted import ScriptedModel
from liyuan.play import travel
from liyuan.play.summaries import compact
from liyuan.store.runs import load_runs
from tests.tale import Tale, new_tale, theatre


@pytest.fixture
async def long_tale(tmp_path: Path, model: ScriptedModel, worker: Worker) -> AsyncIterator[Tale]:
    """Summarised every four turns, two turns kept."""
    settings = {"compact_every_turns": 4, "keep_turns": 2}
    async with theatre(tmp_path / "long", model, worker=worker, settle_wait=10, **settings) as resources:
        await worker.open(resources)
        yield await new_tale(resources, model)
        await worker.close()


async def play(tale: Tale, worker: Worker, turns: int, first: int = 1) -> list[EntryId]:
    replies = []
    for number in range(first, first + turns):
        tale.model.enqueue("{}", purpose="scribe")
        replies.append(await tale.say(f"words {number}", reply=f"reply {number}"))
        await worker.idle()
    return replies


def told(tale: Tale) -> list[str]:
    return [message.text for message in tale.model.asked("story")[-1].messages]


async def summaries(tale: Tale) -> list[Entry]:
    return [item.entry for item in await tale.items() if item.entry.kind == SUMMARY]


async def test_a_summary_is_due_after_so_many_turns_and_keeps_the_last(long_tale: Tale, worker: Worker) -> None:
    long_tale.model.enqueue("They met.", purpose="summary")
    replies = await play(long_tale, worker, 4)
    (summary,) = await summaries(long_tale)
    assert summary.data == {"text": "They met.", "covers_through_id": replies[1], "turns": 2}
    asked = long_tale.model.asked("summary")[0].messages[-1].text
    assert "reply 2" in asked and "words 3" not in asked


async def test_what_happened_on_another_branch_is_not_summarised_as_if_it_had_happened_here(
    long_tale: Tale, worker: Worker
) -> None:
    (first,) = await play(long_tale, worker, 1)
    await play(long_tale, worker, 1, first=2)
    words = "The cellar burned down."
    leaf = await long_tale.leaf()
    await travel.move(long_tale.resources, long_tale.id, first, expected_leaf=leaf, summary="text", words=words)
    long_tale.model.enqueue("They met.", purpose="summary")
    await play(long_tale, worker, 3, first=2)
    asked = long_tale.model.asked("summary")[0].messages[-1].text
    assert f"{PHRASES['en'].branch}\n{words}" in asked


async def test_the_prompt_holds_the_summary_instead_of_what_it_covers(long_tale: Tale, worker: Worker) -> None:
    long_tale.model.enqueue("They met.", purpose="summary")
    await play(long_tale, worker, 5)
    prompt = told(long_tale)
    assert "They met." in prompt[0]
    assert not [text for text in prompt if text in ("words 1", "reply 2", "Good evening.")]
    assert [text for text in prompt if text.startswith(("words", "reply"))] == [
        "words 3",
        "reply 3",
        "words 4",
        "reply 4",
        "words 5",
    ]


async def test_going_back_above_it_brings_the_full_text_back(long_tale: Tale, worker: Worker) -> None:
    long_tale.model.enqueue("They met.", purpose="summary")
    replies = await play(long_tale, worker, 4)
    await long_tale.go(replies[2])
    await play(long_tale, worker, 1, first=9)
    prompt = told(long_tale)
    assert "They met." not in prompt[0]
    assert "words 1" in prompt and "reply 3" in prompt


async def test_the_next_summary_takes_the_old_one_in(long_tale: Tale, worker: Worker) -> None:
    long_tale.model.enqueue("They met.", "They met and quarrelled.", purpose="summary")
    await play(long_tale, worker, 8)
    first, second = await summaries(long_tale)
    assert first.data["text"] == "They met."
    assert second.data["turns"] == 6
    asked = long_tale.model.asked("summary")[1].messages[-1].text
    assert "They met." in asked and "words 3" in asked and "words 2" not in asked


async def test_a_summary_that_comes_too_late_is_dropped(long_tale: Tale, worker: Worker) -> None:
    """pi#9178: a summary landed on another branch, and the next prompt held only that."""
    replies = await play(long_tale, worker, 3)
    gate = asyncio.Event()
    long_tale.model.enqueue("{}", purpose="scribe")
    long_tale.model.enqueue([gate, "Too late."], purpose="summary")
    asked = len(long_tale.model.requests)
    await long_tale.say("words 4", reply="reply 4")
    await long_tale.model.until_asked(asked + 3)
    await long_tale.go(replies[0])
    before = await long_tale.count()
    gate.set()
    await worker.idle()
    assert await long_tale.count() == before
    runs = await long_tale.resources.database.read(load_runs, long_tale.id)
    assert runs[0].state == "stale"


async def test_it_can_be_asked_for_by_hand(booked: Tale, worker: Worker) -> None:
    await play(booked, worker, 8)
    booked.model.enqueue("Eight turns.", purpose="summary")
    await compact(booked.resources, booked.id, expected_leaf=await booked.leaf())
    await worker.idle()
    (summary,) = await summaries(booked)
    assert summary.data["turns"] == 2


def talkative(request: Request) -> str:
    return {"scribe": "{}", "summary": "In short."}.get(request.purpose, "and " * 90)


async def test_a_prompt_that_fills_its_share_of_the_window_is_summarised(tmp_path: Path, worker: Worker) -> None:
    model = ScriptedModel(otherwise=talkative)
    settings = {"compact_every_turns": 0, "keep_turns": 2, "context_tokens": 1500, "compact_at": 0.6}
    async with theatre(tmp_path / "full", model, worker=worker, settle_wait=10, **settings) as resources:
        await worker.open(resources)
        tale = await new_tale(resources, model)
        for number in range(12):
            await tale.say(f"{number} " + "word " * 90)
            await worker.idle()
        assert len(await summaries(tale)) >= 2
        last = [item.entry for item in await tale.items() if item.entry.is_reply][-1]
        assert last.data["prompt_tokens"] < 1500
        await worker.close()
