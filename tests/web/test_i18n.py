"""The interface speaks the reader's language, chosen or asked for by the browser."""

from __future__ import annotations

import pytest

from liyuan.web.i18n import choose_language, words


@pytest.mark.parametrize(
    ("accept", "language"),
    [
        ("zh-CN,zh;q=0.9,en;q=0.8", "zh"),
        ("zh-Hant-TW", "zh"),
        ("ZH", "zh"),
        ("en-GB,zh;q=0.5", "en"),
        ("fr-FR,de;q=0.9,zh;q=0.1", "zh"),
        ("zh;q=0.2,en;q=0.3", "en"),
        ("en;q=0,zh;q=0.1", "zh"),
        ("fr", "en"),
        ("*", "en"),
        ("", "en"),
        ("zh;q=nonsense", "en"),
        (";;;,,,q=1", "en"),
    ],
)
def test_the_browser_is_asked_which_language(accept: str, language: str) -> None:
    assert choose_language(None, accept) == language


def test_the_reader_s_own_choice_comes_first() -> None:
    assert choose_language("en", "zh") == "en"
    assert choose_language("zh", "en") == "zh"


def test_a_language_we_do_not_have_is_no_choice() -> None:
    assert choose_language("tlh", "zh") == "zh"


def test_every_catalogue_of_a_language_is_read() -> None:
    told = words("zh").gettext
    assert told("Not found") == "没有找到"
    assert told("Sign in") == "登录"


def test_a_number_chooses_its_form() -> None:
    said = "Too many tries. Wait a second, then try again.", "Too many tries. Wait %(num)s seconds, then try again."
    assert words("en").ngettext(*said, 1) == said[0]
    assert words("en").ngettext(*said, 2) == said[1]
    assert words("zh").ngettext(*said, 1) == words("zh").ngettext(*said, 2) == "试得太频繁了，请等 %(num)s 秒再试。"


def test_words_without_translation_stay_english() -> None:
    assert words("zh").gettext("Nobody ever says this.") == "Nobody ever says this."
