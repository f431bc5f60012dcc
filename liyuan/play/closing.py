"""The end of a performance: what was said is appended, its run queued and the stage left, in one transaction.

What a model did with its tools stands in the data of the reply. Where there is no reply, its tags are taken off again.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

from sqlalchemy import Connection

from liyuan.domain.context_tools import TAG
from liyuan.domain.entry import ASSISTANT, REVISION, Draft, Entry, EntryId, Status
from liyuan.domain.journal import GROWTH
from liyuan.domain.tool_use import uses_of
from liyuan.model.chat import Finish
from liyuan.store.branch import load_shown
from liyuan.store.database import new_id
from liyuan.store.performances import Performing, end
from liyuan.store.runs import Run, queue
from liyuan.store.tags import drop_tag, load_tag
from liyuan.store.tree import append

SWIPE = "swipe"


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """What came of a performance. The prompt's tokens are our own count: all of it, and without the story.

    `finish` is the last one, its usage that of all answers together. `is_booked` tells whether somebody is there to
    account for the turn; `recalled` what memory told it, and why.
    """

    text: str
    reasoning: str = ""
    finish: Finish = field(default_factory=Finish)
    is_whole: bool = True
    prompt_tokens: int = 0
    fixed_tokens: int = 0
    is_booked: bool = True
    recalled: Mapping[str, Any] = field(default_factory=dict)


def left_behind(
    connection: Connection, performing: Performing, text: str, reasoning: str, model: str
) -> EntryId | None:
    """Keeps what has been said so far as an interrupted reply, before the performance goes elsewhere; the leaf then.

    Raises LeafMoved or Busy.
    """
    if not text.strip():
        return performing.expected_leaf
    data = {name: value for name, value in (("model", model), ("reasoning", reasoning.strip())) if value}
    draft = Draft(
        id=EntryId(new_id()),
        parent_id=performing.parent_id,
        role=ASSISTANT,
        text=text.strip(),
        data=data,
        status="interrupted",
    )
    leaf = performing.expected_leaf
    return append(connection, performing.conversation_id, draft, expected_leaf=leaf, performance_id=performing.id).id


def close(connection: Connection, performing: Performing, outcome: Outcome) -> tuple[Entry | None, Run | None]:
    """Appends what was said, queues its run and leaves the stage, in one transaction. Nothing said, nothing appended.

    Raises LeafMoved or Busy when another process has already ended this performance.
    """
    draft = _draft(connection, performing, outcome)
    entry = run = None
    if draft is not None:
        entry = append(
            connection,
            performing.conversation_id,
            draft,
            expected_leaf=performing.expected_leaf,
            performance_id=performing.id,
            cause=SWIPE if performing.act == "swipe" else GROWTH,
        )
        run = queue(connection, performing.conversation_id, entry.id) if outcome.is_booked else None
    if end(connection, performing.id) and entry is None:
        _take_tags_off(connection, performing)
    return entry, run


def _take_tags_off(connection: Connection, performing: Performing) -> None:
    """No reply, no line in the story that could tell of them."""
    for use in uses_of(list(performing.uses or ())):
        if use.tool == TAG and load_tag(connection, performing.conversation_id, use.name) == use.entry_id:
            drop_tag(connection, performing.conversation_id, use.name)


def _draft(connection: Connection, performing: Performing, outcome: Outcome) -> Draft | None:
    if not outcome.text.strip() or performing.act == "impersonate":
        return None
    status: Status = "complete" if outcome.is_whole else "interrupted"
    key = EntryId(new_id())
    if performing.act != "continue" or performing.parent_id is None:
        text, data = outcome.text.strip(), _data(performing, outcome)
        return Draft(id=key, parent_id=performing.parent_id, role=ASSISTANT, text=text, data=data, status=status)
    before = load_shown(connection, performing.conversation_id, performing.parent_id, performing.expected_leaf)
    data = {"target_id": performing.parent_id, "continued": True, **_data(performing, outcome)}
    text = before.text + outcome.text
    return Draft(id=key, parent_id=performing.expected_leaf, kind=REVISION, text=text, data=data, status=status)


def _data(performing: Performing, outcome: Outcome) -> dict[str, Any]:
    usage = {name: value for name, value in asdict(outcome.finish.usage).items() if value is not None}
    kept = {
        "model": outcome.finish.model,
        "reasoning": outcome.reasoning.strip(),
        "usage": usage,
        "prompt_tokens": outcome.prompt_tokens,
        "fixed_tokens": outcome.fixed_tokens,
        "finish": "" if outcome.finish.reason in ("stop", "tools") else outcome.finish.reason,
        "tools": list(performing.uses or ()),
        "without_tools": outcome.finish.without_tools,
        **outcome.recalled,
    }
    return {name: value for name, value in kept.items() if value}
