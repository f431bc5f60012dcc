"""Links that do not add up to a tree are named one by one, and whatever hangs on them goes with them (semantics §1)."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from liyuan.domain.entry import ASSISTANT, MESSAGE, SETTING, USER, EntryId
from liyuan.domain.soundness import (
    BELOW_A_FAULT,
    CIRCLE,
    DUPLICATE,
    MISSING_PARENT,
    SECOND_ROOT,
    SELF_PARENT,
    Sifted,
    sift,
)
from liyuan.domain.tree import Node


def node(entry_id: str, parent_id: str | None = None, kind: str = MESSAGE, role: str | None = USER) -> Node:
    return Node(EntryId(entry_id), EntryId(parent_id) if parent_id else None, kind, role)


def reasons(sifted: Sifted) -> dict[int, str]:
    return {index: why.template for index, why in sifted.faults.items()}


def test_a_sound_tree_keeps_its_order() -> None:
    sifted = sift([node("a"), node("b", "a"), node("c", "a"), node("d", "b")])
    assert sifted.order == (0, 1, 2, 3)
    assert sifted.faults == {}


def test_a_line_may_come_before_its_parents() -> None:
    sifted = sift([node("d", "b"), node("b", "a"), node("c", "a"), node("a"), node("e", "a")])
    assert sifted.order == (3, 1, 0, 2, 4)
    assert sifted.faults == {}


def test_of_two_entries_with_one_id_the_first_stands() -> None:
    sifted = sift([node("a"), node("b", "a"), node("b"), node("c", "b")])
    assert sifted.order == (0, 1, 3)
    assert reasons(sifted) == {2: DUPLICATE}


def test_a_missing_parent_costs_everything_below_it() -> None:
    sifted = sift([node("a"), node("c", "b"), node("d", "c"), node("e", "a")])
    assert sifted.order == (0, 3)
    assert reasons(sifted) == {1: MISSING_PARENT, 2: BELOW_A_FAULT}


def test_an_entry_cannot_be_its_own_parent() -> None:
    sifted = sift([node("a"), node("b", "b"), node("c", "b")])
    assert reasons(sifted) == {1: SELF_PARENT, 2: BELOW_A_FAULT}


def test_a_circle_is_told_from_what_hangs_on_it() -> None:
    sifted = sift([node("x", "z"), node("y", "x"), node("z", "y"), node("below", "y"), node("a")])
    assert sifted.order == (4,)
    assert reasons(sifted) == {0: CIRCLE, 1: CIRCLE, 2: CIRCLE, 3: BELOW_A_FAULT}


def test_greetings_and_first_messages_stand_side_by_side() -> None:
    roots = [node("a", role=ASSISTANT), node("b", role=ASSISTANT), node("c", role=USER)]
    assert sift(roots).order == (0, 1, 2)


def test_a_root_of_another_kind_beside_messages_is_a_second_story() -> None:
    sifted = sift([node("a"), node("b", kind=SETTING), node("c", "b"), node("d")])
    assert sifted.order == (0, 3)
    assert reasons(sifted) == {1: SECOND_ROOT, 2: BELOW_A_FAULT}


def test_a_root_of_another_kind_stands_alone() -> None:
    sifted = sift([node("a", kind=SETTING), node("b", "a"), node("c")])
    assert sifted.order == (0, 1)
    assert reasons(sifted) == {2: SECOND_ROOT}


ids = st.sampled_from("abcdefgh")
nodes = st.lists(st.builds(node, ids, st.none() | ids, st.sampled_from([MESSAGE, MESSAGE, SETTING])), max_size=12)


@given(nodes)
def test_any_links_part_into_a_forest_and_faults(links: list[Node]) -> None:
    sifted = sift(links)
    assert sorted([*sifted.order, *sifted.faults]) == list(range(len(links)))
    seen: set[EntryId] = set()
    for index in sifted.order:
        entry = links[index]
        assert entry.id not in seen
        assert entry.parent_id is None or entry.parent_id in seen
        seen.add(entry.id)


@given(st.data(), nodes)
def test_siblings_keep_the_order_of_the_lines(data: st.DataObject, links: list[Node]) -> None:
    shuffled = data.draw(st.permutations(links))
    order = sift(shuffled).order
    for parent in {entry.parent_id for entry in links}:
        siblings = [index for index in order if shuffled[index].parent_id == parent]
        assert siblings == sorted(siblings)


def test_a_long_line_and_a_long_circle_are_no_trouble() -> None:
    line = [node(str(depth), str(depth - 1) if depth else None) for depth in range(20_000)]
    assert sift(line[::-1]).order == tuple(range(19_999, -1, -1))
    circle = [node("0", "19999"), *line[1:]]
    assert len(sift(circle).faults) == 20_000
