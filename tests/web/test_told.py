"""What a turn changed, as a reader is told it."""

from __future__ import annotations

from typing import Any

from liyuan.domain.change import Change
from liyuan.domain.entry import STATE, Entry, EntryId, Place
from liyuan.domain.fields import Field
from liyuan.web.told import changes_of, tell


def snapshot(*changes: tuple[list[str], Any, Any]) -> Entry:
    told = [{"path": path, "before": before, "after": after} for path, before, after in changes]
    return Entry(
        id=EntryId("s"), parent_id=None, kind=STATE, data={"changes": told}, place=Place(segment_id=1, depth=0, turn=1)
    )


def test_an_affinity_is_told_by_its_step() -> None:
    (told,) = tell([Change(("characters", "Ash", "affinity"), 28, 34)])
    assert (told.what, told.name, told.step) == ("affinity", "Ash", 6)


def test_a_list_is_told_by_what_came_and_what_went() -> None:
    (told,) = tell([Change(("inventory",), ["a key", "a coat"], ["a coat", "a watch"])])
    assert (told.gone, told.come) == (("a key",), ("a watch",))


def test_who_comes_and_who_leaves_is_one_word() -> None:
    told = tell([Change(("characters", "Ash"), None, {"affinity": 0}), Change(("characters", "Bo"), {}, None)])
    assert [(one.what, one.name) for one in told] == [("came", "Ash"), ("left", "Bo")]


def test_the_roster_and_hidden_fields_are_not_told() -> None:
    fields = [Field(name="secret", show="hidden")]
    changes = [Change(("roster", "items", "a key"), None, ""), Change(("custom", "secret"), "", "x")]
    assert tell(changes, fields) == ()


def test_a_declared_field_goes_by_its_label() -> None:
    (told,) = tell([Change(("custom", "hp"), 90, 72)], [Field(name="hp", type="bar", label="Strength")])
    assert (told.name, told.step) == ("Strength", -18)


def test_a_truth_stays_a_truth() -> None:
    (told,) = tell([Change(("flags", "barred"), False, True)])
    assert (told.gone, told.come, told.step) == ((False,), (True,), None)


def test_several_snapshots_of_one_turn_are_told_as_one() -> None:
    first = snapshot((["time"], "dusk", "night"), (["location"], "", "the inn"))
    second = snapshot((["time"], "night", "dusk"), (["location"], "the inn", "the yard"))
    assert changes_of([first, second]) == (Change(("location",), "", "the yard"),)


def test_changes_that_cannot_be_read_are_passed_over() -> None:
    broken = snapshot()
    assert changes_of([Entry(**{**_fields(broken), "data": {"changes": ["what", {"path": 3}]}})]) == ()


def _fields(entry: Entry) -> dict[str, Any]:
    return {name: getattr(entry, name) for name in ("id", "parent_id", "kind", "place")}
