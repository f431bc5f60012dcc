"""The server is killed while the model files something away. The reader is either here or there, never in between."""

from __future__ import annotations

import asyncio
import random
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from liyuan.domain.entry import BRANCH_SUMMARY, Entry
from tests.kill.reader import Reader
from tests.kill.teller import ASIDE, NOTE, QUICK, Filer

pytestmark = pytest.mark.slow

#: Between two words of a reply that must not end before the server is killed.
PAUSE = 1.0
#: When the server is killed, in seconds after the words were sent, about when the checkout comes; None: right after it.
MOMENTS = ((0.0, 0.04), (0.04, 0.12), (0.1, 0.25), None)
FIRST = "the first words"


@pytest.fixture
async def reader(tmp_path: Path) -> AsyncIterator[Reader]:
    """On a server that is running, and whose model files things away."""
    async with Filer().serving() as teller:
        made = Reader(tmp_path, teller)
        await made.open()
        await made.prefer(context_tools=True)
        yield made
        if made.house.process.poll() is None:
            await made.kill()


@pytest.mark.parametrize("number", range(len(MOMENTS)))
async def test_a_server_killed_in_a_checkout_leaves_the_reader_here_or_there(reader: Reader, number: int) -> None:
    await reader.begin()
    await reader.say(FIRST)
    reader.teller.pause = PAUSE
    saying = asyncio.create_task(reader.hear(await reader.wish("say", ASIDE)))
    await until(MOMENTS[number], number, reader)
    await reader.kill()
    heard = await saying
    assert reader.faults() == [], "as the kill left it"
    reader.teller.pause = QUICK
    await reader.open()
    assert reader.faults() == []
    assert await reader.status() in ("idle", "settling"), "the stage is free"
    spoken = [(role, text) for role, text in await told(reader) if role != "rp-state"]
    if ("user", ASIDE) not in spoken:
        assert heard.user is None and len(spoken) == 2, "the words never came in"
        return
    assert sum(text == ASIDE for _, text in spoken) == 1
    if notes := notes_in(reader):
        assert spoken[:3] == [("user", FIRST), (BRANCH_SUMMARY, NOTE), ("user", ASIDE)]
        assert reader.entries()[notes[0].data["from_id"]].text in ("Half a", ASIDE)
    assert len(notes) <= 1, "nothing is there twice"
    assert notes or MOMENTS[number], "right after the checkout it is there"
    assert [role for role, _ in spoken[3:]] in ([], ["assistant"])
    goes_on = await reader.say("good morning")
    assert goes_on.reply and goes_on.reply["status"] == "complete"
    assert reader.faults() == []


async def until(moment: tuple[float, float] | None, seed: int, reader: Reader) -> None:
    if moment is not None:
        after = random.Random(seed).uniform(*moment)
        print(f"after {after:.3f} s")
        await asyncio.sleep(after)
        return
    while not notes_in(reader):  # noqa: ASYNC110 – the note is written by another process.
        await asyncio.sleep(0.005)


def notes_in(reader: Reader) -> list[Entry]:
    return [entry for entry in reader.entries().values() if entry.kind == BRANCH_SUMMARY]


async def told(reader: Reader) -> list[tuple[str, str | None]]:
    """The active branch: who or what, and the words."""
    return [(item["role"] or item["kind"], item["text"] or item["data"].get("text")) for item in await reader.shown()]
