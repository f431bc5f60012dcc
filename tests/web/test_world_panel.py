"""The World panel as HTML: whatever a ledger holds is shown, and what is drawn once is drawn anew when it changes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from bs4 import BeautifulSoup

from liyuan.domain.entry import STATE, Draft, EntryId
from liyuan.store.database import new_id
from liyuan.store.tree import append
from tests.web.reader import Reader


async def book(reader: Reader, state: dict[str, Any], changes: Sequence[dict[str, Any]] = ()) -> EntryId:
    """A snapshot below the leaf, as a file from elsewhere may bring it."""
    tale = reader.tale
    leaf = await tale.leaf()
    data = {"state": state, "through_id": leaf, "source": "scribe", "changes": list(changes), "pins": []}
    draft = Draft(id=EntryId(new_id()), parent_id=leaf, kind=STATE, data=data)
    return (await tale.resources.database.write(append, tale.id, draft, expected_leaf=leaf)).id


async def panel(reader: Reader) -> BeautifulSoup:
    return await reader.read("/panels/world", **{"HX-Request": "true"})


def facts(soup: BeautifulSoup) -> dict[str, str]:
    """What stands in each line, by its label."""
    return {
        line.select_one(".fact-label").get_text(strip=True): line.select_one(".fact-value").get_text(" ", strip=True)  # type: ignore[union-attr]
        for line in soup.select("details.fact")
        if line.select_one(".fact-label")
    }


async def test_whatever_an_imported_ledger_holds_is_shown(reader: Reader) -> None:
    flags = {"door": True, "hour": 2.0, "keys": ["brass", "iron"], "map": {"north": "gate"}, "none": None}
    custom = {"spells": ["light", "sleep"], "empty": [], "odd": {"a": 1}}
    await book(reader, {"location": "the inn", "flags": flags, "custom": custom})
    shown = facts(await panel(reader))
    assert shown["Place"] == "the inn"
    assert (shown["door"], shown["hour"]) == ("yes", "2")
    assert "brass" in shown["keys"]
    assert "gate" in shown["map"]
    assert shown["spells"] == "light sleep"
    assert shown["empty"] == "—"
    assert "1" in shown["odd"]


async def test_whatever_an_imported_ledger_says_of_its_changes_is_told(reader: Reader) -> None:
    map_drawn = {"path": ["flags", "map"], "before": ["fog"], "after": [{"north": "gate"}]}
    bound = {"path": ["relationships", "Ash|Mo"], "before": None, "after": {"relation": ["friend"]}}
    await book(reader, {"flags": {"map": "drawn"}}, [map_drawn, bound])
    assert "gate" in (await panel(reader)).get_text()
    assert (await reader.read()).select("#story"), "and the story is told with it"


async def test_a_line_that_changes_is_drawn_anew(reader: Reader) -> None:
    await book(reader, {"location": "the inn", "characters": {"Ash": {"affinity": 3, "status": "waits"}}})
    first = await panel(reader)
    leaf = await book(reader, {"location": "the ferry", "characters": {"Ash": {"affinity": -4, "status": "waits"}}})
    second = await panel(reader)
    assert (facts(first)["Place"], facts(second)["Place"]) == ("the inn", "the ferry")
    affinity = [soup.select_one(".person-affinity").get_text(" ", strip=True) for soup in (first, second)]  # type: ignore[union-attr]
    assert affinity == ["Affinity +3", "Affinity −4"]
    assert {str(field["value"]) for field in second.select("input.leaf")} == {leaf}


async def test_a_number_is_not_taken_for_the_yes_that_stood_there_before(reader: Reader) -> None:
    told = []
    for state in ({"bell": True}, {"bell": True}, {"bell": 1}, {"bell": 1}):
        await book(reader, {"location": "the inn", "flags": state})
        told.append(facts(await panel(reader))["bell"])
    assert told == ["yes", "yes", "1", "1"]


async def test_each_reader_has_a_token_of_their_own(reader: Reader) -> None:
    await book(reader, {"location": "the inn"})
    await panel(reader)
    tokens = {str(field["value"]) for field in (await panel(reader)).select("form.fact-form input[name=csrf]")}
    assert tokens == {reader.browser.token}
