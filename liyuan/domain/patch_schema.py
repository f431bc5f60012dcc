"""The JSON schema of a patch, for providers that can be held to one. It says the same as the scribe's instruction."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any, Final

from liyuan.domain.fields import Field
from liyuan.domain.world import HIGHEST_AFFINITY, LOWEST_AFFINITY, ROSTERS, Json

TEXT: Final[Json] = {"type": "string"}
TEXTS: Final[Json] = {"type": "array", "items": TEXT}
AFFINITY: Final[Json] = {"type": "integer", "minimum": LOWEST_AFFINITY, "maximum": HIGHEST_AFFINITY}
LINES: Final[Json] = {"type": "object", "additionalProperties": TEXT}
CHARACTER: Final[Json] = {
    "type": "object",
    "properties": {"affinity": AFFINITY, "status": TEXT, "notes": TEXT},
    "additionalProperties": {"type": ["string", "number", "boolean", "null"]},
}
RELATIONSHIP: Final[Json] = {
    "type": "object",
    "properties": {"a": TEXT, "b": TEXT, "relation": TEXT, "affinity": AFFINITY, "note": TEXT},
    "required": ["a", "b", "relation", "affinity", "note"],
    "additionalProperties": False,
}


def patch_schema(fields: Collection[Field] = ()) -> Json:
    """A patch: every field may be left out, no other may be there."""
    properties: Json = {
        "time": TEXT,
        "location": TEXT,
        "characters": {"type": "object", "additionalProperties": {"anyOf": [CHARACTER, {"type": "null"}]}},
        "inventory": TEXTS,
        "plot_threads": TEXTS,
        "flags": {"type": "object", "additionalProperties": {"type": ["string", "number", "boolean", "null"]}},
        "relationships": {"type": "array", "items": RELATIONSHIP},
        "roster": {
            "type": "object",
            "properties": dict.fromkeys(ROSTERS, LINES),
            "additionalProperties": False,
        },
    }
    declared = {field.name: _declared(field) for field in fields}
    return {"type": "object", "properties": properties | declared, "additionalProperties": False}


def _declared(field: Field) -> Json:
    schema: dict[str, Any] = {"text": TEXT, "list": TEXTS}.get(field.type, {"type": "number"})
    limits = {"minimum": field.min, "maximum": field.max} if field.is_number else {}
    described = {"description": field.about or field.label}
    return {**schema, **{name: limit for name, limit in limits.items() if limit is not None}, **described}
