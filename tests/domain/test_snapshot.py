"""A snapshot holds the whole state; a broken one in the middle must not break the conversation (semantics §3)."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from liyuan.domain.entry import STATE, Entry, EntryId, Place
from liyuan.domain.patch import apply
from liyuan.domain.snapshot import Snapshot, Standing, parse_snapshot, snapshot_data, standing
from liyuan.domain.world import BrokenSnapshot, WorldState, parse_world
from tests.domain.worlds import DECLARED, any_json, plausible, worlds

DUSK, NIGHT = parse_world({"time": "dusk"}), parse_world({"time": "night"})


def entry(number: int, data: Any, kind: str = STATE) -> Entry:
    place = Place(segment_id=1, depth=number, turn=0)
    return Entry(
        id=EntryId(f"e{number}"), parent_id=None, kind=kind, data=data, place=place, created_at=f"2026-01-0{number}"
    )


def kept(state: WorldState) -> Any:
    return snapshot_data(Snapshot(state=state, through_id=EntryId("m1")))


def test_the_data_of_an_entry_has_the_keys_of_the_conversation_file() -> None:
    assert set(kept(DUSK)) == {"state", "through_id", "source", "changes", "pins"}


@given(worlds(), plausible, st.sampled_from(("scribe", "user", "import", "card")))
def test_a_snapshot_comes_back_from_its_data(world: WorldState, patch: Any, source: Any) -> None:
    applied = apply(world, patch, fields=DECLARED, source=source)
    snapshot = Snapshot(
        state=applied.world,
        through_id=EntryId("m7"),
        source=source,
        changes=applied.changes,
        pins=("location", "characters.Alice"),
        warnings=applied.warnings,
    )
    assert parse_snapshot(json.loads(json.dumps(snapshot_data(snapshot)))) == snapshot


@pytest.mark.parametrize(
    "data", [{}, {"state": []}, {"state": {"time": 4}}, {"state": {}, "through_id": 7}, {"state": {"flags": "x"}}]
)
def test_a_snapshot_that_cannot_be_read_is_broken(data: Any) -> None:
    with pytest.raises(BrokenSnapshot):
        parse_snapshot(data)


def test_what_is_only_for_show_is_read_with_tolerance() -> None:
    data = {"state": {}, "source": "elsewhere", "changes": ["?"], "pins": [1, "time", "time"], "warnings": {}}
    assert parse_snapshot(data) == Snapshot(state=parse_world({}), source="import", pins=("time",))


@pytest.mark.parametrize("template", ["{field.__class__}", "{field:>999999999}", "{", "{missing}", "plain"])
def test_a_warning_from_elsewhere_is_words_and_never_a_template(template: str) -> None:
    data = {"state": {}, "warnings": [{"template": template, "fields": {"field": "x"}}]}
    (warning,) = parse_snapshot(data).warnings
    assert str(warning) == template


@given(st.dictionaries(st.sampled_from(("state", "through_id", "source", "changes", "pins", "warnings")), any_json))
def test_any_data_is_a_snapshot_or_broken_and_nothing_else(data: Any) -> None:
    try:
        snapshot = parse_snapshot(data)
    except BrokenSnapshot:
        return
    assert all(str(warning) is not None for warning in snapshot.warnings)
    assert parse_snapshot(snapshot_data(snapshot)) == snapshot


def test_the_nearest_snapshot_stands() -> None:
    found = standing([entry(3, {}, "message"), entry(2, kept(NIGHT)), entry(1, kept(DUSK))])
    assert (found.snapshot.state, found.entry_id, found.notes) == (NIGHT, "e2", ())


def test_a_broken_snapshot_is_passed_over_for_the_one_above_with_a_warning() -> None:
    found = standing([entry(2, {"state": {"time": 4}}), entry(1, kept(DUSK))])
    assert (found.snapshot.state, found.entry_id) == (DUSK, "e1")
    assert "2026-01-02" in str(found.notes[0])


def test_without_a_snapshot_the_opening_of_the_card_stands() -> None:
    assert standing([], DUSK) == Standing(snapshot=Snapshot(state=DUSK, source="card"))
