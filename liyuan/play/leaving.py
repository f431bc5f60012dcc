"""Leaving a branch by a jump, with or without a word on what is left behind (semantics §5).

Own words are written in the transaction of the move itself; an automatic summary is a run, guarded like any other. Both
stand under the place one goes to and name the leaf that was left, so one click returns.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, TypeAlias

from sqlalchemy import Connection

from liyuan.domain.branch_summary import branch_summary_data
from liyuan.domain.entry import BRANCH_SUMMARY, ConversationId, Draft, Entry, EntryId
from liyuan.domain.errors import Invalid
from liyuan.store.database import new_id
from liyuan.store.moves import move
from liyuan.store.runs import Run, queue
from liyuan.store.standing import standing
from liyuan.store.tree import append

Farewell: TypeAlias = Literal["none", "auto", "text"]

BRANCH = "branch-summary"
NOTHING: Mapping[str, str] = {}
LONGEST = 20_000
NO_WORDS = "There are no words to leave behind. Write some, or go without."
TOO_LONG = "These words have {length} characters; at most {limit} are taken."


def leave(
    connection: Connection,
    conversation_id: ConversationId,
    to: EntryId,
    *,
    expected_leaf: EntryId | None,
    cause: str,
    summary: Farewell = "none",
    words: str = "",
    may_wait: bool = True,
) -> Run | None:
    """Moves to `to` and leaves behind what is wished for; answers the run to submit for an automatic summary.

    `may_wait` tells whether there is anybody to write one. Where one does not go anywhere, nothing is left behind.
    Raises LeafMoved, Busy, NotFound, or Invalid for an entry in a deleted part or for a text without words.
    """
    words = sound(words) if summary == "text" else ""
    left = standing(connection, conversation_id, expected_leaf)
    move(connection, conversation_id, to, expected_leaf=left, cause=cause)
    if left is None or left == to:
        return None
    if summary == "text":
        remember(connection, conversation_id, words, at=to, from_id=left)
    if summary == "auto" and may_wait:
        return queue(connection, conversation_id, to, asked=BRANCH, from_id=left)
    return None


def remember(
    connection: Connection,
    conversation_id: ConversationId,
    words: str,
    *,
    at: EntryId,
    from_id: EntryId,
    performance_id: str | None = None,
    known: Mapping[str, str] = NOTHING,
) -> Entry:
    """Writes a branch summary under the leaf `at`. `from_id` is the leaf that was left, never `at` itself (pi#3796).

    `known` is what else its data should tell.
    """
    assert from_id != at, "a branch summary tells of another place than its own"
    data = {**branch_summary_data(words, from_id), **known}
    draft = Draft(id=EntryId(new_id()), parent_id=at, kind=BRANCH_SUMMARY, data=data)
    return append(connection, conversation_id, draft, expected_leaf=at, performance_id=performance_id)


def sound(words: str) -> str:
    """The words without outer spaces. Raises Invalid where there are none, or too many."""
    words = words.strip()
    if not words:
        raise Invalid(NO_WORDS)
    if len(words) > LONGEST:
        raise Invalid(TOO_LONG, length=len(words), limit=LONGEST)
    return words
