"""What is left behind by going elsewhere, and the reminder of it: old leaf back to the common ancestor (§5)."""

from __future__ import annotations

from collections.abc import Sequence

from liyuan.domain.card import Language
from liyuan.domain.compaction import covered_until, in_force, is_line
from liyuan.domain.entry import Entry, EntryId
from liyuan.domain.history import Line
from liyuan.domain.placeholders import Cast, Messages, asked, told
from liyuan.domain.summary_phrases import SUMMARY_PHRASES
from liyuan.domain.world import Json


def abandoned(old: Sequence[Entry], new: Sequence[Entry]) -> tuple[Entry, ...]:
    """The messages of one path below its common ancestor with another; both run root → leaf.

    A summary on the way left behind stands first, for all that it covers. Empty when the new path holds the old leaf,
    so that a branch summary never names its own parent (pi#3796).
    """
    shared = sum(1 for one, other in zip(old, new, strict=False) if one.id == other.id)
    summary = in_force(old[shared:])
    start = max(shared, covered_until(old, summary))
    lines = tuple(entry for entry in old[start:] if is_line(entry))
    return (summary, *lines) if summary else lines


def branch_summary_prompt(
    summary: str, lines: Sequence[Line], *, cast: Cast, language: Language = "en", instruction: str | None = None
) -> Messages:
    """Asks for a reminder of a way left behind; `summary` is the text of one that `abandoned` put first, or empty."""
    words = SUMMARY_PHRASES[language]
    sections = (("summary", words.summary, summary), ("story", words.story, told(lines, cast, language)))
    return asked(instruction, words.branch, sections, words.go, cast)


def branch_summary_data(text: str, from_id: EntryId) -> Json:
    """The `data` of a `branch-summary` entry; `from_id` is the leaf that was left (api.md)."""
    return {"text": text, "from_id": from_id}
