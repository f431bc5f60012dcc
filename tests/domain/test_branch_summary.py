"""Leaving a branch (semantics §5): it covers old leaf back to the common ancestor, stopping at a summary."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from liyuan.domain.branch_summary import abandoned, branch_summary_data, branch_summary_prompt
from liyuan.domain.card import Language
from liyuan.domain.entry import Entry, EntryId
from liyuan.domain.history import replay
from liyuan.domain.placeholders import Cast
from tests.domain.paths import entry, ids, path

CAST = Cast(char="青梧", user="Mo")


def with_summary(story: list[Entry], covers: str, text: str = "So far.") -> list[Entry]:
    return [*story, entry("S1", story, text=text, covers_through_id=covers, turns=1)]


def going_on(story: list[Entry], names: str) -> list[Entry]:
    for name in names.split():
        story = [*story, entry(name, story)]
    return story


def test_it_covers_the_old_leaf_back_to_the_common_ancestor() -> None:
    assert ids(abandoned(path("A0 U1 A1 U2 W2 A2"), path("A0 U1 A1x"))) == "A1 U2 A2"


def test_leaves_without_a_common_ancestor_leave_everything_behind() -> None:
    assert ids(abandoned(path("A0 U1 A1"), path("A0x"))) == "A0 U1 A1"


def test_it_stops_at_a_summary_which_stands_for_what_it_covers() -> None:
    old = going_on(with_summary(path("A0 U1 A1 U2 A2 U3 A3"), "A2"), "U4 A4")
    assert ids(abandoned(old, path("A0 U1x"))) == "S1 U3 A3 U4 A4"


def test_a_summary_above_the_common_ancestor_is_no_part_of_it() -> None:
    shared = with_summary(path("A0 U1 A1"), "A1")
    assert ids(abandoned(going_on(shared, "U2 A2"), going_on(shared, "U2x"))) == "U2 A2"


def test_what_lies_above_the_common_ancestor_is_not_told_again() -> None:
    old = going_on(with_summary(path("A0 U1 A1 U2 A2"), "A0"), "U3")
    assert ids(abandoned(old, path("A0 U1 A1 U2"))) == "S1 A2 U3"


@pytest.mark.parametrize("to", ["A0 U1 A1", "A0 U1 A1 U2 A2"])
def test_going_on_below_the_old_leaf_leaves_nothing_behind(to: str) -> None:
    assert abandoned(path("A0 U1 A1"), path(to)) == ()


@given(st.integers(0, 6), st.integers(0, 6), st.integers(0, 6))
def test_from_id_is_never_the_parent(shared: int, old: int, new: int) -> None:
    trunk = path(f"A{number}" for number in range(shared))
    left = going_on(trunk, " ".join(f"U{number}" for number in range(old)))
    reached = going_on(trunk, " ".join(f"U{number}x" for number in range(new)))
    behind = abandoned(left, reached)
    assert len(behind) == old
    if behind:
        assert left[-1].id not in {one.id for one in reached}


@pytest.mark.parametrize("language", ["en", "zh"])
def test_a_reminder_is_asked_for(language: Language) -> None:
    messages = branch_summary_prompt("Once.", replay(path("U1 A1")).lines, cast=CAST, language=language)
    assert "Once." in messages[1][1] and "Mo: text of U1" in messages[1][1]
    assert "{{" not in messages[0][1] + messages[1][1]


def test_the_data_of_an_entry_has_the_keys_of_the_conversation_file() -> None:
    assert branch_summary_data("They drowned.", EntryId("A2")) == {"text": "They drowned.", "from_id": "A2"}
