"""Summaries (semantics §5): when they are due, what they cover, and that only the last one is in force."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from liyuan.domain.card import Language
from liyuan.domain.compaction import (
    PLACEHOLDERS,
    EmptySummary,
    Plan,
    in_force,
    is_due,
    opens_a_turn,
    parse_summary,
    plan,
    summary_data,
    summary_prompt,
    turns_since,
)
from liyuan.domain.entry import SUMMARY, Entry
from liyuan.domain.history import replay
from liyuan.domain.placeholders import Cast, named_in
from liyuan.domain.summary_phrases import SUMMARY_PHRASES
from tests.domain.paths import entry, ids, path

CAST = Cast(char="青梧", user="Mo")
STORY = "A0 U1 A1 W1 U2 A2 U3 A3 W3 U4 A4"


def due(**how: Any) -> bool:
    usual = {"prompt_tokens": 0, "window": 1000, "at": 0.8, "turns_since": 0, "every": 30}
    return is_due(**{**usual, **how})


def summarised(story: list[Entry], made: Plan, text: str = "So far.") -> list[Entry]:
    number = sum(one.kind == SUMMARY for one in story) + 1
    return [*story, entry(f"S{number}", story, **summary_data(text, made))]


def covered(story: list[Entry], keep: int, **how: Any) -> str:
    made = plan(story, keep, **how)
    return ids(made.covered) if made else ""


# --- when -----------------------------------------------------------------------------------------------------------


def test_it_is_due_when_the_prompt_passes_a_share_of_the_window() -> None:
    assert not due(prompt_tokens=800)
    assert due(prompt_tokens=801)


def test_it_is_due_after_so_many_turns() -> None:
    assert not due(turns_since=29)
    assert due(turns_since=30)


def test_zero_switches_either_off() -> None:
    assert not due(turns_since=10_000, every=0)
    assert not due(prompt_tokens=10_000, at=0)


def test_turns_are_counted_from_the_last_summary_written() -> None:
    story = path(STORY)
    assert turns_since(story) == 4
    made = plan(story, 2)
    assert made
    later = summarised(story, made)
    assert turns_since(later) == 0
    assert turns_since([*later, entry("U5", later)]) == 1


# --- what it covers -------------------------------------------------------------------------------------------------


def test_the_last_turns_stay_verbatim() -> None:
    assert covered(path(STORY), 2) == "A0 U1 A1 U2 A2"
    assert covered(path(STORY), 3) == "A0 U1 A1"


@pytest.mark.parametrize("keep", [4, 5, 100])
def test_there_is_nothing_to_do_while_the_story_is_short(keep: int) -> None:
    assert plan(path(STORY), keep) is None
    assert plan([], keep) is None


def test_nothing_kept_means_all_settled_turns() -> None:
    assert covered(path("A0 U1 A1 U2 A2"), 0) == "A0 U1 A1 U2 A2"
    assert covered(path("A0 U1 A1 U2"), 0) == "A0 U1 A1"
    assert covered(path("A0"), 0) == ""


def test_it_covers_what_is_told_and_passes_over_other_kinds() -> None:
    assert covered(path("A0 U1 W1 A1 B1 V1 U2 A2"), 1) == "A0 U1 A1 B1"


def test_a_cut_never_falls_between_a_tool_call_and_its_result() -> None:
    assert covered(path("U1 T1 R1 A1 U2 T2 R2 A2 U3 A3"), 2) == "U1 T1 R1 A1"
    assert covered(path("U1 A1 U2 T2 U3 R2 A3 U4 A4"), 2) == "U1 A1"
    assert covered(path("U1 T1 U2 R1 A2 U3 A3"), 2) == ""


def test_a_tools_result_opens_no_turn() -> None:
    assert [one.id for one in path("U1 T1 R1 A1") if opens_a_turn(one)] == ["U1"]


def test_the_next_summary_begins_where_the_one_in_force_ends_and_takes_it_in() -> None:
    story = path(STORY)
    first = plan(story, 2)
    assert first
    later = summarised(story, first)
    later = [*later, entry("U5", later)]
    later = [*later, entry("A5", later)]
    second = plan(later, 2)
    assert second
    assert ids(second.covered) == "U3 A3"
    assert second.previous is not None and second.previous.id == "S1"
    assert (first.turns, second.turns) == (2, 3)


def test_a_long_stretch_is_taken_piece_by_piece() -> None:
    one_each = {"size": lambda entry: 1}
    assert covered(path(STORY), 1, limit=4, **one_each) == "A0 U1 A1"
    assert covered(path(STORY), 1, limit=5, **one_each) == "A0 U1 A1 U2 A2"
    assert covered(path(STORY), 1, limit=1, **one_each) == "A0 U1 A1"
    assert covered(path(STORY), 1, limit=100, **one_each) == "A0 U1 A1 U2 A2 U3 A3"


# --- in force -------------------------------------------------------------------------------------------------------


def test_only_the_last_summary_on_the_path_is_in_force() -> None:
    story = path(STORY)
    first = plan(story, 3)
    assert first
    once = summarised(story, first, "first")
    second = plan(once, 2)
    assert second
    twice = summarised(once, second, "second")
    assert in_force(twice) is twice[-1]
    assert replay(twice).summary == "second"


def test_going_back_above_it_brings_the_full_text_back() -> None:
    story = path(STORY)
    made = plan(story, 2)
    assert made
    assert in_force(summarised(story, made)[: len(story)]) is None
    assert covered(summarised(story, made)[: len(story)], 2) == covered(story, 2)


def test_a_summary_without_text_puts_those_above_it_out_of_force() -> None:
    story = path(STORY)
    made = plan(story, 2)
    assert made
    later = summarised(story, made)
    removed = [*later, entry("S2", later, text="", covers_through_id=None, turns=0)]
    assert in_force(removed) is None
    assert turns_since(removed) == 0
    assert covered(removed, 2) == covered(story, 2)


def test_the_data_of_an_entry_has_the_keys_of_the_conversation_file() -> None:
    made = plan(path(STORY), 2)
    assert made
    assert summary_data("So far.", made) == {"text": "So far.", "covers_through_id": "A2", "turns": 2}


# --- for every story ------------------------------------------------------------------------------------------------

turns = st.lists(st.sampled_from(("U A", "U T R A", "U", "U A W", "U A V", "U W A B", "U T U R A")), max_size=12)


def told(parts: list[str]) -> list[Entry]:
    letters = " ".join(["A", *parts]).split()
    calls, names = [], []
    for number, letter in enumerate(letters):
        if letter == "T":
            calls.append(number)
        names.append(f"{letter}{calls.pop() if letter == 'R' and calls else number}")
    return path(names)


@given(st.lists(st.tuples(turns, st.integers(0, 4), st.sampled_from((0, 1, 3, 8))), max_size=5))
def test_no_two_runs_summarise_the_same_stretch_on_one_path(stages: list[tuple[list[str], int, int]]) -> None:
    story = told([])
    done: list[str] = []
    for number, (parts, keep, limit) in enumerate(stages):
        for one in told(parts)[1:]:
            story.append(entry(f"{one.id}.{number}", story, **one.data))
        made = plan(story, keep, size=lambda entry: 1, limit=limit)
        if made:
            done += [one.id for one in made.covered]
            story = summarised(story, made)
        assert len(done) == len(set(done))
        unread = [line.entry_id for line in replay(story).lines]
        assert [*done, *unread] == [one.id for one in story if one.kind in ("message", "branch-summary")]


@given(turns, st.integers(0, 6))
def test_every_cut_lies_between_turns_and_keeps_what_is_to_be_kept(parts: list[str], keep: int) -> None:
    story = told(parts)
    made = plan(story, keep)
    if made is None:
        return
    kept = [one for one in story[story.index(made.covered[-1]) + 1 :] if one.kind in ("message", "branch-summary")]
    assert not kept or opens_a_turn(kept[0])
    assert sum(map(opens_a_turn, kept)) >= keep
    assert sum(map(opens_a_turn, made.covered)) == made.turns >= 1
    called = {call["id"] for one in made.covered for call in one.data.get("tool_calls", ())}
    assert not called & {call["id"] for one in kept for call in one.data.get("tool_results", ())}


# --- what is asked --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("language", ["en", "zh"])
def test_the_summary_in_force_and_what_followed_are_asked_to_be_one(language: Language) -> None:
    lines = replay(path("U1 A1")).lines
    (_, instruction), (_, work) = summary_prompt("Once.", lines, cast=CAST, language=language)
    assert "青梧" in instruction and "Mo" in instruction
    assert "Once." in work
    assert "Mo: text of U1\n\n青梧: text of A1" in work
    assert "{{" not in instruction + work
    words = SUMMARY_PHRASES[language]
    assert named_in(words.instruction) | named_in(words.branch) <= set(PLACEHOLDERS)


def test_a_first_summary_names_no_earlier_one() -> None:
    (_, work) = summary_prompt("", replay(path("U1 A1")).lines, cast=CAST)[1]
    assert "summary so far" not in work


def test_the_thinking_of_a_model_is_no_summary() -> None:
    assert parse_summary("<think>hm</think>\n She left. ") == "She left."
    with pytest.raises(EmptySummary):
        parse_summary("<think>She left.")
