"""How many tokens does a turn send, with summaries and with the plain full history, and how much is a cached front?

Plays one story of 200 turns in this process with a scripted model (no network, no clock in the figures): the same words
each run. "full history" is the same prompt with nothing summarised and nothing left out.
"""

from __future__ import annotations

import asyncio
import sys
import tempfile
from itertools import pairwise
from pathlib import Path
from statistics import median

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from liyuan.domain.tokens import PER_MESSAGE  # noqa: E402
from liyuan.jobs.worker import Worker  # noqa: E402
from liyuan.model.chat import Request  # noqa: E402
from liyuan.model.scripted import ScriptedModel  # noqa: E402
from liyuan.model.tokenizer import count  # noqa: E402
from tests.tale import new_tale, theatre  # noqa: E402

TURNS = 200
WINDOW = 8192
RAIN = "The rain goes on over the roof, and she counts the drops as others count coins. " * 7


def answer(request: Request) -> str:
    number = len(request.messages)
    told = {
        "scribe": f'{{"location": "room {number % 7}", "characters": {{"Ash": {{"affinity": {number % 50}}}}}}}',
        "summary": "They met at the inn on the night of the storm, and went on together. " * 10,
    }
    return told.get(request.purpose, f"*She turns page {number}.* {RAIN}")


def tokens(texts: list[str]) -> int:
    return sum(count(text) + PER_MESSAGE for text in texts)


def shared(one: str, other: str) -> float:
    same = next((at for at, (left, right) in enumerate(zip(one, other, strict=False)) if left != right), None)
    return 1.0 if same is None else same / min(len(one), len(other))


async def play(folder: Path) -> tuple[list[list[str]], list[str]]:
    """The story prompts as they were sent, and everything that was said."""
    worker, model = Worker(), ScriptedModel(otherwise=answer)
    async with theatre(folder, model, worker=worker, settle_wait=10, context_tokens=WINDOW) as resources:
        await worker.open(resources)
        tale = await new_tale(resources, model)
        for number in range(TURNS):
            await tale.say(f"And then, for the {number}th time, I ask what the rain is hiding.")
            await worker.idle()
        said = await tale.shown()
        await worker.close()
    return [[message.text for message in request.messages] for request in model.asked("story")], said


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        prompts, said = asyncio.run(play(Path(folder)))
    fixed = prompts[0][0]
    whole = [tokens([fixed, *said[: 2 * turn + 2]]) for turn in range(TURNS)]
    sent = [tokens(prompt) for prompt in prompts]
    print(f"{'turns':>9} {'sent a turn':>12} {'full history':>13} {'ratio':>7}")
    for first in range(0, TURNS, 25):
        ours, theirs = median(sent[first : first + 25]), median(whole[first : first + 25])
        print(f"{first + 1:>4}–{first + 25:<4} {ours:>12,.0f} {theirs:>13,.0f} {ours / theirs:>7.2f}")
    print(f"{'all':>9} {sum(sent):>12,} {sum(whole):>13,} {sum(sent) / sum(whole):>7.2f}   (sums)")
    fronts = [shared("\n".join(one), "\n".join(other)) for one, other in pairwise(prompts)]
    print(f"\nlargest prompt: {max(sent):,} of a window of {WINDOW:,}")
    print(f"shared with the prompt before, from the front: {median(fronts):.1%} median (target ≥ 90 %)")


if __name__ == "__main__":
    main()
