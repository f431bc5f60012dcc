"""What a conversation file held that has no place of its own here, laid aside in one object and put back on export."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from liyuan.domain.conversation_file import ConversationFile, Cut, Visit
from liyuan.domain.tolerant import Json

PERSONA_KEYS = frozenset({"name", "description"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Kept:
    """Unknown keys: of the header, the persona, the journal (by place), pruned parts (by entry). And unknown lines."""

    header: Json = field(default_factory=dict)
    persona: Json = field(default_factory=dict)
    journal: Mapping[str, Json] = field(default_factory=dict)
    cuts: Mapping[str, Json] = field(default_factory=dict)
    lines: tuple[Json, ...] = ()

    def visit(self, place: int, visit: Visit) -> Visit:
        """The `place`th line of the journal, counted from 0, with the keys it came with."""
        extra = self.journal.get(str(place))
        return replace(visit, extra=extra) if extra else visit

    def cut(self, cut: Cut) -> Cut:
        extra = self.cuts.get(cut.entry_id)
        return replace(cut, extra=extra) if extra else cut


def lay_aside(file: ConversationFile) -> Json:
    """What `put_back` reads; empty where the file holds nothing unknown."""
    persona = file.header.persona or {}
    found: Json = {
        "header": file.header.extra,
        "persona": {key: value for key, value in persona.items() if key not in PERSONA_KEYS},
        "journal": {str(place): visit.extra for place, visit in enumerate(file.journal) if visit.extra},
        "cuts": {cut.entry_id: cut.extra for cut in file.cuts if cut.extra},
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
        lines=tuple(extra.get("lines", ())),
    )
