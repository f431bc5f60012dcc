"""What the server adds to the model's own time, and how many streams one process holds. Over HTTP, with a stub model.

python benchmarks/turn.py                  everything; some minutes
python benchmarks/turn.py --quick          shorter stories, fewer streams
"""

from __future__ import annotations

import argparse
import asyncio
import json
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path
from statistics import median

from workbench.clock import percentile
from workbench.forest import Story, grow
from workbench.house import House, open_house
from workbench.player import Player, Turn
from workbench.prompter import WRAP, prompting, stamp
from workbench.table import Table, machine, ms, ratio, verdict

from liyuan.store.conversations import create
from liyuan.store.database import Database
from liyuan.store.migrate import migrate

WORDS = "“Who else knows of this?”"
TURNS, WARM = 25, 4
#: Forty pieces at 100 a second: the model itself takes 0.4 s a turn.
PACE = "story-100-40"
#: Tokens of the window: what the settings say by default, and one that ten entries fill, so that all prompts are equal.
WINDOWS = (32768, 1024)
STREAMS = (50, 150, 300)
#: Pieces a second of each stream, and the seconds it goes on.
RATE, SECONDS = 20, 10
FIRST, WHOLE, GROWTH, GAP, MEMORY = 0.015, 0.030, 1.3, 0.100, 150_000


# --- one turn after the other ----------------------------------------------------------------------------------------


def what_is_added(lengths: Sequence[int], window: int, folder: Path) -> None:
    stories = _stories(lengths, folder)
    with prompting() as model, open_house(folder, **settings(model, PACE, context_tokens=window)) as house:
        house.wait_until_quiet()
        turns = _played(house, stories)
    table = Table(
        f"What the server adds to a turn, in ms, by entries of the story; a window of {window:,} tokens",
        ["", *(f"{length:,}" for length in lengths), "largest / smallest", "target", ""],
    )
    rows = (("first piece", "first_added", FIRST), ("whole turn", "added", WHOLE), ("words safe", "safe", None))
    for name, which, target in rows:
        took = [median(getattr(turn, which) for turn in played) for played in turns]
        wanted = f"≤ {ms(target)}, ×{GROWTH}" if target else ""
        fits = f"{verdict(max(took), target)} {verdict(max(took) / took[0], GROWTH)}" if target else ""
        table.row(name, *map(ms, took), ratio(max(took), took[0]), wanted, fits)
    slow = [percentile([turn.first_added for turn in played], 95) for played in turns]
    table.row("first piece, 95th percentile", *map(ms, slow), "", "", "")
    table.note(f"{len(turns[0])} turns each, in turn; 40 pieces at 100 a second, the model's own time taken off.")
    table.show()


def _played(house: House, stories: Sequence[Story]) -> list[list[Turn]]:
    players = [Player(house, story.id) for story in stories]
    turns: list[list[Turn]] = [[] for _ in stories]
    for _ in range(WARM + TURNS):
        for player, played in zip(players, turns, strict=True):
            played.append(player.turn(WORDS))
            player.rest()
    return [played[WARM:] for played in turns]


def _stories(lengths: Sequence[int], folder: Path) -> list[Story]:
    database = Database(f"sqlite:///{folder / 'liyuan.sqlite3'}")
    migrate(database)
    with database.writing_now() as connection:
        stories = [grow(connection, length, seed=seed) for seed, length in enumerate(lengths, 1)]
    database.close()
    return stories


def settings(url: str, name: str, **more: object) -> dict[str, object]:
    """The prompter plays; nothing is summarised, so that a prompt stays as long as it is."""
    return {
        "model_base_url": url,
        "model_name": name,
        "scribe_model_name": "scribe",
        "summary_model_name": "scribe",
        "compact_every_turns": 0,
        "compact_at": 1,
        "settle_wait": 0,
        "embeddings": "off",
        **more,
    }


# --- many at once ----------------------------------------------------------------------------------------------------


@dataclass
class Heard:
    """What one listener heard: for each piece when it was sent and when it came, in seconds."""

    sent: list[float] = field(default_factory=list)
    came: list[float] = field(default_factory=list)

    @property
    def gaps_added(self) -> list[float]:
        """How much longer each pause between two pieces was than the model made it."""
        came, sent = (list(pairwise(times)) for times in (self.came, self.sent))
        return [(one[1] - one[0]) - (other[1] - other[0]) for one, other in zip(came, sent, strict=True)]

    @property
    def delays(self) -> list[float]:
        return [came - sent for sent, came in zip(self.sent, self.came, strict=True)]


def many_at_once(ramp: Sequence[int], folder: Path) -> None:
    ids = _empty_stories(max(ramp), folder)
    table = Table(
        f"Streams at once in one process, {RATE} pieces a second each, {SECONDS} s",
        ["streams", "pieces/s heard", "delay p50", "delay p99", "gap added p99 (ms)", "processor", "KB a stream", ""],
    )
    name = f"story-{RATE}-{RATE * SECONDS}"
    with prompting() as model, open_house(folder, **settings(model, name)) as house:
        Player(house, ids[0]).turn(WORDS)
        house.wait_until_quiet()
        for count in ramp:
            before, processor, began = house.resident, house.processor, time.monotonic()
            peak, heard = asyncio.run(_listen(house, ids[:count]))
            seconds = time.monotonic() - began
            gaps = [gap for one in heard for gap in one.gaps_added]
            delays = [delay for one in heard for delay in one.delays]
            worst, each = percentile(gaps, 99), (peak - before) / count
            fits = f"{verdict(worst, GAP)} {verdict(each, MEMORY)}" if count == 300 else ""
            table.row(
                count,
                f"{sum(len(one.came) for one in heard) / seconds:.0f}",
                ms(median(delays)),
                ms(percentile(delays, 99)),
                ms(worst),
                f"{(house.processor - processor) / seconds:.0%}",
                f"{each / 1000:.0f}",
                fits,
            )
            house.wait_until_quiet()
    table.note(f"Target at 300: gap added p99 ≤ {ms(GAP)} ms, ≤ {MEMORY // 1000} KB a stream (the growth at its peak).")
    table.note("The model and all the listeners run beside the server on the same cores.")
    table.show()


def _empty_stories(count: int, folder: Path) -> list[str]:
    database = Database(f"sqlite:///{folder / 'liyuan.sqlite3'}")
    migrate(database)
    with database.writing_now() as connection:
        ids = [create(connection, title=f"story {number}").id for number in range(count)]
    database.close()
    return list(ids)


async def _listen(house: House, ids: Sequence[str]) -> tuple[int, list[Heard]]:
    """All begin within a second. Answers the most memory the server held, and what was heard."""
    listening = [asyncio.create_task(_hear(house, key, number / len(ids))) for number, key in enumerate(ids)]
    peak = 0
    while not all(task.done() for task in listening):
        peak = max(peak, house.resident)
        await asyncio.sleep(0.2)
    return peak, [await task for task in listening]


async def _hear(house: House, conversation_id: str, after: float) -> Heard:
    await asyncio.sleep(after)
    reader, writer = await asyncio.open_connection("127.0.0.1", house.port)
    leaf = await _leaf(reader, writer, house, conversation_id)
    body = json.dumps({"text": WORDS, "expected_leaf": leaf}).encode()
    writer.write(_request("POST", f"{_base(conversation_id)}/turns", house, body))
    heard = Heard()
    while not (line := await reader.readline()).startswith(b"event: reply"):
        if line.startswith((b"event: error", b"HTTP/1.1 4", b"HTTP/1.1 5")) or not line:
            raise RuntimeError(line + await reader.read(500))
        if line.startswith(b'data: {"text"'):
            now = stamp()
            for piece in json.loads(line[6:])["text"].split():
                heard.came.append(now / 1e6)
                heard.sent.append(int(piece.rpartition(":")[2]) / 1e6)
    writer.close()
    return heard


async def _leaf(
    reader: asyncio.StreamReader, writer: asyncio.StreamWriter, house: House, conversation_id: str
) -> str | None:
    writer.write(_request("GET", _base(conversation_id), house))
    head = (await reader.readuntil(b"\r\n\r\n")).lower()
    length = int(head.partition(b"content-length:")[2].split(b"\r\n")[0])
    leaf: str | None = json.loads(await reader.readexactly(length))["leaf_id"]
    return leaf


def _base(conversation_id: str) -> str:
    return f"/api/v1/conversations/{conversation_id}"


def _request(method: str, path: str, house: House, body: bytes = b"") -> bytes:
    head = f"{method} {path} HTTP/1.1\r\nhost: 127.0.0.1:{house.port}\r\n"
    head += "accept: text/event-stream, application/json\r\n"
    return (head + f"content-type: application/json\r\ncontent-length: {len(body)}\r\n\r\n").encode() + body


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true", help="no story of 100,000 entries, at most 50 streams")
    parser.add_argument("--only", choices=("turn", "streams"))
    chosen = parser.parse_args()
    assert stamp() < WRAP - 3_600_000_000, "the clock of the prompter is about to begin anew; try again in an hour"
    lengths = [10, 10_000] + [100_000] * (not chosen.quick)
    print(machine())
    if chosen.only != "streams":
        for window in WINDOWS:
            with tempfile.TemporaryDirectory() as folder:
                what_is_added(lengths, window, Path(folder))
    if chosen.only != "turn":
        with tempfile.TemporaryDirectory() as folder:
            many_at_once(STREAMS[:1] if chosen.quick else STREAMS, Path(folder))


if __name__ == "__main__":
    main()
