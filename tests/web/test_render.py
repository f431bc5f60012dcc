"""A view becomes a page in the language of whoever looks, and says how it may be kept."""

from __future__ import annotations

from liyuan.web.errors import ToastView
from liyuan.web.render import environment, html_for
from liyuan.web.visitor import Visitor, read_preferences
from tests.web.browser import Browser

TOAST = ToastView("busy", "<b>Busy</b>", "A & B", None)


def test_what_is_shown_is_escaped() -> None:
    shown = html_for(Visitor(), TOAST)
    assert "&lt;b&gt;Busy&lt;/b&gt;" in shown
    assert "A &amp; B" in shown


def test_the_words_around_it_are_the_visitor_s() -> None:
    toast = ToastView("locked", "t", "d", "/login")
    assert "Sign in" in html_for(Visitor(language="en"), toast)
    assert "登录" in html_for(Visitor(language="zh"), toast)


def test_what_fills_a_translated_sentence_is_escaped_too() -> None:
    made = environment("en").from_string('{{ _("%(name)s is here", name=name) }}')
    assert made.render(name="<b>") == "&lt;b&gt; is here"


async def test_a_page_may_be_kept_by_the_browser_alone_and_is_asked_for_again(browser: Browser) -> None:
    answer = await browser.read("/nowhere")
    assert answer.headers["Cache-Control"] == "private, no-cache"
    assert "HX-Request" in answer.headers["Vary"]


def test_a_preference_that_no_longer_holds_falls_back_alone() -> None:
    read = read_preferences({"theme": "sepia", "text_size": 22, "width": "wide", "language": "tlh", "unknown": 1})
    assert (read.theme, read.text_size, read.width, read.language) == ("system", 22, 36, None)
