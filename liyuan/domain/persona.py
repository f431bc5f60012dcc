"""The reader's character. A value: changing one makes a new one, and a story keeps the one it was told with."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Persona:
    """`name` is what {{user}} becomes, `description` what {{persona}} becomes; both may hold any text."""

    id: str
    name: str
    description: str = ""
