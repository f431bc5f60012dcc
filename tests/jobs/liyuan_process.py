"""A process with a durable worker, for tests that kill it: plays one turn, or only works on what is queued.

Usage: python liyuan_process.py DATA_DIR PORT play|work SECONDS_OF_THE_SCRIBE
Prints one word a line: `said`, `asked` when the scribe is asked, `done` when nothing is open any more.
"""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path

from liyuan.jobs.durable import DurableWorker
from liyuan.model.chat import Request
from liyuan.model.scripted import Reply, ScriptedModel
from liyuan.store.runs import load_forgotten
from tests.tale import new_tale, theatre


async def main(folder: Path, port: int, act: str, seconds: float) -> None:
    def answer(request: Request) -> Reply:
        if request.purpose != "scribe":
            return "welcome"
        print("asked", flush=True)
        return [seconds, '{"location": "the inn"}']

    worker, model = DurableWorker(), ScriptedModel(otherwise=answer)
    async with theatre(folder, model, worker=worker, port=port) as resources:
        await worker.open(resources)
        if act == "play":
            tale = await new_tale(resources, model)
            await tale.say("hello")
            print("said", flush=True)
        while await resources.database.read(load_forgotten, before="9999"):  # noqa: ASYNC110 - another process may end it
            await asyncio.sleep(0.05)
        print("done", flush=True)
        await worker.close()


if __name__ == "__main__":
    asyncio.run(main(Path(sys.argv[1]), int(sys.argv[2]), sys.argv[3], float(sys.argv[4])))
