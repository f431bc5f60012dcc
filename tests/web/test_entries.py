"""What can be done with one message, answered in parts for htmx and with the page for a plain form."""

from __future__ import annotations

import pytest

from liyuan.model.chat import Finish, Reasoning, Usage
from tests.web.browser import page
from tests.web.reader import Reader, parts, texts


async def test_another_telling_takes_the_place_of_the_old_one_while_it_is_told(reader: Reader) -> None:
    reply = await reader.tale.say("Hello?", reply="Yes?")
    reader.tale.model.enqueue([3600.0])
    found = parts(await reader.act(f"entries/{reply}/another"))
    performing = found["#story"].select_one(".performing")
    assert performing is not None
    assert performing.select_one(".leaving").get_text(strip=True) == "Yes?"  # type: ignore[union-attr]
    assert performing.select_one(".count").get_text() == "2/2"  # type: ignore[union-attr]
    assert texts(found["#story"])[:2] == ["Good evening.", "Hello?"]
    await reader.act("stop")
    assert await reader.tale.shown() == ["Good evening.", "Hello?", "Yes?"]


async def test_an_earlier_telling_is_chosen_with_all_that_followed_it(reader: Reader) -> None:
    first = await reader.tale.say("Hello?", reply="Yes?")
    await reader.tale.say("And?", reply="And so.")
    await reader.tale.swipe(first, reply="No?")
    found = parts(await reader.act(f"entries/{first}/choose"))
    assert texts(found["#story"]) == ["Good evening.", "Hello?", "Yes?", "And?", "And so."]


async def test_a_glance_moves_nothing(reader: Reader) -> None:
    first = await reader.tale.say("Hello?", reply="Yes?")
    await reader.tale.swipe(first, reply="No?")
    before = await reader.tale.leaf()
    answer = await reader.browser.read(f"{reader.address}/entries/{first}/glance?beside=1")
    assert page(answer).select_one(".prose").get_text(strip=True) == "Yes?"  # type: ignore[union-attr]
    assert page(answer).select_one(".count").get_text() == "1/3"  # type: ignore[union-attr]
    assert await reader.tale.leaf() == before


@pytest.mark.parametrize(("mode", "after"), [("branch", ["Good evening.", "Hi."]), ("in_place", None)])
async def test_an_edit_is_kept_beside_or_in_place(reader: Reader, mode: str, after: list[str] | None) -> None:
    await reader.tale.say("Hello?", reply="Yes?")
    words = (await reader.tale.items())[1].id
    editor = await reader.browser.read(
        f"{reader.address}/entries/{words}/edit?expected_leaf={await reader.tale.leaf()}"
    )
    assert page(editor).textarea.get_text() == "Hello?"  # type: ignore[union-attr]
    found = parts(await reader.act(f"entries/{words}/edit", text="Hi.", mode=mode))
    assert texts(found["#story"]) == (after or ["Good evening.", "Hi.", "Yes?"])


async def test_an_editor_believes_what_its_page_believed(reader: Reader) -> None:
    old = await reader.tale.leaf()
    await reader.tale.say("Hello?", reply="Yes?")
    editor = await reader.browser.read(f"{reader.address}/entries/{old}/edit?expected_leaf={old}")
    assert page(editor).select_one("input.leaf")["value"] == old  # type: ignore[index]
    answer = await reader.act(f"entries/{old}/edit", text="Changed.", mode="in_place", expected_leaf=old)
    assert answer.status_code == 409
    assert page(answer).select_one(".toast[data-kind=leaf-moved]")


async def test_branching_tells_how_much_stays(reader: Reader) -> None:
    greeting = await reader.tale.leaf()
    await reader.tale.say("One.", reply="A.")
    await reader.tale.say("Two.", reply="B.")
    found = parts(await reader.act(f"entries/{greeting}/branch"))
    assert texts(found["#story"]) == ["Good evening."]
    assert "2 turns stay on the other line." in found["#toasts"].get_text()


async def test_branching_at_the_last_words_tells_that_what_followed_stays(reader: Reader) -> None:
    await reader.tale.say("One.", reply="A.")
    words = (await reader.tale.items())[1].id
    found = parts(await reader.act(f"entries/{words}/branch"))
    assert "What followed stays on the other line." in found["#toasts"].get_text()
    assert found["#story"].select_one(".unanswered button")


async def test_pruning_offers_the_way_back(reader: Reader) -> None:
    await reader.tale.say("One.", reply="A.")
    words = (await reader.tale.items())[1].id
    found = parts(await reader.act(f"entries/{words}/prune"))
    undo = found["#toasts"].select_one("button")
    assert undo is not None
    assert await reader.tale.shown() == ["Good evening."]
    await reader.act(str(undo["formaction"]).removeprefix(f"{reader.address}/"))
    assert await reader.tale.shown() == ["Good evening.", "One.", "A."]


async def test_redacting_empties_the_words(reader: Reader) -> None:
    await reader.tale.say("A secret.", reply="A.")
    words = (await reader.tale.items())[1].id
    answer = await reader.act(f"entries/{words}/redact")
    assert "A secret." not in answer.text
    assert await reader.tale.shown() == ["Good evening.", "", "A."]


async def test_the_menu_tells_how_a_reply_was_made(reader: Reader) -> None:
    usage = Usage(input_tokens=900, output_tokens=40, cost_usd=0.00042)
    reply = await reader.tale.say("Hello?", reply=[Reasoning("Hm."), "Yes?", Finish(model="grand-1", usage=usage)])
    menu = page(await reader.browser.read(f"{reader.address}/entries/{reply}/more"))
    told = menu.select_one(".bill")
    assert told is not None
    assert "grand-1" in told.get_text()
    assert "900 tokens read, 40 written" in told.get_text()
    assert "0.0004 US dollars" in told.get_text()
    assert "Let it go on" in menu.get_text()


async def test_only_the_last_reply_can_go_on(reader: Reader) -> None:
    greeting = await reader.tale.leaf()
    await reader.tale.say("Hello?", reply="Yes?")
    menu = page(await reader.browser.read(f"{reader.address}/entries/{greeting}/more"))
    assert "Let it go on" not in menu.get_text()
    assert "Tell it another way" not in menu.get_text()


@pytest.mark.parametrize("act", ["choose", "branch", "prune"])
async def test_a_plain_form_comes_back_to_the_story(reader: Reader, act: str) -> None:
    await reader.tale.say("Hello?", reply="Yes?")
    last = (await reader.tale.items())[-1].id
    answer = await reader.send(f"entries/{last}/{act}")
    assert (answer.status_code, answer.headers["Location"]) == (303, f"{reader.address}#composer")


async def test_without_scripts_an_editor_and_a_menu_are_parts_of_the_page(reader: Reader) -> None:
    reply = await reader.tale.say("Hello?", reply="Yes?")
    assert (await reader.read(f"?edit={reply}")).select_one(".editing textarea")
    menu = (await reader.read(f"?more={reply}")).select_one("#more")
    assert menu is not None
    assert "popover" not in menu.attrs
    assert "Prune it" in menu.get_text()
