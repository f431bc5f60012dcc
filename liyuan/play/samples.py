"""The two characters everyone begins with. They are read by the same door as every other card."""

from __future__ import annotations

import json

from liyuan.assets import PACKAGE
from liyuan.domain.card import Card, parse_card

FOLDER = PACKAGE / "samples"
KEYS = ("qingwu", "ottoline")


def sample_cards() -> list[tuple[str, Card, bytes, bytes]]:
    """(key, card, portrait as SVG, portrait as PNG of 512×768) for each, the Chinese one first."""
    return [(key, _card(key), _file(f"{key}.svg"), _file(f"{key}.png")) for key in KEYS]


def _card(key: str) -> Card:
    return parse_card(json.loads(_file(f"{key}.json")))[0]


def _file(name: str) -> bytes:
    return (FOLDER / name).read_bytes()
