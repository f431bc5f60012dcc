"""A remark for the person about something odd that was taken in all the same. It never stops an import."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Note:
    """`template` is an English sentence and a gettext msgid; `fields` fill it after translation."""

    template: str
    fields: Mapping[str, object] = field(default_factory=dict, hash=False)

    def __str__(self) -> str:
        return self.template.format_map(self.fields)
