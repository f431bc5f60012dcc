"""Undo and redo over the journal: what can be taken back, and what can be played again."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from liyuan.domain.entry import EntryId
from liyuan.domain.journal import GREETING, GROWTH, REDO, UNDO, Move, Possible, possible, steps


def journal(*causes: str) -> list[Move]:
    return [Move(EntryId(f"e{at}"), EntryId(f"e{at + 1}"), cause) for at, cause in enumerate(causes)]


def test_growing_at_the_end_is_nothing_to_take_back() -> None:
    assert possible([GREETING, GROWTH, GROWTH]) == Possible(undo=False, redo=False)


def test_a_move_can_be_taken_back_and_then_played_again() -> None:
    assert possible(["move"]) == Possible(undo=True, redo=False)
    assert possible(["move", UNDO]) == Possible(undo=False, redo=True)
    assert possible(["move", UNDO, REDO]) == Possible(undo=True, redo=False)


def test_a_new_move_ends_what_could_be_played_again_and_growth_does_not() -> None:
    assert possible(["move", UNDO, "swipe"]) == Possible(undo=True, redo=False)
    assert possible(["move", UNDO, GROWTH]) == Possible(undo=False, redo=True)


@given(st.lists(st.sampled_from([GROWTH, GREETING, UNDO, REDO, "move", "swipe"]), max_size=40))
def test_the_causes_alone_say_what_the_moves_say(causes: list[str]) -> None:
    whole = steps(journal(*causes))
    assert possible(causes) == Possible(undo=bool(whole.undo), redo=bool(whole.redo))
