"""What a card says of the world before the first word: its own fields and the opening state. One patch on nothing."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from liyuan.domain.fields import Field, declared_by, parse_fields
from liyuan.domain.note import Note
from liyuan.domain.patch import apply
from liyuan.domain.world import EMPTY, WorldState


@dataclass(frozen=True, slots=True)
class CardWorld:
    """The declared fields, the world the story opens in, and what was odd about either."""

    fields: tuple[Field, ...] = ()
    opening: WorldState = EMPTY
    notes: tuple[Note, ...] = ()


def card_world(extensions: Mapping[str, Any]) -> CardWorld:
    """Read `extensions.liyuan.fields` and `extensions.liyuan.world`; the second is a patch in the scribe's own form."""
    fields, notes = parse_fields(extensions)
    told = declared_by(extensions).get("world")
    if told is None:
        return CardWorld(fields, EMPTY, notes)
    opened = apply(EMPTY, told, fields=fields, source="card")
    return CardWorld(fields, opened.world, (*notes, *opened.warnings))
