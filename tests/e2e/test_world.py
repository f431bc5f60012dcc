"""The world beside the story, in a real browser: it follows swipes and jumps, takes corrections, keeps still."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from playwright.sync_api import Locator, Page, expect

from liyuan.domain.errors import ModelFailed
from liyuan.jobs.worker import Worker
from tests.e2e.booking import Company
from tests.e2e.conftest import Visit
from tests.e2e.evening import API, Evening
from tests.e2e.house import LOOKS, House, faults, overflow, serving, shoot
from tests.tale import card

FIELDS = [
    {"name": "hp", "type": "bar", "label": "Strength", "min": 0, "max": 100},
    {"name": "mood", "type": "text", "label": "Mood"},
]
FIRST: dict[str, Any] = {
    "time": "the third night",
    "location": "the common room",
    "characters": {"Ash": {"affinity": 28, "status": "behind the counter"}},
    "inventory": ["a brass watch"],
}
SECOND: dict[str, Any] = {"characters": {"Ash": {"affinity": 34}}, "plot_threads": ["Whose watch is it?"]}
OTHER: dict[str, Any] = {"characters": {"Ash": {"affinity": -10, "status": "at the door"}}, "inventory": []}


@pytest.fixture
def company() -> Company:
    return Company()


@pytest.fixture
def house(tmp_path: Path, company: Company) -> Iterator[House]:
    with serving(tmp_path / "data", company, worker=Worker(), settle_wait=0, keep_turns=1, embeddings="off") as house:
        yield house


@pytest.fixture
def evening(visit: Visit, house: House) -> Evening:
    story_id = open_story(house)
    return Evening(visit(f"/stories/{story_id}"), story_id)


def open_story(house: House, name: str = "Ash", title: str = "The inn", greeting: str = "Good evening.") -> str:
    """A story whose character declares fields of its own."""
    raw = card(name, greetings=(greeting,), extensions={"liyuan": {"fields": FIELDS, "world": {"hp": 90}}})
    with httpx.Client(base_url=house.url + API, timeout=60) as client:
        file = {"file": ("ash.json", json.dumps(raw), "application/json")}
        made = client.post("/cards", files=file).raise_for_status().json()
        asked = {"card_id": made["id"], "title": title}
        return str(client.post("/conversations", json=asked).raise_for_status().json()["id"])


def say(evening: Evening, text: str) -> None:
    """Says something, hears the answer out, and waits until it is booked."""
    evening.say(text)
    expect(chip(evening)).to_contain_text("booked")


def chip(evening: Evening) -> Locator:
    return evening.last.locator(".chip")


def world(page: Page) -> Locator:
    return page.locator("#world")


def person(page: Page, name: str = "Ash") -> Locator:
    return page.locator(".person").filter(has_text=name)


def row(page: Page, label: str) -> Locator:
    return page.locator(".fact").filter(has=page.locator(".fact-label", has_text=label))


def affinity(page: Page) -> Locator:
    return person(page).locator(".person-affinity")


# --- it follows the story --------------------------------------------------------------------------------------------


def test_a_reply_is_booked_without_a_reload(evening: Evening, company: Company) -> None:
    company.hold_the_scribe()
    company.book(**FIRST)
    evening.say("Hello?")
    expect(chip(evening)).to_have_text("booking…")
    evening.words.fill("Half a sen")
    company.let_the_scribe_go()
    expect(chip(evening)).to_contain_text("booked")
    expect(evening.last.locator(".changed")).to_contain_text("a brass watch")
    expect(world(evening.page)).to_contain_text("the common room")
    expect(evening.words).to_have_value("Half a sen")
    expect(evening.page.locator("#composer-note")).to_be_empty()


def test_words_that_wait_for_the_ledger_say_so(visit: Visit, tmp_path: Path, company: Company) -> None:
    with serving(tmp_path / "patient", company, worker=Worker(), settle_wait=60, embeddings="off") as house:
        story_id = open_story(house)
        page = visit(f"{house.url}/stories/{story_id}")
        evening = Evening(page, story_id)
        company.hold_the_scribe()
        evening.say("Hello?")
        expect(chip(evening)).to_have_text("booking…")
        evening.words.fill("And then?")
        evening.words.press("Enter")
        expect(page.locator(".waits")).to_be_visible()
        expect(evening.words).to_have_value("And then?")
        company.let_the_scribe_go()
        evening.expect_idle()
        expect(page.locator(".waits")).to_be_hidden()
        evening.expect_texts("Good evening.", "Hello?", "Reply 1.", "And then?", "Reply 2.")
        page.goto("about:blank")


def test_a_swipe_changes_the_panel(evening: Evening, company: Company) -> None:
    page = evening.page
    company.book(**FIRST)
    say(evening, "Hello?")
    expect(affinity(page)).to_contain_text("+28")
    company.book(**OTHER)
    evening.click("another")
    evening.expect_idle()
    expect(affinity(page)).to_contain_text("−10")
    expect(row(page, "Belongings")).not_to_contain_text("a brass watch")
    evening.click("previous")
    expect(affinity(page)).to_contain_text("+28")
    expect(row(page, "Belongings")).to_contain_text("a brass watch")
    expect(chip(evening)).to_contain_text("booked")
    assert len(company.asked("scribe")) == 2


def test_what_a_turn_changed_is_set_apart(evening: Evening, company: Company) -> None:
    page = evening.page
    company.book(**FIRST)
    say(evening, "Hello?")
    company.book(**SECOND)
    say(evening, "Whose is it?")
    expect(page.locator(".this-turn")).to_contain_text("This turn: 2 changes")
    expect(affinity(page)).to_contain_text("6")
    expect(row(page, "Threads").locator(".fresh")).to_have_count(1)
    expect(row(page, "Belongings").locator(".fresh")).to_have_count(0)


def test_a_jump_takes_the_world_along(evening: Evening, company: Company) -> None:
    page = evening.page
    company.book(**FIRST)
    say(evening, "Hello?")
    company.book(**SECOND)
    say(evening, "Whose is it?")
    evening.click("branch", evening.speeches.nth(2))
    expect(affinity(page)).to_contain_text("+28")
    expect(row(page, "Threads")).not_to_contain_text("Whose watch")


def test_a_late_scribe_is_dropped_and_later_caught_up(evening: Evening, company: Company) -> None:
    page = evening.page
    company.hold_the_scribe()
    company.book(**FIRST)
    evening.say("Hello?")
    expect(chip(evening)).to_have_text("booking…")
    evening.click("branch", evening.speeches.first)
    evening.expect_texts("Good evening.")
    company.let_the_scribe_go()
    page.locator(".toast .button").click()
    evening.expect_texts("Good evening.", "Hello?", "Reply 1.")
    expect(evening.last.locator(".chip-row")).to_contain_text("dropped: you changed the branch")
    expect(world(page)).not_to_contain_text("the common room")
    company.book(**FIRST)
    say(evening, "Are you there?")
    expect(world(page)).to_contain_text("the common room")
    said = company.asked("scribe")[-1].messages[-1].text
    assert "Hello?" in said and "Are you there?" in said


def test_a_dropped_run_is_booked_by_a_click(evening: Evening, company: Company) -> None:
    company.patches.append(ModelFailed())
    company.patches.append(ModelFailed())
    company.patches.append(ModelFailed())
    evening.say("Hello?")
    expect(evening.last.locator(".chip-row")).to_contain_text("not booked")
    company.patches.clear()
    company.book(**FIRST)
    evening.last.get_by_role("button", name="try again").click()
    expect(chip(evening)).to_contain_text("booked", timeout=15_000)
    expect(affinity(evening.page)).to_contain_text("+28")


# --- it takes corrections --------------------------------------------------------------------------------------------


def test_a_value_is_changed_where_it_stands(evening: Evening, company: Company) -> None:
    page = evening.page
    company.book(**FIRST)
    say(evening, "Hello?")
    person(page).locator("summary").click()
    person(page).get_by_label("Affinity").fill("50")
    person(page).get_by_role("button", name="Keep").click()
    expect(affinity(page)).to_contain_text("+50")
    expect(person(page).locator("summary")).to_be_focused()
    evening.click("another")
    evening.expect_idle()
    expect(page.locator(".person")).to_have_count(0)
    evening.click("previous")
    expect(affinity(page)).to_contain_text("+50")


def test_what_cannot_be_booked_is_told(evening: Evening) -> None:
    page = evening.page
    row(page, "Strength").locator("summary").click()
    row(page, "Strength").locator("input[name=value]").fill("a lot")
    row(page, "Strength").get_by_role("button", name="Keep").click()
    expect(world(page).get_by_role("alert")).to_contain_text("must be a number")
    expect(row(page, "Strength").locator(".fact-value")).to_contain_text("90")


def test_a_pinned_field_stays_as_it_is(evening: Evening, company: Company) -> None:
    page = evening.page
    company.book(**FIRST)
    say(evening, "Hello?")
    person(page).locator("summary").click()
    person(page).get_by_role("button", name="Affinity").click()
    expect(person(page).locator(".pinned")).to_have_count(1)
    company.book(**SECOND)
    say(evening, "Whose is it?")
    expect(row(page, "Threads")).to_contain_text("Whose watch is it?")
    expect(affinity(page)).to_contain_text("+28")
    expect(page.get_by_text("1 note of the scribe")).to_be_visible()


def test_the_story_opens_as_the_reader_says(evening: Evening, company: Company) -> None:
    page = evening.page
    row(page, "Place").locator("summary").click()
    row(page, "Place").locator("input[name=value]").fill("before the gate")
    row(page, "Place").get_by_role("button", name="Keep").click()
    expect(row(page, "Place")).to_contain_text("before the gate")
    evening.say("Hello?")
    assert "before the gate" in "\n".join(message.text for message in company.requests[0].messages)


def test_a_field_tells_how_it_came_about(evening: Evening, company: Company) -> None:
    page = evening.page
    company.book(**FIRST)
    say(evening, "Hello?")
    company.book(**SECOND)
    say(evening, "Whose is it?")
    person(page).locator("summary").click()
    person(page).get_by_role("link", name="How it came about").click()
    expect(person(page).locator(".moments")).to_contain_text("turn 2")


def test_who_writes_in_the_panel_is_left_in_peace(evening: Evening, company: Company) -> None:
    page = evening.page
    company.hold_the_scribe()
    company.book(**FIRST)
    evening.say("Hello?")
    row(page, "Place").locator("summary").click()
    field = row(page, "Place").locator("input[name=value]")
    field.fill("on the stairs")
    company.let_the_scribe_go()
    expect(chip(evening)).to_contain_text("booked")
    expect(field).to_have_value("on the stairs")
    row(page, "Place").get_by_role("button", name="Keep").click()
    expect(row(page, "Place")).to_contain_text("on the stairs")
    expect(affinity(page)).to_contain_text("+28")


# --- summaries, the prompt -------------------------------------------------------------------------------------------


def test_a_summary_comes_and_goes_with_the_branch(evening: Evening) -> None:
    page = evening.page
    for text in ("Hello?", "Who are you?", "And then?"):
        say(evening, text)
    evening.open_panel("prompt")
    page.get_by_role("button", name="Summarise now").click()
    divider = page.locator(".divider")
    expect(divider).to_contain_text("turns 1–2 are summarised", timeout=15_000)
    expect(page.locator("#prompt")).to_contain_text("Summary")
    divider.locator("summary").first.click()
    expect(divider).to_contain_text("They met at the inn.")
    evening.click("branch", evening.speeches.nth(4))
    expect(divider).to_have_count(0)
    expect(page.locator("#prompt")).not_to_contain_text("Summary")
    page.locator(".toast .button").click()
    expect(divider).to_have_count(1)


def test_a_summary_is_put_another_way_and_done_without(evening: Evening) -> None:
    page = evening.page
    for text in ("Hello?", "Who are you?", "And then?"):
        say(evening, text)
    evening.open_panel("prompt")
    page.get_by_role("button", name="Summarise now").click()
    divider = page.locator(".divider")
    expect(divider).to_be_visible(timeout=15_000)
    divider.locator("summary").first.click()
    divider.get_by_text("Put it another way").click()
    divider.get_by_label("The summary").fill("They never met.")
    divider.get_by_role("button", name="Keep from here on").click()
    expect(divider.locator(".prose")).to_have_text("They never met.")
    divider.locator("summary").first.click()
    divider.get_by_role("button", name="Do without it").click()
    expect(divider).to_have_count(0)


def test_the_prompt_holds_what_is_typed(evening: Evening) -> None:
    page = evening.page
    evening.open_panel("prompt")
    evening.words.fill("Is anybody here?")
    words = page.locator(".section").filter(has_text="Your words")
    words.locator("summary").click()
    expect(words).to_contain_text("Is anybody here?")
    expect(page.locator("#prompt")).to_contain_text("Nothing fell out.")


# --- tabs, and how it looks ------------------------------------------------------------------------------------------


def test_tabs_are_walked_by_arrows_and_remembered(evening: Evening) -> None:
    page = evening.page
    page.locator("#tab-world").focus()
    page.keyboard.press("ArrowRight")
    expect(page.locator("#tab-prompt")).to_be_focused()
    expect(page.locator("#tab-prompt")).to_have_attribute("aria-selected", "true")
    expect(page.locator("#prompt")).to_be_visible()
    evening.expect_counter("1/1")
    page.reload()
    expect(page.locator("#prompt")).to_be_visible()


def test_tabs_and_forms_work_without_scripts(visit: Visit, house: House) -> None:
    story_id = open_story(house)
    page = visit(f"/stories/{story_id}", script=False)
    page.get_by_role("tab", name="Prompt").click()
    expect(page.locator("#prompt")).to_be_visible()
    page.get_by_role("tab", name="World").click()
    row(page, "Place").locator("summary").click()
    row(page, "Place").locator("input[name=value]").fill("before the gate")
    row(page, "Place").get_by_role("button", name="Keep").click()
    expect(row(page, "Place")).to_contain_text("before the gate")
    row(page, "Place").locator("summary").click()
    row(page, "Place").get_by_role("link", name="How it came about").click()
    expect(row(page, "Place").locator(".moments")).to_contain_text("before the gate")


ZH = {
    "time": "第三夜",
    "location": "客栈大堂",
    "characters": {
        "青梧": {"affinity": 34, "status": "起了疑心", "notes": "雨夜客栈的掌柜，话少，记性极好。"},
        "沈九": {"affinity": -22, "status": "坐在角落里", "notes": "说是贩茶的，手上却没有茶渍。"},
    },
    "inventory": ["青布包袱", "黄铜怀表"],
    "plot_threads": ["沈家旧宅的独子"],
    "flags": {"门闩已落": True},
    "relationships": [
        {"a": "青梧", "b": "旅人", "relation": "似曾相识", "affinity": 34},
        {"a": "沈九", "b": "青梧", "relation": "旧怨", "affinity": -40},
    ],
    "hp": 72,
}
EN = {
    "time": "the third night",
    "location": "the common room of the inn",
    "characters": {
        "Ash": {"affinity": 34, "status": "suspicious now", "notes": "Keeps the inn, says little, forgets nothing."},
        "Shen Jiu": {"affinity": -22, "status": "in the corner", "notes": "Sells tea, or so he says."},
    },
    "inventory": ["a blue bundle", "a brass watch"],
    "plot_threads": ["The only son of the burnt house"],
    "flags": {"the door is barred": True},
    "relationships": [
        {"a": "Ash", "b": "Traveller", "relation": "has seen before", "affinity": 34},
        {"a": "Shen Jiu", "b": "Ash", "relation": "old grudge", "affinity": -40},
    ],
    "hp": 72,
}


@pytest.mark.parametrize(("phone", "dark", "language"), LOOKS)
def test_the_world_is_sound_and_fits(
    visit: Visit, house: House, company: Company, phone: bool, dark: bool, language: str
) -> None:
    is_chinese = language == "zh"
    story_id = (
        open_story(house, "青梧", "雨夜问名", "雨下了三天。“打尖，还是住店？”") if is_chinese else open_story(house)
    )
    evening = Evening(visit(f"/stories/{story_id}", phone=phone, dark=dark, language=language), story_id)
    page = evening.page
    company.book(**(ZH if is_chinese else EN))
    evening.say("我把怀表放在柜台上。" if is_chinese else "I put the watch on the counter.")
    expect(evening.last.locator(".chip.done")).to_be_visible()
    name = f"world-{'phone' if phone else 'desktop'}-{'dark' if dark else 'light'}-{language}"
    if phone:
        shoot(page, f"{name}-booked")
        page.locator(".unfold-panel").click()
        page.locator("#panel").evaluate("sheet => Promise.all(sheet.getAnimations().map((each) => each.finished))")
    expect(page.locator(".person")).to_have_count(2)
    shoot(page, name)
    assert faults(page) == []
    page.locator(".person summary").first.click()
    shoot(page, f"{name}-open")
    assert faults(page) == []
    page.locator(".graph").scroll_into_view_if_needed()
    shoot(page, f"{name}-graph")
    evening.open_panel("prompt")
    expect(page.locator("#prompt")).to_be_visible()
    shoot(page, f"{name}-prompt")
    assert faults(page) == []
    assert overflow(page) == 0
