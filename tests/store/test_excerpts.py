"""A search shows where its words stand."""

from __future__ import annotations

import pytest

from liyuan.store.excerpts import excerpt, load_excerpts
from tests.tale import Tale


@pytest.mark.parametrize(
    ("text", "query", "shown"),
    [
        ("The WATCH has stopped.", "watch", ("The ", "WATCH", " has stopped.")),
        ("她把怀表\n推过柜台", "怀表", ("她把", "怀表", " 推过柜台")),
        ("a" * 60 + " watch " + "b" * 200, "watch", ("…" + "a" * 39 + " ", "watch", " " + "b" * 99 + "…")),
        ("two\n words", "two words", ("", "two words", "")),
        ("not here", "watch", ("not here", "", "")),
    ],
)
def test_an_excerpt_is_one_line_around_the_first_place(text: str, query: str, shown: tuple[str, str, str]) -> None:
    found = excerpt(text, query)
    assert (found.before, found.found, found.after) == shown


async def test_the_latest_place_in_a_story_is_shown_and_titles_have_none(tale: Tale) -> None:
    await tale.say("The watch is mine.", reply="A watch stopped at ten.")
    found = await tale.resources.database.read(load_excerpts, [tale.id], "watch")
    assert found[tale.id].after == " stopped at ten."
    assert await tale.resources.database.read(load_excerpts, [tale.id], "Ash") == {}
    assert await tale.resources.database.read(load_excerpts, [tale.id], " ") == {}
