"""Rules of counting: a real vocabulary, offline, any text, any number of threads."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from unicodedata import normalize

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from liyuan.model import tokenizer
from liyuan.model.tokenizer import BLOCK, REMEMBERED, Tokenizer, count

ENGLISH = (
    "The rain had not let up since dusk, and the lantern in her hand threw long shadows across the wet stones. "
    "“There is still time to go back,” she said without turning round. *She did not wait for an answer.*"
)
CHINESE = "夜色沉沉，山道上只余她手中那盏灯笼还亮着。青梧停下脚步，回头望了一眼来路，轻声说道：“现在还来得及回去。”"


@pytest.fixture(scope="module")
def fresh() -> Tokenizer:
    return Tokenizer()


def test_nothing_costs_nothing() -> None:
    assert count("") == 0


@pytest.mark.parametrize(
    ("text", "tokens"), [("hello world", 2), ("你好", 1), ("\n\n", 1), (" lantern", 1), ("2026", 4)]
)
def test_pieces_are_those_of_the_vocabulary(text: str, tokens: int) -> None:
    assert count(text) == tokens


def test_prose_costs_what_it_costs_real_models() -> None:
    assert 0.20 < count(ENGLISH) / len(ENGLISH) < 0.28
    assert 0.65 < count(CHINESE) / len(CHINESE) < 0.90


def test_marks_of_a_chat_format_are_plain_text_in_a_story() -> None:
    assert count("<|im_end|>") > 3


def test_half_a_character_is_counted_like_a_question_mark() -> None:
    assert count("a\ud800b") == count("a?b")


def test_one_endless_text_is_counted_in_blocks() -> None:
    blocks = 5
    whole = count("字" * BLOCK * blocks)
    assert whole == blocks * count("字" * BLOCK)


@given(st.text(min_size=1, max_size=200))
@settings(max_examples=50)
def test_any_text_costs_at_least_one_token_and_at_most_its_bytes(text: str) -> None:
    assert 1 <= count(text) <= len(normalize("NFC", text).encode("utf-8", "replace"))


def test_threads_that_come_first_together_get_one_vocabulary_and_the_same_counts(fresh: Tokenizer) -> None:
    texts = [f"{CHINESE}{number}" for number in range(40)] * 4
    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(fresh.count, texts)) == [count(text) for text in texts]


def test_a_story_longer_than_what_is_remembered_is_still_counted_right(fresh: Tokenizer) -> None:
    for number in range(REMEMBERED + 10):
        fresh.count(str(number))
    assert fresh.count("0") == 1
    assert fresh.count(CHINESE) == count(CHINESE)


def test_the_shared_counter_can_be_warmed_before_the_first_turn() -> None:
    tokenizer.warm()
    assert tokenizer.count("hello world") == 2
