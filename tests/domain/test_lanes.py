"""The boxes of a tree: everything is in one of them, forks step in, and what is not a fork does not."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from liyuan.domain.lanes import Box, Growth, boxes_of


@st.composite
def trees(draw: st.DrawFn) -> list[Growth]:
    """Runs as the store keeps them: each grows from an entry of an earlier one, or begins the story."""
    runs: list[Growth] = []
    for key in range(1, draw(st.integers(1, 25)) + 1):
        above = draw(st.sampled_from([None, *runs])) if runs else None
        first = draw(st.integers(above.first, above.last)) + 1 if above else 0
        runs.append(Growth(key, first, first + draw(st.integers(0, 5)), above.run_id if above else None))
    return runs


def way_to(runs: list[Growth], end: Growth) -> dict[int, int]:
    known = {run.run_id: run for run in runs}
    way, depth, here = {}, end.last, end
    while True:
        way[here.run_id] = depth
        if here.above is None:
            return way
        depth, here = here.first - 1, known[here.above]


@given(trees())
def test_every_entry_is_in_one_box(runs: list[Growth]) -> None:
    held = [
        (part.run_id, depth)
        for box in boxes_of(runs, {})
        for part in box.parts
        for depth in range(part.first, part.last + 1)
    ]
    assert sorted(held) == [(run.run_id, depth) for run in runs for depth in range(run.first, run.last + 1)]


@given(trees())
def test_what_is_above_comes_before(runs: list[Growth]) -> None:
    seen: set[tuple[int, int]] = set()
    grown_from = {(run.run_id, run.first): (run.above, run.first - 1) for run in runs}
    for box in boxes_of(runs, {}):
        for part in box.parts:
            above = grown_from.get((part.run_id, part.first), (part.run_id, part.first - 1))
            assert above[0] is None or above in seen
            seen |= {(part.run_id, depth) for depth in range(part.first, part.last + 1)}


@given(trees(), st.data())
def test_the_readers_way_keeps_the_first_lane(runs: list[Growth], data: st.DataObject) -> None:
    way = way_to(runs, data.draw(st.sampled_from(runs)))
    on_way = [box for box in boxes_of(runs, way) if box.is_on_way]
    assert on_way
    assert {box.indent for box in on_way} == {0}


@given(trees())
def test_a_box_ends_where_ways_part_or_the_story_ends(runs: list[Growth]) -> None:
    assert all(box.ways != 1 for box in boxes_of(runs, {}))


@given(trees(), st.data())
def test_what_was_deleted_is_marked_with_all_that_grows_there(runs: list[Growth], data: st.DataObject) -> None:
    cut = data.draw(st.sampled_from(runs))
    depth = data.draw(st.integers(cut.first, cut.last))
    below = {cut.run_id: depth}
    for run in runs:
        if run.above in below and run.first > below[run.above]:
            below[run.run_id] = run.first
    for box in boxes_of(runs, {}, {cut.run_id: depth}):
        for part in box.parts:
            assert box.is_pruned == (part.first >= below.get(part.run_id, part.last + 1))


@given(trees(), st.data())
def test_the_same_tree_is_drawn_the_same_way(runs: list[Growth], data: st.DataObject) -> None:
    assert boxes_of(runs, {}) == boxes_of(data.draw(st.permutations(runs)), {})


def test_a_reply_that_waits_in_a_run_of_its_own_is_no_fork() -> None:
    assert drawn(Growth(1, 0, 8, None), Growth(2, 9, 9, 1)) == ["line 0 10"]


def test_tellings_that_nobody_followed_share_a_box() -> None:
    swipes = [Growth(key, 3, 3, 1) for key in (2, 3, 4)]
    assert drawn(Growth(1, 0, 9, None), *swipes) == ["line 0 3", "tellings 1 3", "line 0 7"]


def test_another_line_steps_in_above_the_way_that_goes_on() -> None:
    assert drawn(Growth(1, 0, 9, None), Growth(2, 3, 8, 1)) == ["line 0 3", "line 1 6", "line 0 7"]


def test_greetings_stand_side_by_side() -> None:
    assert drawn(Growth(1, 0, 4, None), Growth(2, 0, 0, None)) == ["line 0 5", "line 0 1"]


def test_a_hundred_thousand_forks_are_no_staircase() -> None:
    runs = [Growth(1, 0, 100_000, None), *(Growth(key, key, key + 2, 1) for key in range(2, 100_000, 50))]
    assert max(box.indent for box in boxes_of(runs, {1: 100_000})) == 1


def drawn(*runs: Growth) -> list[str]:
    return [line(box) for box in boxes_of(runs, {})]


def line(box: Box) -> str:
    return f"{box.kind} {box.indent} {box.length}"
