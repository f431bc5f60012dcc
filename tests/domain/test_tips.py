"""The journal alone tells where the reader was on every side of every parting."""

from __future__ import annotations

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from liyuan.domain.entry import EntryId
from liyuan.domain.journal import GROWTH, Move
from liyuan.domain.tips import tips_of
from liyuan.domain.tree import Node, path_to


def tree(*links: tuple[str, str | None]) -> list[Node]:
    return [Node(EntryId(key), EntryId(parent) if parent else None) for key, parent in links]


def moves(*stops: str | None) -> list[Move]:
    ids = [EntryId(stop) if stop else None for stop in (None, *stops)]
    return [Move(start, end, "move") for start, end in pairwise(ids)]


SWIPED = tree(("u", None), ("a", "u"), ("b", "a"), ("a2", "u"), ("c", "a2"))


def test_the_side_that_is_left_remembers_its_leaf() -> None:
    assert tips_of(SWIPED, moves("b", "a2")) == {"a": "b"}


def test_the_side_that_is_entered_forgets_it() -> None:
    assert tips_of(SWIPED, moves("b", "c", "b")) == {"a2": "c"}


def test_a_note_moves_down_to_where_its_way_parts() -> None:
    assert tips_of(SWIPED, moves("b", "c", "a")) == {"a2": "c", "b": "b"}


def test_going_up_remembers_what_is_below() -> None:
    assert tips_of(SWIPED, moves("b", "u")) == {"a": "b"}


def test_a_story_that_grows_at_its_end_leaves_nothing() -> None:
    grown = [Move(None, EntryId("u"), GROWTH), Move(EntryId("u"), EntryId("a"), GROWTH)]
    assert tips_of(SWIPED, grown) == {}


def test_a_swipe_is_growth_that_leaves_a_side() -> None:
    assert tips_of(SWIPED, [Move(EntryId("b"), EntryId("a2"), GROWTH)]) == {"a": "b"}


@given(st.data())
def test_the_notes_lead_to_where_one_last_was_below_any_entry(data: st.DataObject) -> None:
    size = data.draw(st.integers(1, 40))
    parents = [None, *(data.draw(st.none() | st.integers(0, i - 1)) for i in range(1, size))]
    nodes = tree(*((str(i), None if parent is None else str(parent)) for i, parent in enumerate(parents)))
    stops = data.draw(st.lists(st.integers(0, size - 1).map(str), min_size=1, max_size=20))
    tips = tips_of(nodes, moves(*stops))
    skeleton = {node.id: node for node in nodes}
    for node in nodes:
        visited = [stop for stop in stops if node.id in path_to(skeleton, EntryId(stop))]
        if visited:
            assert follow(skeleton, tips, EntryId(stops[-1]), node.id) == visited[-1]


def follow(
    skeleton: dict[EntryId, Node], tips: dict[EntryId, EntryId], leaf: EntryId, wanted: EntryId
) -> EntryId | None:
    """From the leaf over the notes at each parting, until the way holds `wanted`."""
    here: EntryId | None = leaf
    while here is not None and wanted not in path_to(skeleton, here):
        ours = set(path_to(skeleton, here))
        here = tips.get(next(key for key in path_to(skeleton, wanted) if key not in ours))
    return here
