"""A stored world is read whole or not at all, and comes back equal."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given

from liyuan.domain.world import EMPTY, BrokenSnapshot, Character, WorldState, parse_world, world_to_json
from tests.domain.worlds import any_json, worlds


@given(worlds())
def test_a_world_comes_back_from_its_json(world: WorldState) -> None:
    assert parse_world(json.loads(json.dumps(world_to_json(world)))) == world


def test_missing_fields_and_nulls_are_empty() -> None:
    assert parse_world({}) == EMPTY
    assert parse_world({"time": None, "characters": None, "inventory": None, "roster": {"items": None}}) == EMPTY


def test_unknown_keys_are_kept() -> None:
    state = {"weather": {"now": "rain"}, "characters": {"Alice": {"stats": {"str": 3}}}}
    kept = world_to_json(parse_world(state))
    assert kept["weather"] == {"now": "rain"}
    assert kept["characters"]["Alice"]["stats"] == {"str": 3}


@pytest.mark.parametrize(("told", "kept"), [(150, 100), (-1e9, -100), (10**400, 100), (12.0, 12), (None, 0)])
def test_a_stored_affinity_is_clamped(told: Any, kept: int) -> None:
    assert parse_world({"characters": {"Alice": {"affinity": told}}}).characters["Alice"] == Character(affinity=kept)


@pytest.mark.parametrize(
    ("state", "field"),
    [
        ([], "state"),
        ("dusk", "state"),
        ({"time": 3}, "time"),
        ({"characters": ["Alice"]}, "characters"),
        ({"characters": {"Alice": "calm"}}, "characters.Alice"),
        ({"characters": {"Alice": {"affinity": "fond"}}}, "characters.Alice.affinity"),
        ({"characters": {"Alice": {"affinity": float("nan")}}}, "characters.Alice.affinity"),
        ({"inventory": "rope"}, "inventory"),
        ({"inventory": [1]}, "inventory"),
        ({"flags": []}, "flags"),
        ({"relationships": {"Alice": 1}}, "relationships"),
        ({"relationships": [{"a": 1}]}, "relationships.a"),
        ({"roster": {"items": ["rope"]}}, "roster.items"),
    ],
)
def test_a_world_of_another_shape_is_broken_and_names_the_field(state: Any, field: str) -> None:
    with pytest.raises(BrokenSnapshot) as raised:
        parse_world(state)
    assert raised.value.fields["field"] == field


@given(any_json)
def test_any_json_is_a_world_or_broken_and_nothing_else(state: Any) -> None:
    try:
        world = parse_world(state)
    except BrokenSnapshot:
        return
    assert parse_world(world_to_json(world)) == world


def test_everybody_known_is_named_once_those_present_first() -> None:
    world = parse_world({"characters": {"青梧": {}}, "roster": {"characters": {"Alice": "", "青梧": ""}}})
    assert world.names == ("青梧", "Alice")
