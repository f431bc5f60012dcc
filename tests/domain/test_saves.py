"""What a new save becomes, by the tree of saves alone, and what the lines are called (semantics §7)."""

from __future__ import annotations

import pytest

from liyuan.domain.entry import SAVE, Draft, EntryId
from liyuan.domain.saves import (
    Forest,
    Plan,
    Save,
    arranged,
    comes_back,
    line_name,
    live_above,
    plan_below,
    save_data,
    save_of,
    strays,
    worldlines,
)

NAMES = {"w": "Main line", "x": "Other"}


def save(name: str, above: str | None, line: str = "w", *, gone: bool = False) -> Save:
    return Save(
        id=EntryId(name),
        above_id=EntryId(above) if above else None,
        worldline_id=line,
        name=name,
        deleted_at="2026-01-31T12:00:00Z" if gone else None,
    )


def forest(*saves: Save) -> Forest:
    return {one.id: one for one in saves}


def kind(known: Forest, nearest: str | None) -> str:
    return plan_below(known, EntryId(nearest) if nearest else None).kind


def test_where_nothing_is_saved_above_a_new_line_begins() -> None:
    assert kind({}, None) == "first"
    assert kind(forest(save("a", None)), None) == "first"


def test_a_line_goes_on_where_nothing_was_saved_below() -> None:
    assert kind(forest(save("a", None)), "a") == "sameLine"


def test_another_continuation_makes_a_fork() -> None:
    known = forest(save("a", None), save("b", "a"))
    made = plan_below(known, EntryId("a"))
    assert (made.kind, made.fork_source) == ("fork", "a")
    assert kind(known, "b") == "sameLine"


def test_deleted_saves_count_for_nothing() -> None:
    assert kind(forest(save("a", None), save("b", "a", gone=True)), "a") == "sameLine"
    assert kind(forest(save("a", None, gone=True)), "a") == "first"
    assert kind(forest(save("a", None), save("b", "a", gone=True), save("c", "b")), "a") == "fork"


def test_the_nearest_living_save_is_found_past_deleted_ones() -> None:
    known = forest(save("a", None), save("b", "a", gone=True), save("c", "b", gone=True))
    found = live_above(known, EntryId("c"))
    assert found is not None and found.id == "a"


def test_a_save_comes_back_to_its_own_line_while_that_lies_on_one_path() -> None:
    known = forest(save("a", None), save("b", "a", gone=True), save("c", "b"))
    assert comes_back(known, known[EntryId("b")]) is None


def test_where_the_line_has_gone_elsewhere_a_save_comes_back_as_a_fork() -> None:
    known = forest(save("a", None), save("b", "a", gone=True), save("c", "a"))
    back = comes_back(known, known[EntryId("b")])
    assert back is not None and (back.kind, back.fork_source) == ("fork", "a")


def test_the_rest_of_what_came_back_as_a_fork_goes_on_with_it() -> None:
    known = forest(save("a", None), save("b", "a", "x"), save("c", "b", gone=True), save("d", "a"))
    back = comes_back(known, known[EntryId("c")])
    assert back is not None and back.kind == "sameLine" and back.prev is not None and back.prev.worldline_id == "x"


def test_a_line_without_a_living_save_is_not_told() -> None:
    assert worldlines(forest(save("a", None, gone=True)), NAMES) == ()


def test_a_fork_leaves_from_the_nearest_living_save_above_it() -> None:
    known = forest(save("a", None), save("b", "a", gone=True), save("c", "b", "x"))
    main, other = worldlines(known, NAMES)
    assert (main.fork_source, other.fork_source, other.name) == (None, "a", "Other")


def test_saves_of_one_line_on_two_paths_are_strays() -> None:
    sound = forest(save("a", None), save("b", "a"), save("c", "a", "x"))
    assert list(strays(sound)) == []
    assert [one.id for one in strays({**sound, EntryId("d"): save("d", "a")})] == ["d"]


def test_strays_that_come_in_get_lines_of_their_own() -> None:
    known = arranged([save("a", None), save("b", "a"), save("c", "a"), save("d", "c"), save("e", "b")])
    assert list(strays(known)) == []
    assert [known[EntryId(key)].worldline_id for key in "abe"] == ["w", "w", "w"]
    assert len({known[EntryId(key)].worldline_id for key in "cd"}) == 2


def test_a_name_that_is_taken_is_numbered() -> None:
    first = Plan("first", None)
    assert line_name(first, (), "zh") == "主线"
    assert line_name(first, {"主线", "主线 2"}, "zh") == "主线 3"
    assert line_name(first, {"Main line"}, "en") == "Main line 2"


def test_a_fork_is_named_after_the_save_it_leaves_from() -> None:
    fork = Plan("fork", save("雨夜", None))
    assert line_name(fork, (), "zh") == "从「雨夜」分出 · 线2"
    assert line_name(fork, {"从「雨夜」分出 · 线2"}, "zh") == "从「雨夜」分出 · 线3"
    assert line_name(fork, (), "en") == "From “雨夜” · line 2"


def test_what_is_written_is_read_back() -> None:
    made = Plan("fork", save("a", None))
    data = save_data(save_id=EntryId("b"), name="two", worldline_id="x", worldline_name="Other", made=made)
    assert (data["parent_save_id"], data["fork_source"]) == ("a", "a")
    read = save_of(Draft(id=EntryId("b"), parent_id=None, kind=SAVE, data=data), EntryId("a"))
    assert (read.worldline_id, read.name, read.above_id, read.source) == ("x", "two", "a", "user")


@pytest.mark.parametrize("data", [{}, {"worldline_id": 7, "name": None, "source": []}])
def test_a_save_that_names_no_worldline_has_its_own(data: dict[str, object]) -> None:
    read = save_of(Draft(id=EntryId("b"), parent_id=None, kind=SAVE, data=data), None)
    assert (read.worldline_id, read.name, read.source) == ("b", "", "user")
