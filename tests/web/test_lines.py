"""Saving, the worldlines, going back with a word or without, and the pages that show a whole story."""

from __future__ import annotations

from bs4 import BeautifulSoup, Tag

from tests.web.browser import page
from tests.web.reader import Reader, parts, texts


async def evening(reader: Reader) -> tuple[str, str]:
    """Saved at turn 1, saved at turn 2, back to the first, another way, saved: a main line and a fork of it."""
    await reader.tale.say("Hello?", reply="She nods.")
    await reader.act("saves", name="At the door")
    first = await reader.tale.leaf()
    await reader.tale.say("Who are you?", reply="Nobody.")
    await reader.act("saves", name="Her name")
    await reader.act("go", to=first)
    await reader.tale.say("I leave.", reply="It rains.")
    await reader.act("saves", name="In the rain")
    last = await reader.tale.leaf()
    assert first
    assert last
    return first, last


def words(soup: BeautifulSoup, chosen: str) -> list[str]:
    return [one.get_text(" ", strip=True) for one in soup.select(chosen)]


async def test_the_picture_shows_lines_stations_and_where_the_reader_is(reader: Reader) -> None:
    await evening(reader)
    soup = await reader.read("/lines")
    assert words(soup, ".metro .halt-name") == ["At the door", "Her name", "In the rain"]
    assert words(soup, ".metro .line-name")[0] == "Main line"
    assert len(soup.select(".metro .line-name")) == 2
    assert [mark["aria-label"] for mark in soup.select('.metro [aria-current="location"]')] == [
        "In the rain, turn 2, on From “At the door” · line 2. You are here"
    ]
    assert [rail["class"] for rail in soup.select(".rail")] == [["rail", "hue-1"], ["rail", "hue-2", "on-way"]]


async def test_the_picture_has_no_style_of_its_own(reader: Reader) -> None:
    await evening(reader)
    assert (await reader.read("/lines")).select(".metro [style], .metro style") == []


async def test_a_reader_who_has_gone_on_is_shown_beyond_the_last_save(reader: Reader) -> None:
    await evening(reader)
    await reader.tale.say("On.", reply="And on.")
    soup = await reader.read("/lines")
    assert words(soup, ".halt.here .halt-name") == ["You are here"]
    assert len(soup.select(".rail.planned")) == 1


async def test_the_list_says_the_same_as_the_picture(reader: Reader) -> None:
    await evening(reader)
    picture, listed = await reader.read("/lines"), await reader.read("/lines?view=list")
    assert words(listed, ".line-save .save-name") == words(picture, ".metro .halt-name")
    assert words(listed, ".line-head h2") == ["Main line", "From “At the door” · line 2"]
    assert words(listed, ".line-head > .hint") == ["leaves from “At the door”"]


async def test_a_station_shows_what_was_said_there_last(reader: Reader) -> None:
    first, _ = await evening(reader)
    soup = await reader.read(f"/lines?save={first}")
    assert words(soup, ".last-lines .prose") == ["Hello?", "She nods."]
    assert words(soup, "#seen-name") == ["At the door"]
    alone = await reader.read(f"/lines?save={first}", **{"HX-Request": "true"})
    assert words(alone, "#seen-name") == ["At the door"]
    assert alone.select(".metro") == []


async def test_before_going_back_one_is_told_what_stays_behind(reader: Reader) -> None:
    first, _ = await evening(reader)
    soup = await reader.read(f"/leave?to={first}")
    assert "1 turn" in soup.get_text()
    assert [choice["value"] for choice in soup.select("[name=summary]")] == ["none", "text"]


async def test_a_note_left_behind_stands_in_the_story_and_leads_back(reader: Reader) -> None:
    first, last = await evening(reader)
    await reader.act("go", to=first, summary="text", words="It rained out there.")
    soup = await reader.read()
    assert texts(soup)[:3] == ["Good evening.", "Hello?", "She nods."]
    assert words(soup, ".left-note .prose") == ["It rained out there."]
    way = soup.select_one(".left-note a.button")
    assert way is not None
    assert way["href"] == f"{reader.address}/leave?to={last}"
    assert words(soup, ".save-mark a") == ["Saved: At the door"]


async def test_going_back_leads_to_the_story_from_a_page_that_is_not_it(reader: Reader) -> None:
    first, _ = await evening(reader)
    answer = await reader.act("go", to=first)
    assert answer.status_code == 204
    assert answer.headers["hx-redirect"] == f"{reader.address}#composer"
    assert await reader.tale.leaf() == first
    plain = await reader.send("go", to=first)
    assert plain.status_code == 303


async def test_a_page_that_is_out_of_date_goes_nowhere(reader: Reader) -> None:
    first, last = await evening(reader)
    answer = await reader.browser.act(f"{reader.address}/go", {"to": first, "expected_leaf": first})
    assert answer.status_code == 409
    assert await reader.tale.leaf() == last


async def test_saving_on_the_storys_page_draws_where_it_is_now(reader: Reader) -> None:
    await reader.tale.say("Hello?", reply="She nods.")
    answer = await reader.act("saves", name="At the door", shown=50)
    assert parts(answer)[".leaf"].input["value"] == await reader.tale.leaf()  # type: ignore[index]
    assert "Saved as “At the door”." in parts(answer)["#toasts"].get_text()


async def test_a_save_is_renamed_deleted_and_brought_back(reader: Reader) -> None:
    first, _ = await evening(reader)
    assert (await reader.act(f"saves/{first}/name", name="The door")).status_code == 204
    assert words(await reader.read("/lines"), ".halt-name")[0] == "The door"
    gone = await reader.act(f"saves/{first}/delete")
    assert "“The door” is deleted." in gone.text
    soup = await reader.read("/lines")
    assert words(soup, ".halt-name") == ["Her name", "In the rain"]
    assert words(soup, ".deleted a") == ["The door"]
    await reader.act(f"saves/{first}/undelete")
    assert "The door" in words(await reader.read("/lines"), ".halt-name")


async def test_moves_are_taken_back_and_made_again(reader: Reader) -> None:
    first, last = await evening(reader)
    await reader.act("go", to=first)
    await reader.act("undo")
    assert await reader.tale.leaf() == last
    await reader.act("redo")
    assert await reader.tale.leaf() == first


def offered(soup: BeautifulSoup | Tag) -> tuple[bool, bool]:
    """Whether undo and redo can be pressed."""
    undo, redo = (soup.select_one(f"#steps #{name}") for name in ("undo", "redo"))
    assert undo and redo
    return not undo.has_attr("disabled"), not redo.has_attr("disabled")


async def test_only_moves_that_there_are_can_be_taken_back_or_made_again(reader: Reader) -> None:
    await reader.tale.say("Hello?", reply="She nods.")
    assert offered(await reader.read()) == (False, False)
    (greeting, *_) = await reader.tale.items()
    await reader.act("go", to=greeting.id)
    assert offered(await reader.read()) == (True, False)
    assert offered(parts(await reader.act("undo"))["#steps"]) == (False, True)
    assert offered(await reader.read()) == (False, True)
    await reader.tale.say("On.", reply="And on.")
    assert offered(await reader.read()) == (False, True)
    await reader.act("redo")
    assert offered(await reader.read()) == (True, False)


async def test_quick_load_goes_to_the_last_quick_save(reader: Reader) -> None:
    await reader.tale.say("Hello?", reply="She nods.")
    await reader.act("saves/quick")
    saved = await reader.tale.leaf()
    await reader.tale.say("On.", reply="And on.")
    answer = await reader.act("saves/load")
    assert answer.status_code == 200
    assert await reader.tale.leaf() == saved


async def test_commands_save_and_go_back(reader: Reader) -> None:
    await reader.tale.say("Hello?", reply="She nods.")
    await reader.act("turns", text="/save At the door", shown=50)
    first = await reader.tale.leaf()
    await reader.tale.say("On.", reply="And on.")
    await reader.act("turns", text="/back door", shown=50)
    assert await reader.tale.leaf() == first
    await reader.act("turns", text="/undo", shown=50)
    await reader.act("turns", text="/tag inn", shown=50)
    assert words(await reader.read(), ".save-mark > span") == ["Tagged: inn"]
    await reader.act("turns", text="/line The long night", shown=50)
    assert words(await reader.read("/lines"), ".line-name") == ["The long night"]
    await reader.act("turns", text="/back", shown=50)
    assert await reader.tale.leaf() == first
    assert (await reader.act("turns", text="/checkout inn The door is locked.", shown=50)).status_code == 200
    assert words(await reader.read(), ".left-note .prose") == ["The door is locked."]


async def test_an_order_for_a_save_that_is_not_there_says_so(reader: Reader) -> None:
    answer = await reader.act("turns", text="/back nowhere", shown=50)
    assert answer.status_code == 422
    assert "There is no save called “nowhere”." in answer.text


async def test_two_ways_are_compared_from_where_they_part(reader: Reader) -> None:
    await evening(reader)
    saves = [halt["data-halt"] for halt in (await reader.read("/lines")).select(".halt")]
    soup = await reader.read(f"/compare?one={saves[1]}&other={saves[2]}")
    assert words(soup, ".parting .box-words") == ["She nods."]
    assert [words(side, ".prose") for side in soup.select(".side-of")] == [  # type: ignore[arg-type]
        ["Who are you?", "Nobody."],
        ["I leave.", "It rains."],
    ]


async def test_the_tree_steps_in_at_a_fork_and_nowhere_else(reader: Reader) -> None:
    await evening(reader)
    soup = await reader.read("/tree")
    assert [len(box.select(".lane")) for box in soup.select(".box")] == [0, 1, 0]
    assert words(soup, ".box .mark-line.save") == ["Saved: At the door", "Saved: Her name", "Saved: In the rain"]
    assert words(soup, ".box.here .here-word") == ["You are here"]


async def test_a_search_finds_words_on_every_branch(reader: Reader) -> None:
    await evening(reader)
    assert words(await reader.read("/tree?query=nobody"), ".found mark") == ["Nobody"]
    assert words(await reader.read("/tree?only=mine"), ".found .box-words") == ["I leave.", "Who are you?", "Hello?"]
    assert len((await reader.read("/tree?only=saves")).select(".box")) == 3


async def test_a_search_finds_what_a_message_was_revised_to(reader: Reader) -> None:
    await reader.tale.say("Hello?", reply="She nods.")
    mine = (await reader.tale.items())[1].id
    await reader.tale.edit(mine, "Is the ferry gone?", "in_place")
    for path in ("/tree?query=ferry", "/tree?query=ferry&only=mine"):
        found = await reader.read(path)
        assert words(found, ".found mark") == ["ferry"]
        assert len(found.select(".found .box-words")) == 1
    assert words(page(await reader.browser.read("/?query=ferry")), ".story-last mark") == ["ferry"]


async def test_the_tree_tells_a_message_as_it_was_revised(reader: Reader) -> None:
    reply = await reader.tale.say("Hello?", reply="She nods.")
    await reader.tale.edit(reply, "She smiles.", "in_place")
    assert "She smiles." in words(await reader.read("/tree"), ".box-words")
    await reader.tale.swipe(reply, reply="She turns away.")
    told = words(await reader.read("/tree"), ".box-words")
    assert "She smiles." in told
    assert "She nods." not in told


async def test_the_tree_tells_the_readers_own_line_as_it_stands_there(reader: Reader) -> None:
    early = await reader.tale.say("Hello?", reply="She nods.")
    late = await reader.tale.say("Who are you?", reply="Nobody.")
    await reader.tale.edit(early, "She smiles.", "in_place")
    await reader.tale.swipe(late, reply="Somebody.")
    assert "She smiles." not in words(await reader.read("/tree"), ".box-words")


async def test_pruned_parts_are_shown_on_request(reader: Reader) -> None:
    await evening(reader)
    reply = (await reader.tale.items())[-2]
    await reader.tale.prune(reply.id)
    assert (await reader.read("/tree")).select(".box.pruned") == []
    assert len((await reader.read("/tree?pruned=1")).select(".box.pruned")) >= 1


async def test_the_log_tells_the_way_here_and_takes_tags(reader: Reader) -> None:
    first, _ = await evening(reader)
    await reader.act("tags", name="door", entry_id=first)
    soup = await reader.read("/log")
    assert words(soup, ".mark-line.tag > span") == ["door"]
    assert words(soup, ".way-item.head .here-word") == ["You are here"]
    assert "Steps since “door”" in soup.get_text()


async def test_the_panel_offers_to_save_under_a_name_from_the_story(reader: Reader) -> None:
    await reader.tale.say("Hello?", reply="She nods.")
    answer = await reader.browser.client.get(
        f"{reader.address}/panels/lines", headers={"HX-Request": "true", "Accept": "text/html"}
    )
    field = page(answer).select_one("#save-name")
    assert field is not None
    assert field["placeholder"] == "She nods."
