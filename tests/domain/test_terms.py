"""Words as memory looks for them: the same for what is stored and what is asked, in Chinese and in English."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from liyuan.domain.terms import telling_terms, terms


def test_chinese_is_told_by_characters_and_their_pairs() -> None:
    assert terms("黄铜怀表。") == ["黄", "黄铜", "铜", "铜怀", "怀", "怀表", "表"]


def test_english_words_lose_case_number_and_possession() -> None:
    assert terms("The Keeper’s Stories") == ["the", "keeper", "story"]


def test_full_width_letters_are_letters() -> None:
    assert terms("ＡＢＣ１２３") == ["abc123"]


def test_both_scripts_may_stand_side_by_side() -> None:
    assert terms("Ash把灯") == ["ash", "把", "把灯", "灯"]


def test_a_question_leaves_out_what_tells_nothing() -> None:
    assert telling_terms("Where did she hide the watch? The watch!") == ["hide", "watch"]
    assert telling_terms("他的灯") == ["他的", "的灯", "灯"]


@given(st.text(max_size=200))
def test_no_term_is_empty_or_holds_a_space(text: str) -> None:
    assert all(term and not any(letter.isspace() for letter in term) for term in terms(text))
