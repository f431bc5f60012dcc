"""What the model has done with its context tools, as lines beside its reply. Pure values.

A checkout has no line here: the note that it leaves stands in the story itself (`asides`).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Literal

from liyuan.domain.context_tools import LOG, TAG
from liyuan.domain.entry import EntryId
from liyuan.domain.tool_use import Use

NO_TAGS: Mapping[str, EntryId] = {}


@dataclass(frozen=True, slots=True, kw_only=True)
class UseLine:
    """One line. `name` is a tag and `entry_id` what it was put on; `stands` while it is there still.

    "refused" tells that the server takes no tools and that the reply was made without them.
    """

    kind: Literal["tag", "log", "refused"]
    name: str = ""
    entry_id: EntryId | None = None
    stands: bool = False


def use_lines(uses: Iterable[Use], tags: Mapping[str, EntryId] = NO_TAGS) -> tuple[UseLine, ...]:
    """The lines of a turn; to have looked twice is told once."""
    lines: list[UseLine] = []
    for use in uses:
        if use.tool == TAG and use.entry_id:
            stands = tags.get(use.name) == use.entry_id
            lines.append(UseLine(kind="tag", name=use.name, entry_id=use.entry_id, stands=stands))
        elif use.tool == LOG and LOOKED not in lines:
            lines.append(LOOKED)
    return tuple(lines)


LOOKED = UseLine(kind="log")
REFUSED = UseLine(kind="refused")
