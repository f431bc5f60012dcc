"""An evening with a server nobody here wrote, in both of its tongues: played to the end, and through its troubles."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect

from liyuan.jobs.worker import Worker
from tests.e2e.conftest import Visit
from tests.e2e.evening import Evening, open_story
from tests.e2e.house import House, serving, shoot
from tests.peers import WildServer, at_hand, fault, katan, openai_stream, slow_line

pytestmark = pytest.mark.e2e

BOTH = "openai,anthropic"
#: It comes back in pieces of four characters, so there is time to do something while it does.
LONG = "The rain goes on, and nobody comes to the door. " * 20
#: The first reply of a process waits for the library that speaks to the server.
FIRST = 60_000


@pytest.fixture(scope="module")
def peer() -> Iterator[str]:
    """Sound, at the end of a slow line: its Anthropic tongue cannot be told to take its time for each piece."""
    with katan(providers=BOTH, ttft_ms=20) as url, slow_line(url) as here:
        yield here


@pytest.fixture(scope="module")
def slow() -> Iterator[str]:
    """Thinks for a second or two before its first word."""
    with katan(providers=BOTH, latency_ms=1500) as url:
        yield url


@pytest.fixture(scope="module")
def failing() -> Iterator[str]:
    with katan(providers=BOTH, error_rate=1.0) as url:
        yield url


@pytest.fixture(scope="module")
def away() -> Iterator[str]:
    """Answers once; after that whatever stands behind it does not."""
    with katan(providers=BOTH, timeout_after=1) as url:
        yield url


@pytest.fixture(scope="module")
def busy() -> Iterator[str]:
    """Answers once, and takes no more requests."""
    with katan(providers=BOTH, rate_limit_after=1) as url:
        yield url


def connect(page: Page, url: str, provider: str = "openai", name: str = "Katan") -> None:
    """Saves a connection, by hand. The first one that is saved plays."""
    page.goto("/connections/new?choice=other")
    page.get_by_label("It speaks like").select_option(provider)
    page.get_by_label("Address").fill(url if provider == "anthropic" else f"{url}/v1")
    page.get_by_label("Key").fill("sk-of-the-evening")
    page.get_by_label("Model", exact=True).fill("echo")
    page.get_by_label("Name", exact=True).fill(name)
    page.get_by_role("button", name="Keep").last.click()
    expect(connection(page, name)).to_contain_text("key saved")


def connection(page: Page, name: str) -> Locator:
    return page.locator(".connection").filter(has=page.get_by_role("link", name=name))


def let_play(evening: Evening, name: str) -> None:
    """Follows the note beside the composer to the connections, chooses another one, and comes back."""
    page = evening.page
    note(evening).get_by_role("link", name="Look at the connection").click()
    connection(page, name).get_by_role("button", name="Let it play").click()
    expect(connection(page, name).locator(".badge")).to_be_visible()
    page.goto(evening.address)


def sit_down(page: Page, house: House) -> Evening:
    evening = Evening(page, open_story(house))
    page.goto(evening.address)
    return evening


def note(evening: Evening) -> Locator:
    return evening.page.locator("#composer-note")


def prose(speech: Locator) -> Locator:
    return speech.locator(".prose:not(.leaving)")


def texts(evening: Evening) -> list[str]:
    return evening.page.locator(".speech .prose:not(.leaving)").all_inner_texts()


def messages_read(speech: Locator) -> int:
    """How many messages the server was sent, as its answer tells."""
    found = re.search(r"messages=(\d+)", prose(speech).inner_text())
    assert found
    return int(found[1])


def say(evening: Evening, text: str) -> None:
    evening.begin(text)
    expect(evening.page.locator(".speech:not(.performing) .prose").last).to_contain_text(text, timeout=FIRST)
    evening.expect_idle()


# --- an evening ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("provider", "phone"), [("openai", False), ("anthropic", True)])
def test_a_whole_evening(visit: Visit, house: House, peer: str, provider: str, phone: bool) -> None:
    page = visit("/connections", phone=phone)
    connect(page, peer, provider)
    connection(page, "Katan").get_by_role("button", name="Try").click()
    expect(connection(page, "Katan")).to_contain_text("It works.", timeout=FIRST)
    evening = sit_down(page, house)
    play_and_retell(evening)
    edit_both_ways(evening)
    break_off_and_go_on(evening)
    reload_in_mid_stream(evening)
    shoot(page, f"katan-evening-{provider}-{'phone' if phone else 'desktop'}")
    told = texts(evening)
    page.reload()
    evening.expect_texts(*told)
    next_day = Evening(visit(evening.address, phone=not phone), evening.story_id)
    next_day.expect_texts(*told)
    next_day.expect_counter("2/2", next_day.speeches.nth(3))


def play_and_retell(evening: Evening) -> None:
    say(evening, "Is anyone here?")
    asked = messages_read(evening.last)
    first = prose(evening.last).inner_text()
    evening.click("another")
    evening.expect_counter("2/2")
    evening.expect_idle()
    expect(prose(evening.last)).to_contain_text("Is anyone here?")
    assert messages_read(evening.last) == asked, "the telling that was left is none of the new one's business"
    second = prose(evening.last).inner_text()
    evening.last.focus()
    evening.page.keyboard.press("ArrowLeft")
    evening.expect_counter("1/2")
    expect(prose(evening.last)).to_have_text(first)
    evening.page.keyboard.press("ArrowRight")
    evening.expect_counter("2/2")
    expect(prose(evening.last)).to_have_text(second)
    say(evening, "I knock twice.")
    assert messages_read(evening.last) == asked + 2


def edit_both_ways(evening: Evening) -> None:
    mine = evening.speeches.nth(3)
    evening.click("edit", mine)
    mine.get_by_role("textbox").fill("I knock three times.")
    mine.get_by_role("button", name="Change in place").click()
    expect(prose(mine)).to_have_text("I knock three times.")
    expect(prose(evening.last)).to_contain_text("User: I knock twice.")
    evening.click("edit", mine)
    expect(mine.get_by_role("textbox")).to_have_value("I knock three times.")
    mine.get_by_role("textbox").fill("I do not knock.")
    mine.get_by_role("button", name="Keep as a branch").click()
    evening.expect_counter("2/2", mine)
    evening.page.get_by_role("button", name="Let Ash answer").click()
    expect(prose(evening.last)).to_contain_text("User: I do not knock.")
    evening.expect_idle()
    evening.click("previous", mine)
    expect(prose(mine)).to_have_text("I knock three times.")
    evening.click("next", mine)
    expect(prose(mine)).to_have_text("I do not knock.")


def break_off_and_go_on(evening: Evening) -> None:
    evening.begin(LONG)
    expect(evening.page.locator(".performing .live .prose")).to_contain_text("[echo] model=echo")
    evening.page.locator("[data-act=stop]").click()
    evening.expect_idle()
    expect(evening.last).to_contain_text("broken off")
    said = prose(evening.last).inner_text()
    assert "[echo] model=echo" in said
    assert len(said) < len(LONG)
    evening.choose_in_menu("Let it go on")
    evening.expect_performing()
    evening.expect_idle()
    expect(evening.last).not_to_contain_text("broken off")
    assert prose(evening.last).inner_text().startswith(said[:80])
    assert prose(evening.last).inner_text().count("[echo] model=echo") == 2


def reload_in_mid_stream(evening: Evening) -> None:
    evening.begin(LONG)
    performing = evening.page.locator(".performing .live .prose")
    expect(performing).to_contain_text("[echo] model=echo")
    evening.page.reload()
    expect(performing).to_contain_text("[echo] model=echo")
    expect(evening.page.locator(".performing")).to_have_count(0, timeout=FIRST)
    evening.expect_idle()
    expect(prose(evening.last)).to_contain_text(f"User: {LONG.strip()}")
    expect(evening.last).not_to_contain_text("broken off")


# --- latency ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("provider", ["openai", "anthropic"])
def test_a_slow_first_word_can_be_given_up_and_waited_for_elsewhere(
    visit: Visit, house: House, slow: str, provider: str
) -> None:
    page = visit("/connections")
    connect(page, slow, provider)
    evening = sit_down(page, house)
    evening.begin("Is anyone here?")
    evening.expect_performing()
    page.keyboard.press("Escape")
    evening.expect_idle()
    evening.expect_texts("Good evening.", "Is anyone here?")
    page.get_by_role("button", name="Let Ash answer").click()
    evening.expect_performing()
    page.reload()
    evening.expect_performing()
    expect(prose(evening.last)).to_contain_text("User: Is anyone here?", timeout=FIRST)
    evening.expect_idle()


# --- trouble ---------------------------------------------------------------------------------------------------------


def test_a_server_that_fails_costs_nothing_and_another_takes_over(
    visit: Visit, house: House, failing: str, peer: str
) -> None:
    page = visit("/connections")
    connect(page, failing, "openai", "Failing")
    connect(page, failing, "anthropic", "Failing too")
    connect(page, peer, "openai", "Sound")
    evening = sit_down(page, house)
    evening.begin("Is anyone here?")
    expect(note(evening)).to_contain_text("trouble of its own (error 500)", timeout=FIRST)
    expect(note(evening)).to_contain_text("Try again in a moment. Your words are kept.")
    evening.expect_texts("Good evening.", "Is anyone here?")
    let_play(evening, "Failing too")
    page.get_by_role("button", name="Let Ash answer").click()
    expect(note(evening)).to_contain_text("trouble of its own (error 500)", timeout=FIRST)
    let_play(evening, "Sound")
    evening.expect_texts("Good evening.", "Is anyone here?")
    page.get_by_role("button", name="Let Ash answer").click()
    expect(prose(evening.last)).to_contain_text("User: Is anyone here?", timeout=FIRST)
    evening.expect_idle()
    evening.expect_counter("1/1")


def test_a_swipe_that_runs_into_a_dead_server_leaves_the_old_reply(
    visit: Visit, house: House, away: str, peer: str
) -> None:
    page = visit("/connections")
    connect(page, away, "anthropic", "Away")
    connect(page, peer, "openai", "Sound")
    evening = sit_down(page, house)
    say(evening, "Is anyone here?")
    told = texts(evening)
    evening.click("another")
    expect(note(evening)).to_contain_text("error 504")
    evening.expect_texts(*told)
    evening.expect_counter("1/1")
    note(evening).get_by_role("button", name="Try again").click()
    expect(note(evening)).to_contain_text("error 504")
    evening.expect_texts(*told)
    let_play(evening, "Sound")
    evening.expect_texts(*told)
    evening.click("another")
    evening.expect_counter("2/2")
    evening.expect_idle()


def test_a_server_that_takes_no_more_requests_is_told_with_what_to_do(
    visit: Visit, house: House, busy: str, peer: str
) -> None:
    page = visit("/connections")
    connect(page, busy, "openai", "Busy")
    connect(page, busy, "anthropic", "Busy too")
    connect(page, peer, "anthropic", "Sound")
    evening = sit_down(page, house)
    say(evening, "Is anyone here?")
    evening.begin("I wait.")
    expect(note(evening)).to_contain_text("takes no more requests for the moment. Wait a minute, then try again.")
    shoot(page, "katan-rate-limited")
    let_play(evening, "Busy too")
    page.get_by_role("button", name="Let Ash answer").click()
    expect(note(evening)).to_contain_text("Your words are kept.", timeout=FIRST)
    let_play(evening, "Sound")
    page.get_by_role("button", name="Let Ash answer").click()
    expect(prose(evening.last)).to_contain_text("User: I wait.")
    evening.expect_idle()


def test_a_server_that_says_how_long_to_wait_is_taken_at_its_word(visit: Visit, house: House) -> None:
    refusal = fault(429, {"error": {"message": "Slow down.", "type": "rate_limit"}}, retry_after="17")
    with at_hand(WildServer(refusal, openai_stream("“Here I am.”"))) as wild:
        page = visit("/connections")
        connect(page, wild.url)
        evening = sit_down(page, house)
        evening.begin("Is anyone here?")
        expect(note(evening)).to_contain_text("Try again in 17 seconds. Your words are kept.", timeout=FIRST)
        note(evening).get_by_role("button", name="Try again").click()
        evening.expect_texts("Good evening.", "Is anyone here?", "“Here I am.”")
        expect(note(evening)).to_be_empty()


# --- behind the curtain ----------------------------------------------------------------------------------------------


class TestAServerThatIsTiredAfterOneReply:
    """What comes after a turn is asked of the same server."""

    @pytest.fixture
    def house(self, tmp_path: Path) -> Iterator[House]:
        with serving(tmp_path / "data", worker=Worker(), settle_wait=0, embeddings="off") as house:
            yield house

    def test_has_its_ledger_told_as_missing_and_caught_up_by_the_next_turn(
        self, visit: Visit, house: House, peer: str
    ) -> None:
        page = visit("/connections")
        with katan(rate_limit_after=1) as tired:
            connect(page, tired, name="Tired")
            connect(page, peer, name="Sound")
            evening = sit_down(page, house)
            say(evening, "Is anyone here?")
            expect(evening.last.locator(".chip")).to_contain_text("not booked", timeout=FIRST)
            expect(prose(evening.last)).to_contain_text("User: Is anyone here?")
            evening.begin("I wait.")
            expect(note(evening)).to_contain_text("takes no more requests")
            let_play(evening, "Sound")
        page.get_by_role("button", name="Let Ash answer").click()
        expect(prose(evening.last)).to_contain_text("User: I wait.")
        evening.expect_idle()
        expect(evening.last.locator(".chip.done")).to_be_visible(timeout=FIRST)
