"""Characters: they come in, are written and changed, and go out again. What we do not know of a card is kept."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from typing_extensions import Unpack

from liyuan.domain.card import Card, CardFields, parse_card, revise
from liyuan.domain.note import Note
from liyuan.play.card_files import card_file_name, clean_picture, read_card_file, write_card_json, write_card_png
from liyuan.resources import Resources
from liyuan.store.library import CardRow, add_card, change_card, load_card
from liyuan.store.media import load_media, save_media

CardFormat: TypeAlias = Literal["png", "json"]


@dataclass(frozen=True, slots=True)
class ImportedCard:
    """A character that came in, with a note for each thing that was odd about its file."""

    row: CardRow
    notes: list[Note] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class CardFile:
    """A character on its way out. `name` is safe to save under."""

    name: str
    media_type: str
    content: bytes


async def import_card(resources: Resources, content: bytes, filename: str = "") -> ImportedCard:
    """Takes a PNG or JSON file in. Raises Invalid or TooLarge with what to do; then nothing was kept."""
    card, picture, notes = await asyncio.to_thread(read_card_file, content, filename)
    image_id = await asyncio.to_thread(save_media, resources.media, picture, ".png") if picture else None
    row = await resources.database.write(add_card, card.name, card.raw, image_id)
    return ImportedCard(row, notes)


async def write_card(resources: Resources, *, picture: bytes | None = None, **fields: Unpack[CardFields]) -> CardRow:
    """A new character from the person's own hand. `picture` is an uploaded one. Raises Invalid for a bad picture."""
    card = revise(_blank_card(), **fields)
    image_id = await keep_picture(resources, picture)
    return await resources.database.write(add_card, card.name, card.raw, image_id)


async def revise_card(
    resources: Resources, card_id: str, *, picture: bytes | None = None, **fields: Unpack[CardFields]
) -> CardRow:
    """Changes these fields and leaves every other as it came. Raises NotFound, and Invalid for a bad picture."""
    row = await resources.database.read(load_card, card_id)
    card = revise(parse_card(row.data)[0], **fields)
    image_id = await keep_picture(resources, picture) or row.image_id
    return await resources.database.write(change_card, card_id, name=card.name, data=card.raw, image_id=image_id)


async def duplicate_card(resources: Resources, card_id: str) -> CardRow:
    """A second character that is equal to the first. Raises NotFound."""
    row = await resources.database.read(load_card, card_id)
    return await resources.database.write(add_card, row.name, row.data, row.image_id)


async def export_card(resources: Resources, card_id: str, kind: CardFormat) -> CardFile:
    """The character as a file for any program that reads cards. Raises NotFound."""
    row = await resources.database.read(load_card, card_id)
    card = parse_card(row.data)[0]
    if kind == "json":
        return CardFile(card_file_name(card, "json"), "application/json", write_card_json(card))
    picture = await asyncio.to_thread(load_media, resources.media, row.image_id)
    return CardFile(card_file_name(card, "png"), "image/png", await asyncio.to_thread(write_card_png, card, picture))


async def keep_picture(resources: Resources, picture: bytes | None) -> str | None:
    """Keeps an uploaded picture, encoded anew, and returns its id; None for none. Raises Invalid or TooLarge."""
    if not picture:
        return None
    clean = await asyncio.to_thread(clean_picture, picture)
    return await asyncio.to_thread(save_media, resources.media, clean, ".png")


def _blank_card() -> Card:
    return parse_card({"spec": "chara_card_v3", "spec_version": "3.0", "data": {"name": "", "extensions": {}}})[0]
