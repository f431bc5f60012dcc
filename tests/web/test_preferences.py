"""What is chosen on the settings page holds on every page."""

from __future__ import annotations

import pytest
from bs4 import BeautifulSoup

from liyuan.domain.autosaving import Autosaving, autosaving_of
from liyuan.resources import Resources
from liyuan.store.library import load_preferences
from liyuan.web.preferences import short_agent
from tests.web.browser import Browser, page

CHOSEN = {"theme": "dark", "text_size": "22", "width": "44", "language": "zh", "send_key": "shift-enter"}


async def test_a_choice_is_kept_and_shown_on_every_page(browser: Browser) -> None:
    assert (await browser.send("/settings", CHOSEN)).headers["location"] == "/settings?kept=true"
    for path in ("/settings", "/characters", "/personas"):
        root = page(await browser.read(path)).html
        assert root is not None
        assert (root["data-theme"], root["data-text"], root["data-width"]) == ("dark", "22", "44")
        assert root["lang"] == "zh-Hans"


async def test_the_page_shows_what_is_chosen(browser: Browser) -> None:
    await browser.send("/settings", CHOSEN)
    shown = page(await browser.read("/settings"))
    assert {one["value"] for one in shown.select("input[checked]")} == {"dark", "zh", "shift-enter"}
    assert shown.select_one("#text_size")["value"] == "22"  # type: ignore[index]


async def test_a_box_that_is_not_ticked_turns_gestures_off_and_on_again(browser: Browser) -> None:
    assert page(await browser.read("/settings")).select_one("[name=gestures]").has_attr("checked")  # type: ignore[union-attr]
    await browser.send("/settings", CHOSEN)
    assert not page(await browser.read("/settings")).select_one("[name=gestures]").has_attr("checked")  # type: ignore[union-attr]
    await browser.send("/settings", {**CHOSEN, "gestures": "true"})
    assert page(await browser.read("/settings")).select_one("[name=gestures]").has_attr("checked")  # type: ignore[union-attr]


async def test_only_a_new_language_draws_the_page_anew(browser: Browser) -> None:
    first = await browser.act("/settings", CHOSEN)
    assert first.headers["HX-Refresh"] == "true"
    second = await browser.act("/settings", {**CHOSEN, "theme": "light"})
    assert "HX-Refresh" not in second.headers
    assert second.text.strip().endswith("已保存。</span>")


@pytest.mark.parametrize(
    ("field", "value"), [("theme", "pink"), ("text_size", "99"), ("language", "la"), ("width", "1")]
)
async def test_a_choice_that_is_none_changes_nothing(browser: Browser, field: str, value: str) -> None:
    await browser.send("/settings", CHOSEN)
    assert (await browser.send("/settings", {**CHOSEN, field: value})).status_code == 422
    root = page(await browser.read("/settings")).html
    assert root is not None and (root["data-theme"], root["data-text"]) == ("dark", "22")


OFTEN = {"chapters": "true", "every": " 12 ", "keep": "5"}


def typed(shown: BeautifulSoup) -> tuple[bool, str, str]:
    """The form for saves that make themselves."""
    chapters, every, keep = (shown.select_one(f".autosaving [name={name}]") for name in ("chapters", "every", "keep"))
    assert chapters and every and keep
    return chapters.has_attr("checked"), str(every["value"]), str(keep["value"])


async def test_the_story_does_not_save_by_itself_until_somebody_chooses_so(browser: Browser) -> None:
    assert typed(page(await browser.read("/settings"))) == (False, "0", "10")


async def test_when_the_story_saves_by_itself_is_kept_and_read_where_it_saves(
    browser: Browser, resources: Resources
) -> None:
    assert (await browser.send("/settings/autosaves", OFTEN)).headers["location"] == "/settings?kept=true#autosaves"
    assert typed(page(await browser.read("/settings"))) == (True, "12", "5")
    stored = await resources.database.read(load_preferences)
    assert autosaving_of(stored) == Autosaving(chapters=True, every=12, keep=5)


async def test_an_empty_number_of_turns_is_none_and_an_unticked_box_is_off(browser: Browser) -> None:
    await browser.send("/settings/autosaves", OFTEN)
    assert "Kept." in (await browser.act("/settings/autosaves", {"every": "", "keep": "5"})).text
    assert typed(page(await browser.read("/settings"))) == (False, "0", "5")


@pytest.mark.parametrize(
    ("field", "value", "words"),
    [
        ("every", "-1", "from 0 to 999"),
        ("every", "1000", "from 0 to 999"),
        ("every", "often", "from 0 to 999"),
        ("every", "1.5", "from 0 to 999"),
        ("keep", "0", "from 1 to 100"),
        ("keep", "", "from 1 to 100"),
        ("keep", "101", "from 1 to 100"),
        ("keep", "9" * 5000, "from 1 to 100"),
    ],
)
async def test_a_number_that_cannot_be_is_told_beside_the_form_and_changes_nothing(
    browser: Browser, field: str, value: str, words: str
) -> None:
    await browser.send("/settings/autosaves", OFTEN)
    wrong = {**OFTEN, "every": "7", field: value}
    told = await browser.act("/settings/autosaves", wrong)
    assert told.status_code == 422
    assert [words in one.text for one in page(told).select(".trouble")] == [True]
    whole = await browser.send("/settings/autosaves", wrong)
    assert whole.status_code == 422
    assert words in page(whole).select_one("#autosaving-told .trouble").text  # type: ignore[union-attr]
    assert page(whole).select_one(f"[name={field}]")["value"] == value  # type: ignore[index]
    assert page(whole).select_one(f"[name={field}]")["aria-invalid"] == "true"  # type: ignore[index]
    assert typed(page(await browser.read("/settings"))) == (True, "12", "5")


async def test_the_looks_and_the_saves_are_kept_apart(browser: Browser) -> None:
    await browser.send("/settings/autosaves", OFTEN)
    await browser.send("/settings", CHOSEN)
    shown = page(await browser.read("/settings"))
    assert typed(shown) == (True, "12", "5")
    assert shown.html["data-theme"] == "dark"  # type: ignore[index]


async def test_the_page_says_where_the_data_lies(browser: Browser) -> None:
    place = page(await browser.read("/settings")).select_one(".place")
    assert place is not None and place.text.endswith("/data")


async def test_browsers_that_are_signed_in_can_be_sent_away(owner: Browser) -> None:
    await owner.send(
        "/login", {"password": "the rain at Qingwu’s inn"}, **{"User-Agent": "Mozilla (Windows) Firefox/1"}
    )
    shown = page(await owner.read("/settings"))
    assert [one.b.text for one in shown.select(".browser")].count("Firefox · Windows") == 1
    other = shown.select_one("form[action='/settings/sign-ins/end']")
    assert other is not None
    sent = {"sign_in_id": other.select_one("[name=sign_in_id]")["value"]}  # type: ignore[index]
    await owner.send("/settings/sign-ins/end", sent)
    assert len(page(await owner.read("/settings")).select(".browser")) == 1


async def test_all_browsers_but_this_one_are_sent_away_at_once(owner: Browser) -> None:
    for _ in range(2):
        owner.client.cookies.delete("liyuan_sign_in")
        await owner.send("/login", {"password": "the rain at Qingwu’s inn"})
    assert len(page(await owner.read("/settings")).select(".browser")) == 3
    await owner.send("/settings/sign-ins/end-others")
    assert len(page(await owner.read("/settings")).select(".browser")) == 1


async def test_without_a_password_there_is_nobody_to_send_away(browser: Browser) -> None:
    assert page(await browser.read("/settings")).select(".browser") == []


@pytest.mark.parametrize(
    ("agent", "short"),
    [
        ("Mozilla/5.0 (Windows NT 10.0; Win64; x64) Chrome/140.0 Safari/537.36 Edg/140.0", "Edge · Windows"),
        ("Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) Version/18.0 Safari/604.1", "Safari · iPhone"),
        ("Mozilla/5.0 (Linux; Android 15) Chrome/140.0 Mobile Safari/537.36", "Chrome · Android"),
        ("python-httpx/0.28", "python-httpx"),
        ("", ""),
    ],
)
def test_a_browser_is_named_in_two_words(agent: str, short: str) -> None:
    assert short_agent(agent) == short
