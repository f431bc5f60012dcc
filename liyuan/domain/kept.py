"""What a conversation file held that has no place of its own here, laid aside in one object and put back on export."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from liyuan.domain.conversation_file import ConversationFile, Cut, Visit
from liyuan.domain.margin import Margin
from liyuan.domain.tolerant import Json

PERSONA_KEYS = frozenset({"name", "description"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Kept:
    """Unknown keys: of the header, the persona, the journal (by place), cut parts (by entry), the margin. And lines."""

    header: Json = field(default_factory=dict)
    persona: Json = field(default_factory=dict)
    journal: Mapping[str, Json] = field(default_factory=dict)
    cuts: Mapping[str, Json] = field(default_factory=dict)
    margin: Mapping[str, Mapping[str, Json]] = field(default_factory=dict)
    lines: tuple[Json, ...] = ()

    def visit(self, place: int, visit: Visit) -> Visit:
        """The `place`th line of the journal, counted from 0, with the keys it came with."""
        extra = self.journal.get(str(place))
        return replace(visit, extra=extra) if extra else visit

    def cut(self, cut: Cut) -> Cut:
        extra = self.cuts.get(cut.entry_id)
        return replace(cut, extra=extra) if extra else cut

    def beside(self, margin: Margin) -> Margin:
        """The margin with the keys its lines came with."""
        known = self.margin
        if not known:
            return margin
        return Margin(
            tags=tuple(replace(tag, extra=known["tags"].get(tag.name, {})) for tag in margin.tags),
            worldlines=tuple(replace(line, extra=known["worldlines"].get(line.id, {})) for line in margin.worldlines),
            saves=tuple(replace(save, extra=known["saves"].get(save.entry_id, {})) for save in margin.saves),
            deleted=tuple(replace(gone, extra=known["deleted"].get(gone.entry_id, {})) for gone in margin.deleted),
        )


def lay_aside(file: ConversationFile) -> Json:
    """What `put_back` reads; empty where the file holds nothing unknown."""
    persona = file.header.persona or {}
    found: Json = {
        "header": file.header.extra,
        "persona": {key: value for key, value in persona.items() if key not in PERSONA_KEYS},
        "journal": {str(place): visit.extra for place, visit in enumerate(file.journal) if visit.extra},
        "cuts": {cut.entry_id: cut.extra for cut in file.cuts if cut.extra},
        "margin": _margin(file.margin),
        "lines": list(file.others),
    }
    return {key: value for key, value in found.items() if value}


def put_back(extra: Mapping[str, Any]) -> Kept:
    """Reads what `lay_aside` made."""
    return Kept(
        header=extra.get("header", {}),
        persona=extra.get("persona", {}),
        journal=extra.get("journal", {}),
        cuts=extra.get("cuts", {}),
        margin=extra.get("margin", {}),
        lines=tuple(extra.get("lines", ())),
    )


def _margin(margin: Margin) -> Json:
    found: Json = {
        "tags": {tag.name: tag.extra for tag in margin.tags if tag.extra},
        "worldlines": {line.id: line.extra for line in margin.worldlines if line.extra},
        "saves": {save.entry_id: save.extra for save in margin.saves if save.extra},
        "deleted": {gone.entry_id: gone.extra for gone in margin.deleted if gone.extra},
    }
    return found if any(found.values()) else {}
