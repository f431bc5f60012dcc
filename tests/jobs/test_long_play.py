"""Issue of long stories: through two hundred turns the prompt stays in its window, and its front stays the same."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path
from statistics import median

import pytest

from liyuan.jobs.worker import Worker
from liyuan.model.chat import Request
from liyuan.model.scripted import ScriptedModel
from tests.tale import new_tale, theatre

pytestmark = pytest.mark.slow
TURNS = 200
WINDOW = 8192


def answer(request: Request) -> str:
    number = len(request.messages)
    told = {
        "scribe": f'{{"location": "room {number % 7}", "characters": {{"Ash": {{"affinity": {number % 50}}}}}}}',
        "summary": "They met at the inn, and went on together. " * 12,
    }
    at_length = f"She answers at length, {number}. " + "The rain goes on and on over the roof. " * 14
    return told.get(request.purpose, at_length)


def sent(request: Request) -> str:
    return "\n".join(message.text for message in request.messages)


def shared(one: str, other: str) -> float:
    """How much of the shorter text the two have in common from the front, 0 to 1."""
    same = next((at for at, (left, right) in enumerate(zip(one, other, strict=False)) if left != right), None)
    shorter = min(len(one), len(other))
    return 1.0 if same is None else same / shorter


async def test_two_hundred_turns_stay_in_the_window_and_share_their_front(tmp_path: Path) -> None:
    worker, model = Worker(), ScriptedModel(otherwise=answer)
    async with theatre(tmp_path, model, worker=worker, settle_wait=10, context_tokens=WINDOW) as resources:
        await worker.open(resources)
        tale = await new_tale(resources, model)
        for number in range(TURNS):
            await tale.say(f"And then, for the {number}th time, I ask what the rain is hiding.")
            await worker.idle()
        replies = [item.entry.data for item in await tale.items() if item.entry.is_reply and item.entry.parent_id]
        assert len(replies) == TURNS
        assert max(data["prompt_tokens"] for data in replies) <= WINDOW
        prompts = [sent(request) for request in model.asked("story")]
        assert median(shared(one, other) for one, other in pairwise(prompts)) >= 0.9
        assert await tale.faults() == []
        await worker.close()
