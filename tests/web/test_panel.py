"""The panel of a story: its title, who the reader is, and who plays. A choice holds from the next turn on."""

from __future__ import annotations

from liyuan.store.conversations import load_conversation
from liyuan.store.library import add_connection, add_persona
from tests.web.browser import page
from tests.web.reader import Reader, parts


async def test_a_title_is_changed_in_the_panel(reader: Reader) -> None:
    answer = await reader.act("title", title="A night of rain")
    assert parts(answer)["#title"].input["value"] == "A night of rain"  # type: ignore[index]
    assert page(answer).title.get_text() == "A night of rain"  # type: ignore[union-attr]


async def test_the_reader_is_who_they_chose_to_be(reader: Reader) -> None:
    wren = await reader.tale.resources.database.write(add_persona, "Wren")
    await reader.act("persona", chosen=wren.id)
    await reader.tale.say("Hello?", reply="Yes?")
    assert reader.tale.model.requests[-1].user == "Wren"
    soup = await reader.read()
    assert [name.get_text() for name in soup.select(".reader .name")] == ["Wren"]


async def test_a_connection_is_chosen_and_given_up(reader: Reader) -> None:
    database = reader.tale.resources.database
    row = await database.write(add_connection, name="Mine", provider="openai", base_url="http://127.0.0.1:1", model="m")
    await reader.act("connection", chosen=row.id)
    assert (await database.read(load_conversation, reader.tale.id)).connection_id == row.id
    await reader.send("connection", chosen="")
    assert (await database.read(load_conversation, reader.tale.id)).connection_id is None


async def test_the_tools_of_the_model_are_chosen_for_one_story(reader: Reader) -> None:
    await reader.tale.say("Hello?", reply="Yes?")
    for chosen, offers in (("on", True), ("off", False), ("", False)):
        await reader.act("tools", chosen=chosen)
        panel = await reader.read("/panels/story", **{"HX-Request": "true"})
        shown = panel.select_one("form[action$='/tools'] option[selected]")
        assert (shown["value"] if shown else "") == chosen
        await reader.tale.say("And then?", reply="Well.")
        assert bool(reader.tale.model.requests[-1].tools) is offers
