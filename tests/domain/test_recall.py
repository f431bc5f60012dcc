"""What a turn is told of what was found: fused, varied, not said twice, within a budget."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from liyuan.domain.entry import EntryId
from liyuan.domain.memory_phrases import knowledge_text, memories_text
from liyuan.domain.recall import SAME, Hit, Memory, alike, choose, fuse, in_order, question, with_words
from liyuan.domain.terms import terms

WORDS = ["rain", "lamp", "watch", "ferry", "letter", "coat", "innkeeper", "怀表", "渡口", "雨夜"]
said = st.lists(st.sampled_from(WORDS), min_size=1, max_size=8).map(" ".join)


def hit(number: int, text: str, score: float = 0.5, *, of: str = "", mark: str = "") -> Hit:
    subject = EntryId(of or f"entry-{number}")
    return Hit(memory=Memory(id=number, text=text, entry_id=subject, subject_id=subject, mark=mark), score=score)


hits = st.lists(st.tuples(said, st.floats(0, 1), st.sampled_from(["", "", "pinned"])), max_size=12).map(
    lambda made: [hit(number, text, score, mark=mark) for number, (text, score, mark) in enumerate(made)]
)


rankings = st.lists(st.integers(0, 20), max_size=10)


def length(text: str) -> int:
    return len(text)


def test_what_leads_both_rankings_scores_one() -> None:
    assert next(iter(fuse([7, 3], [7, 5]).items())) == (7, pytest.approx(1.0))


def test_being_found_twice_outweighs_being_found_once_a_little_higher() -> None:
    assert next(iter(fuse([1, 2], [3, 2]))) == 2


def test_a_ranking_that_is_empty_does_not_count() -> None:
    assert fuse([], [4, 2]) == fuse([4, 2], [])


@given(rankings, rankings)
def test_fusing_keeps_everything_and_orders_it(near: list[int], worded: list[int]) -> None:
    fused = fuse(near, worded)
    assert set(fused) == {*near, *worded}
    assert list(fused.values()) == sorted(fused.values(), reverse=True)
    assert all(0 < score <= 1.0000001 for score in fused.values())


@given(hits, st.integers(0, 100), st.integers(0, 8))
def test_the_budget_and_the_number_hold(found: list[Hit], budget: int, most: int) -> None:
    chosen = choose(found, budget=budget, most=most, count=length)
    assert len(chosen) <= most
    assert sum(length(one.memory.text) for one in chosen) <= budget


@given(hits)
def test_no_two_chosen_say_the_same(found: list[Hit]) -> None:
    chosen = choose(found, budget=10_000, most=8, count=length)
    sets = [frozenset(terms(one.memory.text)) for one in chosen]
    assert all(alike(left, right) < SAME for i, left in enumerate(sets) for right in sets[i + 1 :])


@given(hits, st.sets(st.integers(0, 12)))
def test_what_the_prompt_holds_word_for_word_is_never_chosen(found: list[Hit], numbers: set[int]) -> None:
    told = {EntryId(f"entry-{number}") for number in numbers}
    chosen = choose(found, budget=10_000, most=8, count=length, told=told)
    assert not {one.memory.subject_id for one in chosen} & told


def test_a_pinned_memory_comes_before_a_better_one() -> None:
    chosen = choose([hit(1, "rain", 0.9), hit(2, "ferry", 0.0, mark="pinned")], budget=9, most=1, count=length)
    assert [one.memory.id for one in chosen] == [2]


def test_a_piece_longer_than_the_budget_makes_room_for_a_shorter_one() -> None:
    chosen = choose([hit(1, "rain " * 50, 0.9), hit(2, "ferry", 0.1)], budget=20, most=3, count=length)
    assert [one.memory.id for one in chosen] == [2]


def test_something_new_is_preferred_to_more_of_the_same() -> None:
    found = [
        hit(1, "the brass watch lay on the counter", 1.0),
        hit(2, "the brass watch lay by the window of the inn", 0.9),
        hit(3, "a letter came from the ferry", 0.85),
    ]
    assert [one.memory.id for one in choose(found, budget=99, most=2, count=length)] == [1, 3]


def test_a_question_is_the_readers_words_and_the_end_of_the_reply() -> None:
    assert question("Where is it?", "x" * 1000 + "gone") == "Where is it?\n" + ("x" * 1000 + "gone")[-240:]


def test_a_hit_tells_the_words_it_was_found_by() -> None:
    assert with_words(hit(1, "她把怀表推过柜台"), ["柜", "柜台", "渡口", "怀表"]).words == ("柜台", "怀表")


def test_the_note_says_from_which_turn_each_piece_comes() -> None:
    early = Hit(memory=Memory(id=9, text="It rained.", turn=3, depth=6))
    opening = Hit(memory=Memory(id=12, text="Good evening.", turn=0, depth=0))
    assert in_order([early, opening]) == (opening, early)
    assert memories_text([early, opening], "en").endswith("(the opening) Good evening.\n\n(turn 3) It rained.")
    assert "（第 3 回合） It rained." in memories_text([early], "zh")


def test_a_passage_says_from_which_document_it_comes() -> None:
    passage = Hit(memory=Memory(id=1, text="The ferry runs twice a day.", document_id="d", title="harbour.md"))
    assert knowledge_text([passage], "en").endswith("(harbour.md) The ferry runs twice a day.")


def test_nothing_found_adds_nothing_to_the_prompt() -> None:
    assert memories_text([], "en") == knowledge_text([], "zh") == ""
