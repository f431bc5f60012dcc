"""The Memory panel: what the last reply was told, what this branch remembers, documents; all on this branch only."""

from __future__ import annotations

from bs4 import BeautifulSoup, Tag

from liyuan.jobs.indexing import index_all
from liyuan.store.indexing import order
from liyuan.store.memories import story_shelf
from tests.web.browser import page
from tests.web.reader import Reader


async def remember(reader: Reader) -> None:
    resources = reader.tale.resources
    await resources.database.write(order, story_shelf(reader.tale.id))
    await index_all(resources)


async def panel(reader: Reader, query: str = "") -> BeautifulSoup:
    path = f"/memory?query={query}" if query else "/panels/memory"
    return await reader.read(path, **{"HX-Request": "true"})


def lines(soup: BeautifulSoup | Tag) -> list[str]:
    return [line.get_text(" ", strip=True) for line in soup.select(".memory-text")]


async def test_a_search_finds_what_was_said_and_leads_there(reader: Reader) -> None:
    await reader.tale.say("Where is the key?", reply="Behind the saint.")
    await reader.tale.say("Which saint?", reply="The wooden one.")
    await remember(reader)
    soup = await panel(reader, "saint")
    assert "Behind the saint." in lines(soup)
    line = next(line for line in soup.select(".memory-line") if "Behind" in line.get_text())
    assert line.select_one(".memory-where a").get_text() == "turn 1"  # type: ignore[union-attr]
    way = str(line.select_one(".memory-where a")["href"])  # type: ignore[index]
    there, _, slot = way.partition("#")
    shown = await reader.read(there.removeprefix(reader.address))
    assert "Behind the saint." in shown.select_one(f"#{slot}").get_text()  # type: ignore[union-attr]


async def test_another_branch_is_not_searched(reader: Reader) -> None:
    reply = await reader.tale.say("Where is the key?", reply="Behind the saint.")
    await remember(reader)
    await reader.tale.swipe(reply, reply="Under the mat.")
    await remember(reader)
    assert lines(await panel(reader, "saint mat")) != []
    assert not any("saint" in text for text in lines(await panel(reader, "saint mat")))
    await reader.tale.choose(reply)
    assert not any("mat" in text for text in lines(await panel(reader, "saint mat")))


async def test_a_memory_is_pinned_hidden_and_let_go(reader: Reader) -> None:
    await reader.tale.say("Where is the key?", reply="Behind the saint.")
    await remember(reader)
    line = (await panel(reader, "Behind")).select_one(".memory-line")
    assert line is not None
    number = str(line["id"]).removeprefix("memory-")
    pinned = page(await reader.act(f"memory/{number}/mark", mark="pinned", query="Behind"))
    assert "is-pinned" in pinned.select_one(f"#memory-{number}")["class"]  # type: ignore[index]
    await reader.act(f"memory/{number}/mark", mark="hidden")
    assert "Behind the saint." not in lines(await panel(reader, "Behind"))
    await reader.send(f"memory/{number}/mark", mark="")
    assert lines(await panel(reader, "Behind"))[0] == "Behind the saint."


async def test_documents_come_in_are_found_and_go(reader: Reader) -> None:
    files = {"file": ("harbour.md", b"The ferry runs twice a day.\n\nNever on Sundays.")}
    answer = await reader.browser.act(f"{reader.address}/memory/documents", {"scope": "story"}, files=files)
    soup = page(answer)
    assert [name.get_text() for name in soup.select(".documents b")] == ["harbour.md"]
    assert any("ferry" in text for text in lines(await panel(reader, "ferry")))
    form = soup.select_one(".documents form")
    assert form is not None
    await reader.act(str(form["action"]).removeprefix(f"{reader.address}/"))
    assert lines(await panel(reader, "ferry")) == []


async def test_the_panel_says_how_far_the_index_is(reader: Reader) -> None:
    await remember(reader)
    assert "1 piece on this branch." in (await panel(reader)).get_text()
