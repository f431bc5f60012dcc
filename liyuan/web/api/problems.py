"""How the API speaks of errors (RFC 9457): one shape for all of them, described once for every call."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pydantic import BaseModel, ConfigDict

MEDIA_TYPE = "application/problem+json"


class Problem(BaseModel):
    """What went wrong. `type` is for programs, `detail` for people; other members help to go on.

    For example `leaf_id`, the present leaf, with "leaf-moved" and "busy"; `quarantined`, the faulty lines of a file.
    """

    model_config = ConfigDict(extra="allow")

    type: str
    title: str
    status: int
    detail: str


_SCHEMA = Problem.model_json_schema()
_TROUBLES: Mapping[int, tuple[str, dict[str, Any]]] = {
    404: ("Unknown", {"type": "not-found", "detail": "There is no story with the id 019c13d2.", "what": "story"}),
    409: (
        "The leaf is another one, or a reply is being written. Nothing was changed.",
        {"type": "leaf-moved", "detail": "The story has moved on.", "leaf_id": "019c13d2a1b07f3e5d2c4b6a"},
    ),
    413: ("Too large", {"type": "too-large", "detail": "This is too large: at most 2 MiB are taken."}),
    422: ("Not valid", {"type": "invalid", "detail": "Some of what was sent cannot be taken: text: missing."}),
    502: ("The model did not answer", {"type": "model-failed", "detail": "The model did not answer. Try again."}),
}


def _described(status: int) -> dict[str, Any]:
    title, members = _TROUBLES[status]
    example = {"type": members["type"], "title": title, "status": status, **members}
    return {
        "description": title,
        "content": {
            MEDIA_TYPE: {"schema": _SCHEMA, "example": example},
        },
    }


def problems(*statuses: int) -> dict[int | str, dict[str, Any]]:
    """The `responses` of a call that may answer with these; every other trouble has the same shape."""
    other = {
        "description": "Any other trouble: a missing password (401), a foreign origin (403), a fault of ours (500).",
        "content": {MEDIA_TYPE: {"schema": _SCHEMA}},
    }
    return {**{status: _described(status) for status in sorted({422, *statuses})}, "default": other}
