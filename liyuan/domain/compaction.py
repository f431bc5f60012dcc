"""When a long story is summarised, what a summary covers, and what is asked for. Cuts fall between turns only (§5)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final

from liyuan.domain.card import Language
from liyuan.domain.entry import BRANCH_SUMMARY, MESSAGE, SUMMARY, Entry, EntryId
from liyuan.domain.errors import ModelFailed
from liyuan.domain.history import Line
from liyuan.domain.placeholders import Cast, Messages, asked, told, without_thoughts
from liyuan.domain.summary_phrases import SUMMARY_PHRASES
from liyuan.domain.world import Json

PLACEHOLDERS: Final = ("char", "user", "summary", "story")


class EmptySummary(ModelFailed):
    message = (
        "The model wrote no summary. Nothing was summarised and nothing is lost. It is tried again after a later turn."
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """What the next summary covers: these entries, and all that `previous`, the summary in force, stood for.

    `turns` counts the turns that the new summary stands for, those of `previous` included.
    """

    covered: tuple[Entry, ...]
    covers_through_id: EntryId
    turns: int
    previous: Entry | None = None


def is_due(*, prompt_tokens: int, window: int, at: float, turns_since: int, every: int) -> bool:
    """Whether the prompt has passed a share of the window, or enough turns have gone by. Zero switches either off."""
    return (at > 0 and prompt_tokens > window * at) or (0 < every <= turns_since)


def in_force(path: Sequence[Entry]) -> Entry | None:
    """The last summary on the path, the only one that counts. One without text puts those above it out of force."""
    last = _last(path)
    return last if last is not None and text_of(last) else None


def turns_since(path: Sequence[Entry]) -> int:
    """How many turns were begun since the last summary was written, or since the story began."""
    last = _last(path)
    written = next((index for index, entry in enumerate(path, start=1) if entry is last), 0)
    return sum(map(opens_a_turn, path[written:]))


def opens_a_turn(entry: Entry) -> bool:
    """A message of the reader's own; what a tool answered is none, whoever it is booked under."""
    return entry.is_user and not _answered(entry)


def plan(
    path: Sequence[Entry],
    keep_turns: int,
    *,
    size: Callable[[Entry], int] = lambda entry: 0,
    limit: int = 0,
) -> Plan | None:
    """What to summarise so that the last `keep_turns` turns stay verbatim; None when there is nothing to.

    `path` runs root → leaf, or from anywhere at or above what is not yet covered. A stretch larger than `limit` tokens
    by `size` is taken piece by piece, at least one turn at a time (0: no limit). No cut parts a tool call from its
    result, and nothing is covered twice.
    """
    previous = in_force(path)
    lines = _uncovered(path, previous)
    starts = [index for index, entry in enumerate(lines) if opens_a_turn(entry)]
    calls = _calls(lines)
    cuts = [cut for cut in _cuts(lines, starts, keep_turns) if not any(made < cut <= done for made, done in calls)]
    cut = _within(cuts, lines, size, limit)
    if not cut:
        return None
    covered = tuple(lines[:cut])
    turns = sum(map(opens_a_turn, covered)) + (turns_of(previous) if previous else 0)
    return Plan(covered=covered, covers_through_id=covered[-1].id, turns=turns, previous=previous)


def summary_prompt(
    previous: str, covered: Sequence[Line], *, cast: Cast, language: Language = "en", instruction: str | None = None
) -> Messages:
    """Asks for one summary of the summary in force (empty: none) and the messages that followed."""
    words = SUMMARY_PHRASES[language]
    sections = (("summary", words.summary, previous), ("story", words.story, told(covered, cast, language)))
    return asked(instruction, words.instruction, sections, words.go, cast)


def summary_data(text: str, made: Plan) -> Json:
    """The `data` of an `rp-summary` entry (api.md)."""
    return {"text": text, "covers_through_id": made.covers_through_id, "turns": made.turns}


def parse_summary(answer: str) -> str:
    """The summary a model wrote. Raises EmptySummary when there is none."""
    text = without_thoughts(answer)
    if not text:
        raise EmptySummary(kind="empty")
    return text


def text_of(summary: Entry) -> str:
    return summary.text or str(summary.data.get("text") or "")


def turns_of(summary: Entry) -> int:
    """How many turns a summary stands for."""
    turns = summary.data.get("turns")
    return turns if isinstance(turns, int) and turns > 0 else 0


def is_line(entry: Entry) -> bool:
    """Whether an entry is part of the story's text."""
    return entry.kind in (MESSAGE, BRANCH_SUMMARY)


def _uncovered(path: Sequence[Entry], summary: Entry | None) -> list[Entry]:
    return [entry for entry in path[covered_until(path, summary) :] if is_line(entry)]


def covered_until(path: Sequence[Entry], summary: Entry | None) -> int:
    """The index on the path where a summary stops and verbatim messages begin."""
    covers = summary.data.get("covers_through_id") if summary else None
    return next((index + 1 for index, entry in enumerate(path) if entry.id == covers), 0)


def _last(path: Sequence[Entry]) -> Entry | None:
    return next((entry for entry in reversed(path) if entry.kind == SUMMARY), None)


def _cuts(lines: Sequence[Entry], starts: Sequence[int], keep_turns: int) -> list[int]:
    """Where a cut may fall, first to last: before a turn, with a whole turn above and the turns to keep below."""
    if keep_turns > 0:
        return list(starts[1 : max(len(starts) - keep_turns + 1, 1)])
    waiting = bool(lines) and opens_a_turn(lines[-1])
    return [*starts[1:], *([] if waiting or not starts else [len(lines)])]


def _within(cuts: Sequence[int], lines: Sequence[Entry], size: Callable[[Entry], int], limit: int) -> int:
    """The last cut whose stretch fits, at least the first one; 0 when there is none."""
    if not cuts or limit <= 0:
        return cuts[-1] if cuts else 0
    best, spent, at = cuts[0], 0, 0
    for cut in cuts:
        spent, at = spent + sum(map(size, lines[at:cut])), cut
        if spent > limit:
            break
        best = cut
    return best


def _calls(lines: Sequence[Entry]) -> list[tuple[int, int]]:
    """Where each tool call is made and where its last result stands, when that is another message."""
    made = {call: index for index, entry in enumerate(lines) for call in _called(entry)}
    done = {call: index for index, entry in enumerate(lines) for call in _answered(entry)}
    return [(made[call], done[call]) for call in made.keys() & done.keys() if made[call] < done[call]]


def _called(entry: Entry) -> frozenset[str]:
    """The ids of the tool calls a message makes."""
    return _ids(entry.data.get("tool_calls"))


def _answered(entry: Entry) -> frozenset[str]:
    """The ids of the tool calls whose results a message holds."""
    return _ids(entry.data.get("tool_results")) | _ids([{"id": entry.data.get("tool_call_id")}])


def _ids(parts: Any) -> frozenset[str]:
    found = [part.get("id") for part in parts if isinstance(part, dict)] if isinstance(parts, list) else []
    return frozenset(one for one in found if isinstance(one, str) and one)
