"""What a path means to the model: its messages as they stand, and the settings in force. A fold over root → leaf."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Literal, cast

from liyuan.domain.entry import ASSISTANT, BRANCH_SUMMARY, MESSAGE, REVISION, SETTING, SUMMARY, USER, Entry, EntryId
from liyuan.domain.tool_use import is_filed


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """One message as it stands on this path: the text of its last revision. `turn` counts the reader's messages.

    What a branch summary tells has not happened on this path, unless it `is_filed`: played, and put aside by the model.
    """

    entry_id: EntryId
    role: Literal["user", "assistant", "system"]
    text: str
    turn: int
    is_filed: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class History:
    """A path, read. `summary` stands in for everything up to `covers_through_id`, which `lines` leaves out."""

    lines: tuple[Line, ...] = ()
    summary: str = ""
    covers_through_id: EntryId | None = None
    settings: Mapping[str, Any] = field(default_factory=dict)

    def last(self, role: str | None = None) -> str:
        """The text said last, by anybody or by one role; empty when nobody spoke. Nobody says a branch summary."""
        said = (line for line in reversed(self.lines) if line.role == role or (role is None and line.role != "system"))
        return next((line.text for line in said), "")


def replay(path: Iterable[Entry]) -> History:
    """Reads a path, or the end of one that begins at or below what the summary covers. Unknown kinds are passed over.

    `path` runs root → leaf. The last summary is the one in force (semantics §5); a revision replaces the text of its
    target on the paths that hold it (§2); settings are overlaid in order (§1).
    """
    lines: dict[EntryId, Line] = {}
    settings: dict[str, Any] = {}
    summary, covers = "", None
    for entry in path:
        if entry.kind == MESSAGE and entry.role in (USER, ASSISTANT):
            lines[entry.id] = _line(entry)
        elif entry.kind == BRANCH_SUMMARY:
            lines[entry.id] = _note(entry)
        elif entry.kind == REVISION and entry.target_id in lines:
            lines[entry.target_id] = _revised(lines[entry.target_id], entry)
        elif entry.kind == SETTING:
            settings.update(entry.data)
        elif entry.kind == SUMMARY:
            summary, covers = _text(entry), entry.data.get("covers_through_id")
    kept = _after(list(lines.values()), covers)
    return History(lines=tuple(kept), summary=summary, covers_through_id=covers, settings=settings)


def _line(entry: Entry) -> Line:
    role = cast(Literal["user", "assistant"], entry.role)
    return Line(entry_id=entry.id, role=role, text=entry.text or "", turn=entry.place.turn)


def _note(entry: Entry) -> Line:
    return Line(entry_id=entry.id, role="system", text=_text(entry), turn=entry.place.turn, is_filed=is_filed(entry))


def _revised(line: Line, revision: Entry) -> Line:
    return replace(line, text=revision.text or "")


def _text(entry: Entry) -> str:
    return entry.text or str(entry.data.get("text", ""))


def _after(lines: list[Line], covers: EntryId | None) -> list[Line]:
    covered = next((index for index, line in enumerate(lines) if line.entry_id == covers), -1)
    return lines[covered + 1 :]
