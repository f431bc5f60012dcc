"""The two characters to begin with. They are put on the shelf once; who deletes them is not given them again."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

from sqlalchemy import Connection

from liyuan.assets import PACKAGE
from liyuan.domain.card import Card, parse_card
from liyuan.resources import Resources
from liyuan.store.library import add_card, keep_preferences, load_preferences
from liyuan.store.media import save_media

#: Language → the name of the sample's files.
SAMPLES = {"en": "ottoline", "zh": "qingwu"}
#: The preference that remembers which characters they became, by language.
SEEDED = "samples"


async def seed_samples(resources: Resources) -> None:
    """Puts the samples on the shelf at the first start; does nothing at any other."""
    if SEEDED in await resources.database.read(load_preferences):
        return
    found = await asyncio.to_thread(_read_samples, resources.media)
    await resources.database.write(_seed, found)


def _read_samples(media: Path) -> dict[str, tuple[Card, str]]:
    folder = PACKAGE / "samples"
    found = {}
    for language, name in SAMPLES.items():
        raw: dict[str, Any] = json.loads((folder / f"{name}.json").read_text(encoding="utf-8"))
        image_id = save_media(media, (folder / f"{name}.png").read_bytes(), ".png")
        found[language] = (parse_card(raw)[0], image_id)
    return found


def _seed(connection: Connection, found: dict[str, tuple[Card, str]]) -> None:
    """One transaction with the mark, so that two servers starting at once seed once."""
    if SEEDED in load_preferences(connection):
        return
    made = {
        language: add_card(connection, card.name, card.raw, image_id).id for language, (card, image_id) in found.items()
    }
    keep_preferences(connection, **{SEEDED: made})
