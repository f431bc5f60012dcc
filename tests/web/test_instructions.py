"""What the scribe is told can be read and rewritten on the settings page, and the usual words are one click away."""

from __future__ import annotations

from fastapi import FastAPI

from liyuan.domain.scribe import default_instruction
from liyuan.store.library import load_preferences
from tests.web.browser import Browser, page

KEY = "scribe_instruction_en"


async def shown(browser: Browser) -> str:
    field = page(await browser.read("/settings")).select_one(f"#{KEY} textarea")
    assert field is not None
    return field.get_text().strip()


async def kept(app: FastAPI) -> object:
    return (await app.state.resources.database.read(load_preferences)).get(KEY)


async def test_the_usual_words_stand_there_at_first(browser: Browser) -> None:
    assert await shown(browser) == default_instruction("en").strip()


async def test_own_words_hold_until_the_usual_ones_are_asked_back(browser: Browser, open_app: FastAPI) -> None:
    await browser.send(f"/settings/instructions/{KEY}", {"text": "Be brief. {{story}}"})
    assert await shown(browser) == "Be brief. {{story}}"
    assert await kept(open_app) == "Be brief. {{story}}"
    await browser.send(f"/settings/instructions/{KEY}", {"text": "Be brief. {{story}}", "usual": "true"})
    assert await shown(browser) == default_instruction("en").strip()
    assert await kept(open_app) is None


async def test_the_usual_words_sent_back_are_not_kept_as_own(browser: Browser, open_app: FastAPI) -> None:
    await browser.send(f"/settings/instructions/{KEY}", {"text": default_instruction("en")})
    assert await kept(open_app) is None


async def test_there_is_no_other_instruction(browser: Browser) -> None:
    answer = await browser.send("/settings/instructions/send_key", {"text": "x"})
    assert answer.status_code == 404
