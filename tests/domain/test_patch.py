"""The patch rules of the world ledger, one by one (semantics §3)."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from liyuan.domain.change import dotted, leaves, tree_of
from liyuan.domain.names import fold
from liyuan.domain.patch import Applied, apply
from liyuan.domain.world import EMPTY, Character, Relationship, WorldState, parse_world, world_to_json
from tests.domain.worlds import DECLARED, any_json, patches, plausible, worlds

MILL = parse_world(
    {
        "time": "dusk",
        "location": "the old mill",
        "characters": {
            "Alice": {"affinity": 40, "status": "wary", "notes": "keeps the mill", "mood": "tense"},
            "青梧": {"affinity": -5},
        },
        "inventory": ["lantern", "letter"],
        "flags": {"door_open": False, "nights": 2},
        "plot_threads": ["who burnt the barn"],
        "relationships": [{"a": "Alice", "b": "青梧", "relation": "sisters", "affinity": 60}],
        "roster": {"characters": {"Bertram": "a miller, gone since spring"}},
    }
)


def booked(patch: Any, **how: Any) -> WorldState:
    return apply(MILL, patch, **how).world


def warnings(patch: Any, world: WorldState = MILL, **how: Any) -> list[str]:
    return [str(note) for note in apply(world, patch, **how).warnings]


def refused(patch: Any, **how: Any) -> str:
    """The one warning of a patch that changes nothing."""
    applied = apply(MILL, patch, **how)
    assert applied.world.characters == MILL.characters
    assert [change for change in applied.changes if change.path[0] != "roster"] == []
    (warning,) = applied.warnings
    return str(warning)


# --- strings replace; characters and flags merge by key, null deletes; lists replace whole --------------------------


def test_strings_replace() -> None:
    world = booked({"time": "midnight", "location": " the weir "})
    assert (world.time, world.location) == ("midnight", "the weir")
    assert world.characters == MILL.characters


def test_characters_merge_by_key() -> None:
    world = booked({"characters": {"Alice": {"status": "calm"}, "白芷": {"affinity": 3}}})
    assert world.characters["Alice"] == Character(
        affinity=40, status="calm", notes="keeps the mill", more={"mood": "tense"}
    )
    assert world.characters["白芷"] == Character(affinity=3)
    assert world.characters["青梧"] == MILL.characters["青梧"]


def test_null_deletes_a_character() -> None:
    assert list(booked({"characters": {"Alice": None}}).characters) == ["青梧"]


def test_null_empties_one_key_of_a_character() -> None:
    world = booked({"characters": {"Alice": {"mood": None, "notes": None, "affinity": None}}})
    assert world.characters["Alice"] == Character(status="wary")


def test_characters_may_have_keys_of_their_own() -> None:
    world = booked({"characters": {"Alice": {"outfit": "a grey coat", "wounds": ["hand", "brow"], "age": 31}}})
    assert world.characters["Alice"].more == {
        "mood": "tense",
        "outfit": "a grey coat",
        "wounds": ["hand", "brow"],
        "age": 31,
    }


def test_flags_merge_by_key_and_null_deletes() -> None:
    assert booked({"flags": {"door_open": True, "nights": None, "password": "heron"}}).flags == {
        "door_open": True,
        "password": "heron",
    }


def test_lists_replace_whole() -> None:
    world = booked({"inventory": ["rope"], "plot_threads": [], "relationships": [{"a": "青梧", "b": "Alice"}]})
    assert world.inventory == ("rope",)
    assert world.plot_threads == ()
    assert world.relationships == (Relationship(a="青梧", b="Alice"),)


def test_what_a_patch_does_not_name_stays() -> None:
    applied = apply(MILL, {"time": "night"})
    assert [change.name for change in applied.changes if change.path[0] != "roster"] == ["time"]


# --- affinity -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("told", "kept"), [(150, 100), (-101, -100), (1e300, None), (100, 100), (-100, -100)])
def test_affinity_is_clamped(told: float, kept: int | None) -> None:
    patch = {"characters": {"Alice": {"affinity": told}}}
    assert booked(patch).characters["Alice"].affinity == (40 if kept is None else kept)
    assert bool(warnings(patch)) == (told != kept)


def test_a_clamped_affinity_says_its_limits() -> None:
    assert warnings({"characters": {"Alice": {"affinity": 150}}}) == [
        "“characters.Alice.affinity” must lie between -100 and 100. 150 was booked as 100."
    ]


@pytest.mark.parametrize(("told", "kept"), [("+5", 45), ("-3", 37), ("−3", 37), ("＋70", 100), (" +5 ", 45)])
def test_a_signed_text_is_a_step_and_is_said_to_be_one(told: str, kept: int) -> None:
    patch = {"characters": {"Alice": {"affinity": told}}}
    assert booked(patch).characters["Alice"].affinity == kept
    assert "step" in warnings(patch)[0]
    assert "Write the new value itself" in warnings(patch)[0]


def test_a_number_in_quotes_is_booked_and_said_to_be_one() -> None:
    patch = {"characters": {"Alice": {"affinity": "55"}}}
    assert booked(patch).characters["Alice"].affinity == 55
    assert "without quotes" in warnings(patch)[0]


def test_an_affinity_is_a_whole_number() -> None:
    patch = {"characters": {"Alice": {"affinity": 12.4}}}
    assert booked(patch).characters["Alice"].affinity == 12
    assert "12.4 was booked as 12" in warnings(patch)[0]


# --- refused one by one, with what to write instead, and the rest is applied -----------------------------------------


def test_an_unknown_key_is_refused_and_the_known_ones_are_named() -> None:
    warning = refused({"weather": "rain"})
    assert "“weather”" in warning
    assert "time, location, characters" in warning


def test_the_rest_of_the_patch_is_applied() -> None:
    patch = {"weather": "rain", "time": 3, "location": "the weir", "inventory": "rope", "flags": {"door_open": True}}
    world = booked(patch)
    assert (world.time, world.location, world.inventory) == ("dusk", "the weir", ("lantern", "letter"))
    assert world.flags["door_open"] is True
    assert len(warnings(patch)) == 3


@pytest.mark.parametrize(
    ("patch", "instead"),
    [
        ({"time": 7}, "in quotes"),
        ({"location": ["mill"]}, "in quotes"),
        ({"inventory": "rope"}, "a list of texts"),
        ({"inventory": {"rope": 1}}, "a list of texts"),
        ({"plot_threads": 4}, "a list of texts"),
        ({"characters": ["Alice"]}, '{"…": {"affinity": 40'),
        ({"characters": {"Alice": "calm"}}, '{"status": "…"}'),
        ({"characters": {"Alice": {"affinity": "fond"}}}, "such as 40"),
        ({"characters": {"Alice": {"affinity": True}}}, "such as 40"),
        ({"characters": {"Alice": {"status": 5}}}, "in quotes"),
        ({"characters": {"Alice": {"mood": {"now": "calm"}}}}, "a text, a number, true or false"),
        ({"characters": {" ": {"status": "?"}}}, "who or what it is"),
        ({"flags": ["door_open"]}, '{"…": true}'),
        ({"flags": {"door_open": [1]}}, "a text, a number, true or false"),
        ({"flags": {"nights": 10**400}}, "endless size"),
        ({"flags": {"nights": float("nan")}}, "endless size"),
        ({"relationships": {"Alice": "sister"}}, '{"a": "…", "b": "…"'),
        ({"roster": ["Alice"]}, '{"items"'),
        ({"roster": {"places": {"mill": "old"}}}, "characters, items, events"),
        ({"roster": {"items": {"lantern": 2}}}, "in quotes"),
        ({"time": None}, 'write ""'),
        ({"inventory": None}, "write []"),
        ({"flags": None}, "its own name to null"),
        ({"characters": {"Nobody": None}}, "not there"),
        ({"flags": {"nothing": None}}, "not there"),
        ([{"time": "noon"}], "one object"),
        ("noon", "one object"),
        (None, "one object"),
    ],
)
def test_a_wrong_value_is_refused_and_says_what_to_write_instead(patch: Any, instead: str) -> None:
    assert instead in refused(patch)


def test_list_items_that_are_no_text_are_refused_one_by_one() -> None:
    patch = {"inventory": ["rope", {"name": "silver key", "count": 1}, 7, "", "map"]}
    assert booked(patch).inventory == ("rope", "map")
    assert warnings(patch) == [
        'Item 2 of “inventory” is {…}, not a text. It was left out. Write "silver key".',
        'Item 3 of “inventory” is 7, not a text. It was left out. Write "7".',
        'Item 4 of “inventory” is "", not a text. It was left out. Write "…".',
    ]


def test_a_list_of_which_nothing_can_be_read_is_not_taken_for_an_empty_one() -> None:
    patch = {"inventory": [{"id": 1}, None]}
    assert booked(patch).inventory == ("lantern", "letter")
    assert "stays as it was" in warnings(patch)[-1]


def test_relationships_are_read_one_by_one() -> None:
    patch = {
        "relationships": [
            {"a": "alice", "b": "青梧", "relation": "rivals", "affinity": "-20", "note": None, "since": "spring"},
            {"a": "Alice"},
            {"a": "Alice", "b": "ALICE", "relation": "herself"},
            "friends",
        ]
    }
    assert booked(patch).relationships == (Relationship(a="Alice", b="青梧", relation="rivals", affinity=40),)
    told = warnings(patch)
    assert "since" in told[0] or "since" in told[1]
    assert sum("does not name two people" in warning for warning in told) == 3


def test_a_pair_named_twice_is_booked_once_and_said() -> None:
    patch = {"relationships": [{"a": "Alice", "b": "青梧"}, {"a": "alice", "b": "青梧", "relation": "friends"}]}
    assert [known.relation for known in booked(patch).relationships] == ["friends"]
    assert "twice" in warnings(patch)[0]


# --- names ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["alice", "ALICE", "  Alice ", "aLiCe"])
def test_names_are_matched_without_case_and_outer_spaces_and_the_first_spelling_stays(name: str) -> None:
    world = booked({"characters": {name: {"status": "calm"}}})
    assert list(world.characters) == ["Alice", "青梧"]
    assert world.characters["Alice"].status == "calm"


def test_who_comes_back_from_the_roster_keeps_the_first_spelling() -> None:
    assert "Bertram" in booked({"characters": {"BERTRAM": {"status": "back"}}}).characters


def test_one_person_in_two_spellings_is_booked_once_and_said() -> None:
    patch = {"characters": {"Mira": {"affinity": 1}, "mira ": {"status": "new here"}}}
    assert booked(patch).characters["Mira"] == Character(affinity=1, status="new here")
    assert "one and the same" in warnings(patch)[0]


def test_one_person_met_first_in_a_relationship_is_one_person_too() -> None:
    patch = {
        "relationships": [
            {"a": "Mira", "b": "Tom"},
            {"a": "mira", "b": "TOM", "note": "kin"},
            {"a": "Mira", "b": "MIRA"},
        ],
        "characters": {"MIRA": {"status": "new"}},
    }
    world = booked(patch)
    assert world.relationships == (Relationship(a="Mira", b="Tom", note="kin"),)
    assert "Mira" in world.characters and "Mira" in world.roster.characters


def test_field_names_are_matched_without_case_and_outer_spaces_too() -> None:
    assert booked({"Location ": "the weir"}).location == "the weir"
    assert apply(MILL, {"HP": 3}, fields=DECLARED).world.custom == {"hp": 3}


# --- fields a card declares -----------------------------------------------------------------------------------------


def test_declared_fields_are_booked_by_their_type() -> None:
    world = booked({"hp": 25, "心情": "sad", "scars": ["brow", 4]}, fields=DECLARED)
    assert world.custom == {"hp": 20, "心情": "sad", "scars": ["brow"]}
    assert len(warnings({"hp": 25, "scars": ["brow", 4]}, fields=DECLARED)) == 2


def test_declared_fields_may_stand_under_custom() -> None:
    assert booked({"custom": {"hp": 7}}, fields=DECLARED).custom == {"hp": 7}


def test_a_step_on_a_bar_starts_from_where_it_stands() -> None:
    hurt = booked({"hp": 12}, fields=DECLARED)
    assert apply(hurt, {"hp": "-5"}, fields=DECLARED).world.custom == {"hp": 7}


def test_a_field_no_longer_declared_stays_until_it_is_taken_away() -> None:
    world = booked({"hp": 12}, fields=DECLARED)
    assert apply(world, {"hp": 3}).world.custom == {"hp": 12}
    assert apply(world, {"custom": {"hp": None}}).world.custom == {}


# --- the roster: everything that ever appeared -----------------------------------------------------------------------


def test_whoever_appears_is_on_the_roster() -> None:
    world = booked({"characters": {"白芷": {"notes": "a healer\nfrom the north"}}, "inventory": ["needle ×3", "rope"]})
    assert world.roster.characters["白芷"] == "a healer from the north"
    assert {"needle", "rope"} <= set(world.roster.items)


def test_whoever_leaves_stays_on_the_roster() -> None:
    world = booked({"characters": {"Alice": None}, "inventory": []})
    assert world.roster.characters["Alice"] == "keeps the mill"
    assert {"lantern", "letter"} <= set(world.roster.items)


def test_people_known_by_a_relationship_alone_are_on_the_roster() -> None:
    assert "Old Tom" in booked({"relationships": [{"a": "Old Tom", "b": "Alice"}]}).roster.characters


def test_the_scribe_writes_the_lines_of_the_roster() -> None:
    world = booked({"roster": {"events": {"the fire": "burnt the barn\nlast year"}, "characters": {"bertram": "dead"}}})
    assert world.roster.events == {"the fire": "burnt the barn last year"}
    assert world.roster.characters["Bertram"] == "dead"


def test_the_scribe_cannot_take_a_name_off_the_roster_but_a_person_can() -> None:
    patch = {"roster": {"characters": {"Bertram": None}}}
    assert "Bertram" in booked(patch).roster.characters
    assert "keeps everything" in warnings(patch)[0]
    assert "Bertram" not in booked(patch, source="user").roster.characters


# --- pins -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("pin", "patch"),
    [
        ("location", {"location": "the weir"}),
        ("characters.alice.affinity", {"characters": {"Alice": {"affinity": 90}}}),
        ("characters.Alice", {"characters": {"Alice": {"affinity": 90}}}),
        ("characters", {"characters": {"Mira": {}}}),
        ("characters.Alice.affinity", {"characters": {"Alice": None}}),
        ("flags.door_open", {"flags": {"door_open": None}}),
        ("inventory", {"inventory": []}),
        ("relationships.Alice → 青梧", {"relationships": []}),
    ],
)
def test_a_pinned_field_wins_over_the_scribe(pin: str, patch: Any) -> None:
    applied = apply(MILL, patch, pins=[pin])
    assert [change for change in applied.changes if change.path[0] != "roster"] == []
    assert "pinned" in str(applied.warnings[0])


def test_a_pin_holds_one_field_and_the_rest_is_booked() -> None:
    applied = apply(
        MILL, {"characters": {"Alice": {"affinity": 90, "status": "calm"}}}, pins=["characters.Alice.affinity"]
    )
    assert applied.world.characters["Alice"].affinity == 40
    assert applied.world.characters["Alice"].status == "calm"


def test_a_pin_does_not_hold_against_a_person() -> None:
    assert booked({"location": "the weir"}, pins=["location"], source="user").location == "the weir"


def test_a_pin_on_one_person_does_not_hold_another_whose_name_begins_alike() -> None:
    world = apply(EMPTY, {"characters": {"Dr": {}, "Dr. Watson": {}}}).world
    moved = apply(world, {"characters": {"Dr. Watson": {"affinity": 9}}}, pins=["characters.Dr"]).world
    assert moved.characters["Dr. Watson"].affinity == 9


def test_a_pin_that_is_repeated_back_is_no_matter() -> None:
    assert warnings({"location": "the old mill"}, pins=["location"]) == []


# --- changes --------------------------------------------------------------------------------------------------------


def test_changes_can_be_shown_to_a_person() -> None:
    applied = apply(MILL, {"time": "night", "characters": {"Alice": {"affinity": 45}, "Mira": {"status": "new"}}})
    shown = {change.name: (change.before, change.after) for change in applied.changes}
    assert shown["time"] == ("dusk", "night")
    assert shown["characters.Alice.affinity"] == (40, 45)
    assert shown["characters.Mira"] == (None, {"affinity": 0, "status": "new", "notes": ""})
    assert shown["roster.characters.Mira"] == (None, "")


# --- for every world and every patch ---------------------------------------------------------------------------------


@given(worlds(), patches)
def test_no_json_makes_it_fail_and_the_result_is_always_a_sound_world(world: WorldState, patch: Any) -> None:
    for source in ("scribe", "user"):
        after = apply(world, patch, fields=DECLARED, source=source).world  # type: ignore[arg-type]
        state = json.loads(json.dumps(world_to_json(after), allow_nan=False))
        assert parse_world(state) == after
        assert all(-100 <= known.affinity <= 100 for known in after.characters.values())
        assert all(isinstance(item, str) and item for item in after.inventory)


@given(any_json)
def test_deep_and_strange_json_is_answered_with_warnings(value: Any) -> None:
    for _ in range(2000):
        value = [value]
    applied = apply(MILL, {"time": value, "flags": {"x": value}, "characters": value, "inventory": [value]})
    assert len(applied.warnings) >= 4
    assert all(len(str(note)) < 400 for note in applied.warnings)


def without_steps(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: without_steps(inner) for key, inner in value.items()}
    if isinstance(value, list):
        return [without_steps(inner) for inner in value]
    return "40" if value in ("+5", "-3", "−7") else value


@given(worlds(), plausible)
def test_the_same_patch_twice_is_the_same_as_once(world: WorldState, patch: Any) -> None:
    patch = without_steps(patch)
    once = apply(world, patch, fields=DECLARED).world
    assert apply(once, patch, fields=DECLARED).world == once


@given(worlds(), plausible, st.data())
def test_pinned_values_never_change(world: WorldState, patch: Any, data: st.DataObject) -> None:
    before = leaves(world)
    pins = data.draw(st.lists(st.sampled_from(sorted(before)), max_size=4)) if before else []
    after = leaves(apply(world, patch, fields=DECLARED, pins=pins).world)
    assert {pin: after.get(pin) for pin in pins} == {pin: before[pin] for pin in pins}


@given(worlds(), plausible)
def test_nothing_vanishes_without_a_change(world: WorldState, patch: Any) -> None:
    applied = apply(world, patch, fields=DECLARED)
    after = leaves(applied.world)
    told = {change.name for change in applied.changes}
    for name, value in leaves(world).items():
        if name not in after or after[name] != value:
            assert any(name == change or name.startswith(f"{change}.") for change in told)


@given(worlds(), plausible)
def test_nothing_said_is_dropped_in_silence(world: WorldState, patch: Any) -> None:
    """Each key of the patch is booked as it was said, or a warning speaks of it."""
    applied = apply(world, patch, fields=DECLARED)
    spoken = " ".join(f"{note.fields.get('field', '')}\n" for note in applied.warnings).casefold()
    for key in ("time", "location"):
        if key in patch:
            assert getattr(applied.world, key) == _clean(patch[key]) or key in spoken
    for name, told in _dict(patch.get("characters")).items():
        assert _is_booked(applied, name, told) or "characters" in spoken
    for item in patch.get("inventory") or ():
        assert _clean(item) in applied.world.inventory or "inventory" in spoken


@given(worlds(), plausible)
def test_changes_lead_from_the_world_before_to_the_world_after(world: WorldState, patch: Any) -> None:
    applied = apply(world, patch, fields=DECLARED)
    before, after = tree_of(world), tree_of(applied.world)
    for change in applied.changes:
        assert _at(before, change.path) == change.before
        assert _at(after, change.path) == change.after
        assert dotted(change.path) == change.name


@given(worlds(), plausible)
def test_nobody_is_booked_twice(world: WorldState, patch: Any) -> None:
    after = apply(world, patch, fields=DECLARED).world
    for names in (after.characters, after.roster.characters, after.flags):
        assert len({fold(name) for name in names}) == len(names)


@given(worlds(), plausible)
def test_the_roster_only_grows(world: WorldState, patch: Any) -> None:
    after = apply(world, patch, fields=DECLARED).world
    for section in ("characters", "items", "events"):
        assert set(getattr(world.roster, section)) <= set(getattr(after.roster, section))
    assert {fold(name) for name in after.characters} <= {fold(name) for name in after.roster.characters}


def _clean(value: Any) -> Any:
    return value.replace("\x00", "").replace("\ud800", "").strip() if isinstance(value, str) else None


def _dict(value: Any) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}


def _is_booked(applied: Applied, name: str, told: Any) -> bool:
    known = {fold(other): person for other, person in applied.world.characters.items()}.get(fold(name))
    if told is None:
        return known is None
    if known is None or not isinstance(told, dict):
        return False
    return all(_clean(value) == known.status for key, value in told.items() if key == "status" and value is not None)


def _at(tree: Any, path: tuple[str, ...]) -> Any:
    for key in path:
        tree = tree.get(key) if isinstance(tree, dict) else None
    return tree
