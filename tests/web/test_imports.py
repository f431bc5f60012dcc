"""Bringing a story in by the page: a sound file leads to its story, a damaged one to a report."""

from __future__ import annotations

import pytest

from liyuan.domain import file_line, file_reading, soundness
from liyuan.domain.conversation_file import ConversationFile, Header
from liyuan.web import imports
from liyuan.web.i18n import words
from tests.conversation_files import AT, as_text, message, reply, visit
from tests.web.browser import Browser, page

STORY = as_text(
    ConversationFile(
        header=Header(id="rain", title="A <rainy> night", created_at=AT),
        entries=(reply("g", None, "Good evening."), message("u", "g", "hello")),
        journal=(visit("g"), visit("u")),
    )
)


async def test_the_home_page_leads_to_it(browser: Browser) -> None:
    await browser.read("/")
    assert page(await browser.read("/")).select_one("a[href='/import']")
    assert page(await browser.read("/import")).select_one("input[type=file]")


async def test_a_sound_file_leads_to_its_story(browser: Browser) -> None:
    answer = await browser.send("/import", files={"file": ("rain.jsonl", STORY)})
    assert (answer.status_code, answer.headers["location"]) == (303, "/stories/rain")
    assert "Good evening." in (await browser.read("/stories/rain")).text


async def test_what_was_left_out_is_told_line_by_line(browser: Browser) -> None:
    answer = await browser.send("/import", files={"file": ("rain.jsonl", STORY + "{broken\n{cut")})
    shown = page(answer)
    assert answer.status_code == 201
    assert [[cell.text for cell in row.select("td")] for row in shown.select("tbody tr")] == [
        ["6", shown.select("tbody td")[1].text],
        ["7", "The last line is cut off."],
    ]
    assert shown.select_one("a.button[href='/stories/rain']")
    assert "“A <rainy> night” is here with 2 entries" in " ".join(shown.select(".note")[0].text.split())


async def test_with_all_or_nothing_a_damaged_file_brings_nothing(browser: Browser) -> None:
    answer = await browser.send("/import", {"policy": "reject"}, files={"file": ("rain.jsonl", STORY + "{cut")})
    shown = page(answer)
    assert answer.status_code == 422
    assert "Faults in this file: 1." in shown.select("[role=alert]")[0].text
    assert [cell.text for cell in shown.select("tbody td")] == ["6", "The last line is cut off."]
    assert shown.select("input[value=reject]")[0].has_attr("checked")
    assert (await browser.read("/stories/rain")).status_code == 404


async def test_what_is_no_story_is_refused(browser: Browser) -> None:
    answer = await browser.send("/import", files={"file": ("x.png", b"\x89PNG\r\n")})
    assert answer.status_code == 422
    assert "not a conversation file" in page(answer).select("[role=alert]")[0].text


async def test_without_a_file_the_form_is_shown_again(browser: Browser) -> None:
    answer = await browser.send("/import", {"policy": "reject"}, files={"file": ("", b"")})
    assert page(answer).select("input[value=reject]")[0].has_attr("checked")


async def test_a_long_list_of_faults_is_cut_and_counted(browser: Browser) -> None:
    answer = await browser.send("/import", files={"file": ("x.jsonl", STORY + "{\n" * (imports.LISTED + 3))})
    shown = page(answer)
    assert len(shown.select("tbody tr")) == imports.LISTED
    assert "and 3 more lines" in shown.text


def templates() -> list[str]:
    said: list[str] = []
    for module in (file_line, file_reading, soundness):
        for value in vars(module).values():
            told = value.told if isinstance(value, file_line.Shape) else value
            if isinstance(told, str) and told.endswith(".") and told != module.__doc__:
                said.append(told)
    return sorted(set(said))


@pytest.mark.parametrize("template", templates())
def test_every_reason_is_told_in_chinese_too(template: str) -> None:
    assert words("zh").gettext(template) != template
