"""Names are matched without case and outer spaces, and the first spelling stays (semantics §3)."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from liyuan.domain.names import fold, one_line, spelling, without_count


@pytest.mark.parametrize("name", ["Alice", " alice", "ALICE\n"])
def test_the_first_spelling_stays(name: str) -> None:
    assert spelling(name, ["Bertram", "Alice", "alice"]) == "Alice"


def test_a_new_name_is_taken_as_it_is_told_without_outer_spaces() -> None:
    assert spelling(" 青梧 ", ["Alice"]) == "青梧"


def test_two_ways_to_write_an_accent_are_one_name() -> None:
    assert spelling("Rene\u0301e", ["Ren\u00e9e"]) == "Ren\u00e9e"


@given(st.text(max_size=8), st.lists(st.text(max_size=8), max_size=4))
def test_a_spelling_means_the_same_name(name: str, known: list[str]) -> None:
    assert fold(spelling(name, known)) == fold(name)


def test_a_line_is_one_line() -> None:
    assert one_line(" a\n\n b\tc ") == "a b c"


@pytest.mark.parametrize(
    ("item", "thing"),
    [
        ("needle ×3", "needle"),
        ("needle x 12", "needle"),
        ("银针×3", "银针"),
        ("丹药（3）", "丹药"),
        ("rope (2)", "rope"),
        ("rope", "rope"),
        ("letter (sealed)", "letter (sealed)"),
        ("x2", "x2"),
    ],
)
def test_a_thing_is_the_same_thing_however_many_there_are(item: str, thing: str) -> None:
    assert without_count(item) == thing
