"""The picture of the worldlines keeps its rules for every history of saves."""

from __future__ import annotations

from itertools import combinations, pairwise

from hypothesis import given
from hypothesis import strategies as st

from liyuan.domain.metro import Metro, Stop, Track, lay_out


@st.composite
def histories(draw: st.DrawFn) -> list[Stop]:
    """Saves as play makes them: below a save one goes on along its line once, everything else forks."""
    stops: list[Stop] = []
    ends: set[str] = set()
    for number in range(draw(st.integers(0, 40))):
        name = f"s{number}"
        above = draw(st.sampled_from([None, *stops])) if stops else None
        goes_on = above is not None and above.id in ends and draw(st.booleans())
        line = above.line_id if above and goes_on else f"line of {name}"
        stops.append(Stop(name, above.id if above else None, line))
        ends = (ends - {above.id} if above and goes_on else ends) | {name}
    return stops


def height(row: int, nth: int = 0) -> float:
    """A fork leaves halfway to the next row, the further one a little higher."""
    return row + 0.5 - nth / 1000


@given(histories())
def test_no_two_stations_stand_on_one_another(stops: list[Stop]) -> None:
    places = [(station.row, station.lane) for station in lay_out(stops).stations]
    assert len(set(places)) == len(places)


@given(histories())
def test_every_stop_has_its_station_below_and_not_left_of_the_one_above(stops: list[Stop]) -> None:
    stations = {station.id: station for station in lay_out(stops).stations}
    assert list(stations) == [stop.id for stop in stops]
    for stop in stops:
        if stop.above_id:
            above, here = stations[stop.above_id], stations[stop.id]
            assert here.row == above.row + 1
            assert here.lane >= above.lane


@given(histories())
def test_a_line_goes_straight_down_and_a_fork_leaves_to_the_right(stops: list[Stop]) -> None:
    for track in lay_out(stops).tracks:
        assert track.end.row > track.start.row
        if track.is_fork:
            assert track.end.lane > track.start.lane
        else:
            assert track.end.lane == track.start.lane


@given(histories())
def test_every_stop_but_the_topmost_ones_is_reached_by_one_track(stops: list[Stop]) -> None:
    reached = [track.end.id for track in lay_out(stops).tracks]
    assert sorted(reached) == sorted(stop.id for stop in stops if stop.above_id)


@given(histories())
def test_no_two_tracks_cross(stops: list[Stop]) -> None:
    metro = lay_out(stops)
    for one, other in combinations(metro.tracks, 2):
        assert not crosses(one, other)
        assert not crosses(other, one)


def crosses(run: Track, track: Track) -> bool:
    """Whether the level part of a fork cuts through what another track has upright."""
    if not run.is_fork:
        return False
    level = height(run.start.row, run.nth)
    top = height(track.start.row, track.nth) if track.is_fork else track.start.row
    return run.start.lane < track.end.lane < run.end.lane and top < level < track.end.row


@given(histories())
def test_the_picture_is_no_larger_than_what_stands_in_it(stops: list[Stop]) -> None:
    metro = lay_out(stops)
    assert {station.lane for station in metro.stations} == set(range(metro.lanes))
    assert {station.row for station in metro.stations} == set(range(metro.rows))


@given(histories())
def test_the_same_saves_make_the_same_picture(stops: list[Stop]) -> None:
    assert lay_out(stops) == lay_out(list(stops))


def test_a_line_that_has_ended_leaves_its_lane_to_others() -> None:
    assert lanes(lay_out(chain("a", 0, 9, fork={7: "b", 1: "c"}))) == {"a": 0, "b": 1, "c": 1}


def test_of_two_forks_of_one_line_the_later_one_stands_nearer() -> None:
    long = chain("a", 0, 5, fork={1: "b", 3: "c"})
    assert lanes(lay_out([*long, Stop("b1", "b0", "b"), Stop("b2", "b1", "b")])) == {"a": 0, "b": 2, "c": 1}


def test_a_thousand_saves_that_all_fork_are_drawn() -> None:
    stops = [Stop(f"s{number}", f"s{number - 1}" if number else None, f"line {number}") for number in range(1000)]
    metro = lay_out(stops)
    assert (metro.rows, metro.lanes) == (1000, 1000)


def test_no_saves_make_no_picture() -> None:
    assert lay_out([]) == Metro((), (), 0, 0)


def chain(line: str, first: int, last: int, *, fork: dict[int, str]) -> list[Stop]:
    """A line of saves, and single saves that fork from some of them."""
    names = [f"{line}{number}" for number in range(first, last + 1)]
    straight = [Stop(names[0], None, line), *(Stop(name, above, line) for above, name in pairwise(names))]
    return [*straight, *(Stop(f"{name}0", f"{line}{number}", name) for number, name in fork.items())]


def lanes(metro: Metro) -> dict[str, int]:
    return {station.line_id: station.lane for station in metro.stations}
