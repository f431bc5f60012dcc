"""The picture of relationships: readable, within its frame, and the same for the same relationships."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from liyuan.domain.world import Relationship
from liyuan.web.graph import MOST, Graph, graph_of

NAMES = st.text(alphabet="abc青梧沈九 W", min_size=1, max_size=14)
RELATIONSHIPS = st.lists(
    st.builds(Relationship, a=NAMES, b=NAMES, relation=NAMES, affinity=st.integers(-100, 100)), max_size=14
)


def test_two_people_stand_side_by_side() -> None:
    graph = graph_of([Relationship(a="Ash", b="Bo", relation="friends", affinity=20)])
    assert graph is not None
    assert [knot.name for knot in graph.knots] == ["Ash", "Bo"]
    assert graph.knots[0].y == graph.knots[1].y
    assert [(bow.words, bow.feeling) for bow in graph.bows] == [("friends", "warm")]


def test_there_and_back_do_not_lie_upon_each_other() -> None:
    graph = graph_of([Relationship(a="Ash", b="Bo", relation="x"), Relationship(a="Bo", b="Ash", relation="y")])
    assert graph is not None
    there, back = graph.bows
    assert abs(there.y - back.y) > 10


def test_of_three_the_ways_there_and_back_are_apart_too() -> None:
    ring = [Relationship(a="Ash", b="Bo"), Relationship(a="Bo", b="Cy"), Relationship(a="Cy", b="Bo", relation="z")]
    graph = graph_of(ring)
    assert graph is not None
    _, there, back = graph.bows
    assert abs(there.x - back.x) + abs(there.y - back.y) > 10


def test_nobody_has_no_picture() -> None:
    assert graph_of([]) is None


@given(RELATIONSHIPS)
def test_every_label_lies_within_the_frame(relationships: list[Relationship]) -> None:
    graph = graph_of(relationships)
    if graph is None:
        return
    assert len(graph.knots) <= MOST
    for knot in graph.knots:
        assert knot.left >= 0 and knot.left + knot.width <= graph.width
        assert knot.top >= 0 and knot.top + knot.height <= graph.height


@pytest.mark.parametrize("count", range(2, MOST + 1))
def test_the_widest_names_stand_apart(count: int) -> None:
    names = ["沈" * 7 + str(number) for number in range(count)]
    apart([Relationship(a=a, b=b) for a, b in pairwise(names)])


@given(RELATIONSHIPS)
def test_no_label_covers_another(relationships: list[Relationship]) -> None:
    apart(relationships)


def apart(relationships: list[Relationship]) -> None:
    graph = graph_of(relationships)
    for at, knot in enumerate(graph.knots if graph else ()):
        assert isinstance(graph, Graph)
        for other in graph.knots[at + 1 :]:
            apart_across = abs(knot.x - other.x) >= (knot.width + other.width) / 2
            apart_down = abs(knot.y - other.y) >= knot.height
            assert apart_across or apart_down
