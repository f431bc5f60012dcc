"""Cards may declare more fields: name, type, limits, how to show it. Read with tolerance, each oddity noted."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given

from liyuan.domain.fields import MOST, Field, parse_fields
from tests.domain.worlds import any_json


def declared(*fields: Any) -> tuple[tuple[Field, ...], list[str]]:
    read, notes = parse_fields({"liyuan": {"fields": list(fields)}})
    return read, [str(note) for note in notes]


def test_a_field_has_a_name_a_type_limits_and_a_way_to_be_shown() -> None:
    told = {"name": "hp", "type": "bar", "label": "Health", "min": 0, "max": 20, "show": "number", "about": "wounds"}
    assert declared(told) == (
        (Field(name="hp", type="bar", label="Health", min=0, max=20, show="number", about="wounds"),),
        [],
    )


def test_a_field_without_a_type_is_a_text_under_its_own_name() -> None:
    assert declared({"name": " 心情 "})[0] == (Field(name="心情", label="心情"),)


def test_a_bar_goes_from_0_to_100_unless_told() -> None:
    ((bar,), _) = declared({"name": "hp", "type": "bar"})
    assert (bar.min, bar.max, bar.show) == (0, 100, "bar")


def test_fields_may_be_written_by_name() -> None:
    read, notes = parse_fields({"liyuan": {"fields": {"hp": {"type": "number"}, "mood": None}}})
    assert [field.name for field in read] == ["hp", "mood"]
    assert notes == ()


def test_a_field_can_be_hidden_from_the_panel() -> None:
    assert declared({"name": "secret", "show": False})[0][0].show == "hidden"


@pytest.mark.parametrize(
    ("told", "kept", "said"),
    [
        ("hp", 0, "not written as an object"),
        ({"type": "bar"}, 0, "not written as an object"),
        ({"name": "Location"}, 0, "name is taken"),
        ({"name": "hp", "type": "colour"}, 1, "unknown type"),
        ({"name": "hp", "type": "number", "min": "low"}, 1, "not a number"),
        ({"name": "hp", "type": "number", "max": 10**400}, 1, "not a number"),
        ({"name": "hp", "type": "bar", "min": 9, "max": 1}, 1, "wrong way round"),
        ({"name": "hp", "show": "hologram"}, 1, "shown by its type"),
    ],
)
def test_an_odd_field_leaves_a_note(told: Any, kept: int, said: str) -> None:
    read, notes = declared(told)
    assert len(read) == kept
    assert said in notes[0]


def test_two_fields_of_one_name_are_one() -> None:
    read, notes = declared({"name": "hp"}, {"name": "HP "})
    assert [field.name for field in read] == ["hp"]
    assert len(notes) == 1


def test_there_is_an_end_to_fields() -> None:
    read, notes = declared(*({"name": f"f{number}"} for number in range(MOST + 3)))
    assert len(read) == MOST
    assert str(MOST + 3) in notes[-1]


def test_a_card_that_declares_nothing_is_no_oddity() -> None:
    assert parse_fields({}) == parse_fields({"liyuan": None}) == parse_fields({"liyuan": {"other": 1}}) == ((), ())


@given(any_json, any_json)
def test_any_json_declares_fields_or_leaves_notes(fields: Any, extension: Any) -> None:
    for extensions in ({"liyuan": {"fields": fields}}, {"liyuan": extension}):
        read, notes = parse_fields(extensions)
        assert all(field.name and field.label for field in read)
        assert all(str(note) for note in notes)
