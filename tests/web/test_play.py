"""The play page: the last messages of the active branch, with everything a form must say to act on them."""

from __future__ import annotations

import pytest

from tests.tale import new_tale
from tests.web.browser import page
from tests.web.reader import Reader, leaf_of, parts, texts


async def test_the_page_shows_the_active_branch_from_its_opening(reader: Reader) -> None:
    await reader.tale.say("Hello?", reply="*She nods.*")
    soup = await reader.read()
    assert texts(soup) == ["Good evening.", "Hello?", "She nods."]
    assert [name.get_text() for name in soup.select(".speaker .name")] == ["Ash", "Traveller", "Ash"]
    assert soup.select_one(".speech .prose em.action")
    assert soup.select_one("#opening h2")
    assert soup.select_one("h1")


async def test_every_form_says_where_the_page_believes_the_story_to_be(reader: Reader) -> None:
    await reader.tale.say("Hello?", reply="Yes?")
    soup = await reader.read()
    leaf = await reader.tale.leaf()
    assert {field["value"] for field in soup.select("input.leaf")} == {leaf}
    helm = soup.select_one("#helm")
    assert helm is not None
    assert helm["data-leaf"] == leaf


async def test_a_story_that_is_not_there_is_told(reader: Reader) -> None:
    answer = await reader.browser.read("/stories/nowhere")
    assert answer.status_code == 404


async def test_the_run_above_takes_the_place_of_the_way_up(reader: Reader) -> None:
    for number in range(30):
        await reader.tale.say(f"Question {number}.", reply=f"Answer {number}.")
    soup = await reader.read()
    assert len(texts(soup)) == 50
    way = soup.select_one("#earlier a")
    assert way is not None
    answer = await reader.browser.client.get(str(way["hx-get"]), headers={"HX-Request": "true", "Accept": "text/html"})
    above = parts(answer)
    assert texts(page(answer))[0] == "Good evening."
    assert above[".shown"].input["value"] == "61"  # type: ignore[index]


async def test_without_scripts_the_run_above_is_a_page(reader: Reader) -> None:
    for number in range(30):
        await reader.tale.say(f"Question {number}.", reply=f"Answer {number}.")
    way = (await reader.read()).select_one("#earlier a")
    assert way is not None
    above = await reader.read(str(way["href"]).removeprefix(reader.address))
    assert texts(above)[0] == "Good evening."


async def test_the_parts_of_the_page_are_drawn_as_they_are_now(reader: Reader) -> None:
    await reader.tale.say("Hello?", reply="Yes?")
    answer = await reader.browser.read(f"{reader.address}/now?shown=2", **{"HX-Request": "true"})
    found = parts(answer)
    assert texts(found["#story"]) == ["Hello?", "Yes?"]
    assert leaf_of(found[".leaf"]) == await reader.tale.leaf()
    assert found["#turns"].get_text() == "1"


async def test_a_performance_in_progress_has_its_place(reader: Reader) -> None:
    reader.tale.model.enqueue([3600.0])
    await reader.tale.begin("Hello?")
    soup = await reader.read()
    performing = soup.select_one(".performing")
    assert performing is not None
    assert performing["aria-busy"] == "true"
    assert soup.select_one("[data-act=stop]")
    assert soup.select_one("noscript meta[http-equiv=refresh]")
    await reader.act("stop")


async def test_words_not_yet_sent_are_in_the_composer(reader: Reader) -> None:
    await reader.act("draft", text="Half a\r\nsentence")
    words = (await reader.read()).select_one("#words")
    assert words is not None
    assert words.get_text() == "Half a\nsentence"


@pytest.mark.parametrize(("folded", "shown"), [("folded", "folded"), ("", "")])
async def test_columns_come_as_they_were_left(reader: Reader, folded: str, shown: str) -> None:
    soup = await reader.read("", Cookie=f"side={folded}")
    assert soup.html is not None
    assert soup.html["data-side"] == shown


async def test_foreign_words_are_only_words(reader: Reader) -> None:
    await reader.tale.say("<script>alert(1)</script><b onclick=x>bold</b>", reply='<img src="http://a.b/c.png">')
    soup = await reader.read()
    prose = soup.select(".speech .prose")
    assert all(not one.select("script, img, [onclick]") for one in prose)


async def test_another_story_stands_on_the_shelf_beside_it(reader: Reader) -> None:
    other = await new_tale(reader.tale.resources, reader.tale.model)
    shelf = (await reader.read()).select(".stories a[href^='/stories/']")
    assert {str(link["href"]) for link in shelf} == {reader.address, f"/stories/{other.id}"}
    assert [link["href"] for link in shelf if link.get("aria-current")] == [reader.address]
