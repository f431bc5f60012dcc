"""Coming back after days, a reader is told where they were; coming back the same evening, they are not."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from liyuan.web.recap import load_away
from tests.web.reader import Reader

NOW = datetime(2026, 3, 1, 20, 0, tzinfo=UTC)


async def test_after_days_the_beginning_is_told_where_no_summary_is(reader: Reader) -> None:
    for number in range(4):
        await reader.tale.say(f"Question {number}.", reply=f"Answer {number}.")
    long_ago = (NOW - timedelta(days=20)).isoformat()
    away = await reader.tale.resources.database.read(load_away, reader.tale.id, long_ago, NOW)
    assert away is not None
    assert away.turn == 4
    assert away.text.startswith("Good evening.")


async def test_the_same_evening_needs_no_words(reader: Reader) -> None:
    await reader.tale.say("Hello?", reply="She nods.")
    lately = (NOW - timedelta(hours=5)).isoformat()
    assert await reader.tale.resources.database.read(load_away, reader.tale.id, lately, NOW) is None
    assert (await reader.read()).select(".away") == []


async def test_a_story_that_has_hardly_begun_has_nothing_to_recall(reader: Reader) -> None:
    long_ago = (NOW - timedelta(days=20)).isoformat()
    assert await reader.tale.resources.database.read(load_away, reader.tale.id, long_ago, NOW) is None
