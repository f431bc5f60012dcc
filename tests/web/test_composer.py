"""What the composer sends: words, commands, conflicts. What was typed is never lost, and plain forms wait."""

from __future__ import annotations

import json

from liyuan.domain.errors import ModelFailed
from liyuan.store.conversations import load_conversation
from tests.web.browser import page
from tests.web.reader import Reader, leaf_of, parts, texts


async def draft(reader: Reader) -> str:
    return (await reader.tale.resources.database.read(load_conversation, reader.tale.id)).draft


async def test_words_are_drawn_with_the_place_of_their_answer(reader: Reader) -> None:
    reader.tale.model.enqueue([3600.0])
    answer = await reader.act("turns", text="Hello?", shown=1)
    found = parts(answer)
    assert texts(found["#story"])[0] == "Hello?"
    assert found["#story"].select_one(".performing")
    assert leaf_of(found[".leaf"]) == await reader.tale.leaf()
    assert found["#turns"].get_text() == "1"
    assert int(str(found[".shown"].input["value"])) >= 3  # type: ignore[index]
    assert answer.headers["HX-Trigger"] == "said"
    await reader.act("stop")


async def test_a_plain_form_waits_for_the_reply_and_goes_back_to_the_story(reader: Reader) -> None:
    reader.tale.model.enqueue("Yes?")
    answer = await reader.send("turns", text="Hello?")
    assert (answer.status_code, answer.headers["Location"]) == (303, f"{reader.address}#composer")
    assert await reader.tale.shown() == ["Good evening.", "Hello?", "Yes?"]


async def test_a_plain_form_is_told_what_went_wrong_with_the_model(reader: Reader) -> None:
    reader.tale.model.enqueue(ModelFailed())
    answer = await reader.send("turns", text="Hello?")
    assert answer.status_code == 502
    assert "Your words are kept" in answer.text
    assert await reader.tale.shown() == ["Good evening.", "Hello?"]


async def test_words_from_an_old_page_bring_a_choice_and_change_nothing(reader: Reader) -> None:
    old = await reader.tale.leaf()
    await reader.tale.say("Hello?", reply="Yes?")
    answer = await reader.act("turns", text="From the old place.", expected_leaf=old)
    assert answer.status_code == 409
    button = page(answer).select_one("button[name=from_leaf]")
    assert button is not None
    assert (button["value"], button["formaction"]) == (old, f"{reader.address}/turns/anyway")
    assert await reader.tale.shown() == ["Good evening.", "Hello?", "Yes?"]
    assert await draft(reader) == "From the old place."


async def test_without_scripts_the_choice_is_on_the_page_with_the_words(reader: Reader) -> None:
    old = await reader.tale.leaf()
    await reader.tale.say("Hello?", reply="Yes?")
    answer = await reader.send("turns", text="From the old place.", expected_leaf=old)
    assert answer.status_code == 409
    soup = page(answer)
    words = soup.select_one("#words")
    assert words is not None
    assert words.get_text() == "From the old place."
    assert texts(soup) == ["Good evening.", "Hello?", "Yes?"]
    assert soup.select_one("button[name=from_leaf]")


async def test_words_said_anyway_are_a_branch(reader: Reader) -> None:
    old = await reader.tale.leaf()
    await reader.tale.say("Hello?", reply="Yes?")
    reader.tale.model.enqueue("From there, then.")
    await reader.act("turns/anyway", text="From the old place.", from_leaf=old)
    await reader.settle()
    assert await reader.tale.shown() == ["Good evening.", "From the old place.", "From there, then."]


async def test_nothing_is_not_sent(reader: Reader) -> None:
    answer = await reader.act("turns", text=" ")
    assert answer.status_code == 422
    assert "write something first" in answer.text


async def test_a_second_turn_at_once_is_refused(reader: Reader) -> None:
    reader.tale.model.enqueue([3600.0])
    await reader.act("turns", text="Hello?")
    answer = await reader.act("turns", text="And?")
    assert answer.status_code == 409
    assert page(answer).select_one(".toast[data-kind=busy]")
    await reader.act("stop")


async def test_the_readers_words_are_written_into_the_draft_without_scripts(reader: Reader) -> None:
    reader.tale.model.enqueue("I take the cup.")
    answer = await reader.send("impersonate")
    assert answer.status_code == 303
    assert await draft(reader) == "I take the cup."


# --- commands --------------------------------------------------------------------------------------------------------


async def test_rewinding_tells_what_stays_and_the_way_back(reader: Reader) -> None:
    for words in ("One.", "Two.", "Three."):
        await reader.tale.say(words, reply=f"{words} Yes.")
    found = parts(await reader.act("turns", text="/rewind 2"))
    assert await reader.tale.shown() == ["Good evening.", "One.", "One. Yes."]
    assert "2 turns stay on the other line." in found["#toasts"].get_text()
    undo = found["#toasts"].select_one("button")
    assert undo is not None
    await reader.act(str(undo["formaction"]).removeprefix(f"{reader.address}/"))
    assert len(await reader.tale.shown()) == 7


async def test_rewinding_further_than_the_story_is_long_is_refused(reader: Reader) -> None:
    answer = await reader.act("turns", text="/rewind 9")
    assert answer.status_code == 422
    assert "The story has fewer turns than 9 here." in answer.text


async def test_regenerating_tells_the_last_reply_another_way(reader: Reader) -> None:
    await reader.tale.say("Hello?", reply="Yes?")
    reader.tale.model.enqueue("No?")
    await reader.act("turns", text="/regenerate")
    await reader.settle()
    assert await reader.tale.shown() == ["Good evening.", "Hello?", "No?"]


async def test_continuing_lets_the_last_reply_go_on(reader: Reader) -> None:
    await reader.tale.say("Hello?", reply="Yes?")
    reader.tale.model.enqueue(" And no.")
    await reader.act("turns", text="/continue")
    await reader.settle()
    assert await reader.tale.shown() == ["Good evening.", "Hello?", "Yes? And no."]


async def test_the_last_words_come_back_to_be_reworded(reader: Reader) -> None:
    await reader.tale.say("“是”，我说。", reply="Well.")
    answer = await reader.act("turns", text="/branch")
    assert json.loads(answer.headers["HX-Trigger"]) == {"words": {"text": "“是”，我说。"}}
    assert await reader.tale.shown() == ["Good evening."]
    assert await draft(reader) == "“是”，我说。"


async def test_the_title_is_changed_wherever_it_stands(reader: Reader) -> None:
    answer = await reader.act("turns", text="/title A <night>")
    assert page(answer).title is not None
    assert parts(answer)[".title"].get_text(strip=True) == "A <night>"
    assert (await reader.read()).title.get_text() == "A <night>"  # type: ignore[union-attr]


async def test_the_file_of_the_story_is_sent(reader: Reader) -> None:
    asked = await reader.act("turns", text="/export")
    file = await reader.browser.read(asked.headers["HX-Redirect"])
    assert file.status_code == 200
    assert '"type":"conversation"' in file.text
    plain = await reader.send("turns", text="/export")
    assert plain.headers["Location"] == asked.headers["HX-Redirect"]


async def test_help_is_shown_by_the_page_itself(reader: Reader) -> None:
    answer = await reader.act("turns", text="/help")
    assert (answer.status_code, answer.headers["HX-Trigger"]) == (204, "said, help")


async def test_a_command_that_does_not_exist_keeps_what_was_typed(reader: Reader) -> None:
    answer = await reader.act("turns", text="/dance")
    assert answer.status_code == 422
    assert "There is no command /dance" in answer.text
    assert await reader.tale.shown() == ["Good evening."]
