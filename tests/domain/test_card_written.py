"""What goes out is strict, what is not known goes out as it came in, and the editor changes only what it names."""

from __future__ import annotations

import json
from typing import Any, Literal

import pytest
from hypothesis import given

from liyuan.domain.card import Card, card_to_json, parse_card, revise
from liyuan.domain.card_layout import LIST_KEYS, TEXT_KEYS
from tests.domain.test_card import DATA, FLAT, V2, V3, inside, read, wild_cards

V2_KEYS = {
    *("name", "description", "personality", "scenario", "first_mes", "mes_example", "creator_notes"),
    *("system_prompt", "post_history_instructions", "alternate_greetings", "tags", "creator"),
    *("character_version", "extensions"),
}


def fields_of(card: Card) -> list[object]:
    return [getattr(card, name) for name in (*TEXT_KEYS, *LIST_KEYS, "extensions", "written_name")]


@pytest.mark.parametrize("raw", [FLAT, V2, V3])
def test_version_2_has_every_field_it_asks_for(raw: dict[str, Any]) -> None:
    out = card_to_json(read(raw), "v2")
    assert (out["spec"], out["spec_version"]) == ("chara_card_v2", "2.0")
    assert out["data"].keys() >= V2_KEYS


@pytest.mark.parametrize("raw", [FLAT, V2, V3])
def test_version_3_has_every_field_it_asks_for(raw: dict[str, Any]) -> None:
    out = card_to_json(read(raw), "v3")
    assert (out["spec"], out["spec_version"]) == ("chara_card_v3", "3.0")
    assert out["data"].keys() >= V2_KEYS | {"group_only_greetings"}


@pytest.mark.parametrize(("raw", "version"), [(V2, "v2"), (V3, "v3")])
def test_a_sound_card_goes_out_as_it_came_in(raw: dict[str, Any], version: Literal["v2", "v3"]) -> None:
    assert card_to_json(read(raw), version) == raw


def test_version_3_fields_stay_in_version_2() -> None:
    data = card_to_json(read(V3), "v2")["data"]
    assert data["nickname"] == "Mi"
    assert data["creation_date"] == 1700000000


def test_unknown_fields_stay_where_they_were() -> None:
    raw = {**inside(x_mood={"now": "calm"}), "fav": True, "create_date": "2023-5-12 @21h 32m 29s 228ms"}
    out = card_to_json(read(raw))
    assert out["data"]["x_mood"] == {"now": "calm"}
    assert (out["fav"], out["create_date"]) == (True, "2023-5-12 @21h 32m 29s 228ms")
    assert card_to_json(read({**FLAT, "fav": True, "create_date": 7}))["create_date"] == 7


def test_the_fields_of_a_flat_card_move_into_data() -> None:
    out = card_to_json(read({**FLAT, "avatar": "none"}))
    assert out.keys() == {"spec", "spec_version", "data", "avatar"}


def test_copies_beside_data_stay_only_where_they_were_and_say_the_same() -> None:
    out = card_to_json(read({**V2, "description": "Old.", "creatorcomment": "Old."}))
    assert (out["description"], out["creatorcomment"]) == ("Keeps bees.", "Be kind.")
    assert "scenario" not in out


def test_a_name_that_is_shown_cut_goes_out_whole() -> None:
    assert card_to_json(read(inside(name="x" * 500)))["data"]["name"] == "x" * 500


@pytest.mark.parametrize(
    ("key", "odd", "strict"),
    [
        ("alternate_greetings", "One.", ["One."]),
        ("tags", None, []),
        ("extensions", None, {}),
        ("source", "https://example.invalid/mira", ["https://example.invalid/mira"]),
        ("creation_date", "1700000000", 1700000000),
        ("modification_date", 1700000000123, 1700000000),
        ("character_version", 3, "3"),
        ("nickname", "Mi", "Mi"),
    ],
)
def test_odd_fields_go_out_in_the_shape_the_specification_asks_for(key: str, odd: object, strict: object) -> None:
    assert card_to_json(read(inside(**{key: odd})))["data"][key] == strict


@pytest.mark.parametrize("key", ["character_book", "creation_date", "assets", "nickname"])
def test_optional_fields_that_cannot_be_brought_into_shape_are_left_out(key: str) -> None:
    assert key not in card_to_json(read(inside(**{key: None})))["data"]


@given(wild_cards)
def test_what_goes_out_reads_the_same_and_goes_out_the_same_again(raw: dict[str, Any]) -> None:
    card = read(raw)
    for version in ("v2", "v3"):
        out = card_to_json(card, version)
        again = parse_card(json.loads(json.dumps(out, allow_nan=False)))[0]
        assert fields_of(again) == fields_of(card)
        assert card_to_json(again, version) == out


def test_a_revision_changes_what_it_names_and_nothing_else() -> None:
    card = revise(read({**V2, "fav": True}), description="Keeps ten hives.", tags=("bees",))
    assert card.raw == {**V2, "fav": True, "data": {**DATA, "description": "Keeps ten hives.", "tags": ["bees"]}}
    assert (card.description, card.tags) == ("Keeps ten hives.", ("bees",))


def test_a_revision_keeps_a_flat_card_flat_and_copies_equal() -> None:
    assert revise(read(FLAT), name="Mirabel").raw == {**FLAT, "name": "Mirabel"}
    assert revise(read({**V2, "name": "Mira"}), name="Mirabel").raw["name"] == "Mirabel"


def test_saving_without_a_change_changes_nothing() -> None:
    raw = inside(name="x" * 500, tags="a, b", character_version=2)
    card = read(raw)
    assert revise(card, name=card.name, tags=card.tags, character_version="2").raw == raw


def test_a_text_under_an_older_name_can_be_emptied() -> None:
    card = read({"char_name": "Mira", "char_persona": "Keeps bees.", "char_greeting": "Hello."})
    assert revise(card, description="").description == ""
    assert revise(card, description="New.").raw["description"] == "New."


def test_a_text_taken_from_a_copy_beside_data_can_be_emptied() -> None:
    card = read({**V2, "scenario": "A hill.", "data": {**DATA, "scenario": ""}})
    assert revise(card, scenario="").scenario == ""
