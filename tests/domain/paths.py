"""Paths in one line: U a message, A a reply, T one that calls a tool, R the tool's result, W, S, B, V other kinds."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from liyuan.domain.entry import ASSISTANT, BRANCH_SUMMARY, MESSAGE, SAVE, STATE, SUMMARY, USER, Entry, EntryId, Place

KINDS = {"W": STATE, "S": SUMMARY, "B": BRANCH_SUMMARY, "V": SAVE}
ROLES = {"U": USER, "R": USER, "A": ASSISTANT, "T": ASSISTANT}


def entry(name: str, above: list[Entry], **data: Any) -> Entry:
    """The next entry of a path; its letter is its kind and its name its id."""
    letter = name[0]
    turn = (above[-1].place.turn if above else 0) + (letter == "U")
    return Entry(
        id=EntryId(name),
        parent_id=above[-1].id if above else None,
        kind=KINDS.get(letter, MESSAGE),
        role=ROLES.get(letter),
        text=None if letter in KINDS else f"text of {name}",
        data=data,
        place=Place(segment_id=1, depth=len(above), turn=turn),
    )


def path(names: str | Iterable[str]) -> list[Entry]:
    """A path from names: "U1 A1 U2". T and R of one number belong together; a bare B or S says something."""
    made: list[Entry] = []
    for name in names.split() if isinstance(names, str) else names:
        made.append(entry(name, made, **_data(name)))
    return made


def ids(entries: Iterable[Entry]) -> str:
    return " ".join(entry.id for entry in entries)


def _data(name: str) -> dict[str, Any]:
    letter, number = name[0], name[1:]
    return {
        "T": {"tool_calls": [{"id": number}]},
        "R": {"tool_results": [{"id": number}]},
        "B": {"text": f"reminder {number}", "from_id": "elsewhere"},
    }.get(letter, {})
