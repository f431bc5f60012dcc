"""A form of the World panel asks for exactly the patch it shows."""

from __future__ import annotations

from typing import Any

import pytest
from starlette.datastructures import FormData

from liyuan.domain.card_world import CardWorld
from liyuan.domain.errors import Invalid
from liyuan.domain.fields import Field
from liyuan.domain.snapshot import Snapshot, Standing
from liyuan.domain.world import Relationship, WorldState
from liyuan.play.world import Ledger
from liyuan.store.cast import Cast
from liyuan.web.world_form import patch_of

BONDS = (
    Relationship(a="Ash", b="Bo", relation="friends", affinity=3),
    Relationship(a="Bo", b="Ash", relation="rivals"),
)
FIELDS = (Field(name="hp", type="bar", min=0, max=100), Field(name="spells", type="list"), Field(name="mood"))


def asked(**fields: str) -> Any:
    nobody: Any = None
    cast: Cast = nobody
    ledger = Ledger(
        leaf_id=None,
        cast=cast,
        declared=CardWorld(FIELDS),
        standing=Standing(snapshot=Snapshot(state=WorldState(relationships=BONDS))),
    )
    return patch_of(FormData(fields), ledger)


def test_a_place_is_a_text() -> None:
    assert asked(part="location", value=" the cellar ") == {"location": "the cellar"}


def test_a_list_has_an_item_a_line() -> None:
    assert asked(part="inventory", value="a key\r\n\r\n a coat ") == {"inventory": ["a key", "a coat"]}


@pytest.mark.parametrize(
    ("written", "meant"), [("yes", True), ("否", False), ("TRUE", True), ("12", 12), ("−3", -3), ("at dawn", "at dawn")]
)
def test_a_flag_is_what_it_reads_like(written: str, meant: Any) -> None:
    patch = asked(part="flag", name="barred", value=written)
    assert patch == {"flags": {"barred": meant}}
    assert type(patch["flags"]["barred"]) is type(meant)


def test_a_declared_field_is_read_by_its_type() -> None:
    assert asked(part="own", name="hp", value="72") == {"custom": {"hp": 72}}
    assert asked(part="own", name="spells", value="rain\nlight") == {"custom": {"spells": ["rain", "light"]}}
    assert asked(part="own", name="mood", value="12") == {"custom": {"mood": "12"}}


def test_a_number_that_is_none_is_left_for_the_ledger_to_refuse() -> None:
    assert asked(part="own", name="hp", value="a lot") == {"custom": {"hp": "a lot"}}


def test_a_person_is_all_that_the_form_has() -> None:
    patch = asked(part="person", name="Ash", affinity="-20", status="away", notes="")
    assert patch == {"characters": {"Ash": {"affinity": -20, "status": "away", "notes": ""}}}


def test_what_is_removed_is_null() -> None:
    assert asked(part="person", name="Ash", remove="1") == {"characters": {"Ash": None}}
    assert asked(part="roster.items", name="a key", remove="1") == {"roster": {"items": {"a key": None}}}


def test_a_relationship_changes_among_the_others() -> None:
    patch = asked(part="bond", a="Ash", b="Bo", relation="lovers", affinity="40", note="")
    assert [one["relation"] for one in patch["relationships"]] == ["lovers", "rivals"]
    assert patch["relationships"][0]["affinity"] == 40


def test_a_new_relationship_comes_last_and_a_removed_one_goes() -> None:
    added = asked(part="bond", a="Cy", b="Bo", relation="cousins", affinity="0", note="")
    assert [one["a"] for one in added["relationships"]] == ["Ash", "Bo", "Cy"]
    removed = asked(part="bond", a="Ash", b="Bo", remove="1")
    assert [one["a"] for one in removed["relationships"]] == ["Bo"]


def test_a_form_of_nothing_we_know_is_refused() -> None:
    with pytest.raises(Invalid):
        asked(part="weather", value="rain")
