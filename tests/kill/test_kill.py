"""The server is killed at random moments of a turn. What it vouched for is there, nothing is twice, and it plays on."""

from __future__ import annotations

import asyncio
import random
import signal
from collections.abc import AsyncIterator
from dataclasses import dataclass, replace
from pathlib import Path

import pytest

from liyuan.domain.entry import MESSAGE, REVISION, Entry
from tests.kill.reader import Heard, Reader
from tests.kill.teller import QUICK, Teller

pytestmark = pytest.mark.slow

PAUSE = 0.05
#: Between two words of a reply that does not end within the time a server is given to end.
TOO_LONG_TO_WAIT = 1.0
#: When the server is killed, in seconds after the act was sent: as it comes in, before the first flush, while the
#: words come, and about when the reply is committed.
MOMENTS = ((0.0, 0.03), (0.03, 0.4), (0.7, 1.3), (1.45, 1.75))
ACTS = ("say", "say", "swipe", "continue")
BLOWS = 5


@pytest.fixture
async def reader(tmp_path: Path) -> AsyncIterator[Reader]:
    """A story of one turn, on a server that is running."""
    async with Teller().serving() as teller:
        made = Reader(tmp_path, teller)
        await made.open()
        await made.begin()
        await made.say("the first words")
        yield made
        if made.house.process.poll() is None:
            await made.kill()


@dataclass
class Blow:
    """One act and when it is cut short."""

    act: str
    after: float

    @classmethod
    def chosen(cls, chance: random.Random, number: int) -> Blow:
        return cls(chance.choice(ACTS), chance.uniform(*MOMENTS[number % len(MOMENTS)]))


@pytest.mark.parametrize("seed", (1, 2))
async def test_a_killed_server_has_kept_its_word(reader: Reader, seed: int) -> None:
    chance = random.Random(seed)
    blows = [Blow.chosen(chance, number) for number in range(BLOWS)]
    chance.shuffle(blows)
    for number, blow in enumerate(blows):
        print(f"seed {seed}, blow {number}: {blow}")
        before = reader.entries()
        reader.teller.pause = PAUSE
        heard, flushed = await struck(reader, blow, f"words {number} of {seed}")
        assert reader.faults() == [], "as the kill left it"
        reader.teller.pause = QUICK
        await reader.open()
        after = reader.entries()
        assert reader.faults() == []
        assert await reader.status() in ("idle", "settling"), "the stage is free"
        assert {key: fixed(after[key]) for key in before} == {key: fixed(before[key]) for key in before}
        vouched_for(heard, after)
        told_once(blow, [after[key] for key in after.keys() - before.keys()], heard, flushed, reader.teller.told())
        await plays_on(reader, f"after {number} of {seed}")
    await reader.kill()
    proved = await asyncio.to_thread(reader.verify_command)
    assert proved.returncode == 0, proved.stdout


def fixed(entry: Entry) -> Entry:
    """What never changes of an entry: all but the number of its segment, which may run on in another."""
    return replace(entry, place=replace(entry.place, segment_id=0))


async def struck(reader: Reader, blow: Blow, text: str) -> tuple[Heard, str]:
    """Begins an act and kills the server in the middle. Answers what was heard, and what had been written down."""
    acting = asyncio.create_task(reader.hear(await reader.wish(blow.act, text)))
    await asyncio.sleep(blow.after)
    flushed = reader.flushed() or ""
    await reader.kill()
    return await acting, flushed


def vouched_for(heard: Heard, after: dict[str, Entry]) -> None:
    """An entry that was told of over HTTP had been committed before."""
    if heard.user:
        assert after[heard.user["id"]].text == heard.user["text"]
    if heard.reply:
        shown = after[heard.reply["id"]]
        revised = [entry.text for entry in after.values() if entry.target_id == shown.id]
        assert heard.reply["text"] in (shown.text, *revised)


def told_once(blow: Blow, made: list[Entry], heard: Heard, flushed: str, told: str) -> None:
    """Of one act there is at most one message of the reader's and one reply, whole or interrupted, and nothing else."""
    said = [entry for entry in made if entry.is_user]
    replies = [entry for entry in made if entry.is_reply or entry.kind == REVISION]
    assert len(said) <= (blow.act == "say")
    assert len(replies) <= 1
    assert {entry.kind for entry in made} <= {MESSAGE, REVISION, "rp-state"}
    if heard.reply or flushed.strip():
        assert len(replies) == 1, "what had been written down came back"
    for reply in replies:
        text = own_words(reply, told)
        assert told.startswith(text), "not a word that was not said"
        assert text.startswith(flushed.strip()), "every word that was written down"
        assert reply.status == "interrupted" or text == told.strip()


def own_words(reply: Entry, told: str) -> str:
    """What a reply says, or what it says more where it went on from another."""
    text = reply.text or ""
    return text[text.index(told.split()[0]) :].strip()


async def plays_on(reader: Reader, text: str) -> None:
    """The next turn is played at once, and all of it."""
    heard = await reader.say(text)
    assert heard.user and heard.user["text"] == text
    assert heard.reply and heard.reply["status"] == "complete"
    assert heard.reply["text"] == reader.teller.told().strip()


async def test_a_server_that_is_asked_to_end_keeps_what_was_said(reader: Reader) -> None:
    reader.teller.pause = TOO_LONG_TO_WAIT
    acting = asyncio.create_task(reader.say("the last words"))
    while not reader.flushed():  # noqa: ASYNC110 – the words are written down by another process.
        await asyncio.sleep(0.05)
    code = await reader.end()
    heard = await acting
    assert code in (0, -signal.SIGTERM)
    assert reader.flushed() is None, "nobody is on stage any more"
    *_, words, reply = reader.entries().values()
    assert heard.user and words.id == heard.user["id"]
    assert reply.status == "interrupted"
    assert (reply.text or "").startswith("".join(heard.words).strip())
    assert reader.faults() == []
    reader.teller.pause = QUICK
    await reader.open()
    await plays_on(reader, "good morning")
