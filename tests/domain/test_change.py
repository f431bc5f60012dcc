"""What differs between two worlds, as values a person can be shown."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given

from liyuan.domain.change import Change, change_to_json, diff, is_pinned, leaves, parse_change, tree_of, world_of
from liyuan.domain.world import EMPTY, WorldState, parse_world
from tests.domain.worlds import worlds


@given(worlds())
def test_a_world_does_not_differ_from_itself(world: WorldState) -> None:
    assert diff(world, world) == ()


@given(worlds(), worlds())
def test_every_difference_is_told_and_only_those(one: WorldState, other: WorldState) -> None:
    there = {change.path: (change.before, change.after) for change in diff(one, other)}
    back = {change.path: (change.after, change.before) for change in diff(other, one)}
    assert there == back
    assert bool(there) == (written(one) != written(other))


def written(world: WorldState) -> str:
    return json.dumps(tree_of(world), sort_keys=True)


@given(worlds())
def test_a_tree_is_the_same_world(world: WorldState) -> None:
    assert world_of(tree_of(world)) == world


def test_two_relationships_of_one_pair_are_both_kept() -> None:
    pair = {"a": "A", "b": "B"}
    world = parse_world({"relationships": [{**pair, "relation": "kin"}, {**pair, "relation": "rivals"}]})
    assert world_of(tree_of(world)) == world


def test_yes_is_not_one() -> None:
    one, other = parse_world({"flags": {"open": True}}), parse_world({"flags": {"open": 1}})
    assert diff(one, other) == (Change(("flags", "open"), True, 1),)


def test_a_field_can_be_looked_up_along_a_branch_by_its_dotted_path() -> None:
    world = parse_world({"characters": {"Dr. Watson": {"affinity": 4}}, "relationships": [{"a": "A", "b": "B"}]})
    assert leaves(world)["characters.Dr. Watson.affinity"] == 4
    assert leaves(world)["relationships.A → B.affinity"] == 0
    assert leaves(EMPTY)["inventory"] == []


@pytest.mark.parametrize(
    ("pin", "path", "pinned"),
    [
        ("location", ("location",), True),
        (" Location ", ("location",), True),
        ("characters.alice", ("characters", "Alice", "affinity"), True),
        ("characters.Dr. Watson.affinity", ("characters", "Dr. Watson", "affinity"), True),
        ("characters.Dr", ("characters", "Dr. Watson", "affinity"), False),
        ("characters.Alice.affinity", ("characters", "Alice", "status"), False),
        ("loc", ("location",), False),
    ],
)
def test_a_pin_holds_its_field_and_what_is_in_it(pin: str, path: tuple[str, ...], pinned: bool) -> None:
    assert is_pinned(path, [pin]) is pinned


@given(worlds(), worlds())
def test_a_change_comes_back_from_its_json(one: WorldState, other: WorldState) -> None:
    assert all(parse_change(change_to_json(change)) == change for change in diff(one, other))


@pytest.mark.parametrize("data", [None, "time", {}, {"path": []}, {"path": [1]}, {"path": {"time": 1}}])
def test_a_change_that_cannot_be_read_is_none(data: Any) -> None:
    assert parse_change(data) is None


def test_a_dotted_path_from_elsewhere_is_taken() -> None:
    assert parse_change({"path": "flags.open", "before": 1, "after": 2}) == Change(("flags", "open"), 1, 2)
