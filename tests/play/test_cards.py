"""Characters come in, are changed and go out, and nothing of a foreign card is lost on the way."""

from __future__ import annotations

import json

import pytest

from liyuan.domain.card import parse_card
from liyuan.domain.errors import Invalid, NotFound
from liyuan.play.card_files import default_picture, read_card_file, write_card_png
from liyuan.play.cards import duplicate_card, export_card, import_card, revise_card, write_card
from liyuan.resources import Resources
from liyuan.store.library import list_cards, load_card
from liyuan.store.media import load_media
from tests.tale import card

FOREIGN = card("Ash", extensions={"other/app": {"mood": 3}}, mood_table=["calm", "wild"])


def as_json(raw: dict[str, object]) -> bytes:
    return json.dumps(raw).encode()


async def test_a_png_comes_in_with_its_picture(resources: Resources) -> None:
    png = write_card_png(parse_card(FOREIGN)[0], default_picture("Ash"))
    arrived = await import_card(resources, png, "ash.png")
    assert arrived.row.name == "Ash"
    picture = load_media(resources.media, arrived.row.image_id)
    assert picture is not None and picture.startswith(b"\x89PNG")
    assert b"chara" not in picture


async def test_a_json_file_comes_in_without_a_picture(resources: Resources) -> None:
    arrived = await import_card(resources, as_json(FOREIGN))
    assert arrived.row.image_id is None
    assert arrived.notes == []


async def test_what_is_odd_about_a_file_is_noted(resources: Resources) -> None:
    arrived = await import_card(resources, as_json({"description": "Somebody."}), "nobody.json")
    assert arrived.row.name == "nobody"
    assert arrived.notes


async def test_a_file_that_is_no_character_leaves_nothing_behind(resources: Resources) -> None:
    with pytest.raises(Invalid):
        await import_card(resources, b"not a card")
    assert await resources.database.read(list_cards) == ()
    assert not resources.media.exists()


async def test_a_change_keeps_the_fields_it_does_not_know(resources: Resources) -> None:
    row = (await import_card(resources, as_json(FOREIGN))).row
    changed = await revise_card(resources, row.id, name="Ember", tags=("fire",))
    assert changed.name == "Ember"
    assert changed.data["data"]["mood_table"] == ["calm", "wild"]
    assert changed.data["data"]["extensions"] == {"other/app": {"mood": 3}}
    assert changed.data["data"]["tags"] == ["fire"]


async def test_a_change_without_a_picture_keeps_the_old_one(resources: Resources) -> None:
    row = await write_card(resources, name="Ash", picture=default_picture("Ash"))
    assert row.image_id is not None
    assert (await revise_card(resources, row.id, name="Ember")).image_id == row.image_id
    assert (await revise_card(resources, row.id, picture=default_picture("other"))).image_id != row.image_id


async def test_a_bad_picture_changes_nothing(resources: Resources) -> None:
    row = await write_card(resources, name="Ash")
    with pytest.raises(Invalid):
        await revise_card(resources, row.id, picture=b"<svg onload='alert(1)'/>", name="Ember")
    assert (await resources.database.read(load_card, row.id)).name == "Ash"


async def test_a_character_goes_out_as_png_and_json_and_comes_back_equal(resources: Resources) -> None:
    row = (await import_card(resources, as_json(FOREIGN))).row
    for kind in ("png", "json"):
        file = await export_card(resources, row.id, kind)  # type: ignore[arg-type]
        assert file.name == f"Ash.{kind}"
        back, _, _ = read_card_file(file.content)
        assert back.raw["data"]["mood_table"] == ["calm", "wild"]
        assert back.greetings == ("Good evening.",)


async def test_a_copy_stands_beside_the_first_one(resources: Resources) -> None:
    row = (await import_card(resources, as_json(FOREIGN))).row
    copy = await duplicate_card(resources, row.id)
    assert (copy.id != row.id, copy.data) == (True, row.data)
    await revise_card(resources, copy.id, name="Ember")
    assert (await resources.database.read(load_card, row.id)).name == "Ash"


async def test_what_is_not_there_is_told(resources: Resources) -> None:
    with pytest.raises(NotFound):
        await export_card(resources, "nobody", "png")
    with pytest.raises(NotFound):
        await duplicate_card(resources, "nobody")
