"""Moving about in a story: to any entry, back some turns, and over the journal of moves. Nothing is ever lost."""

from __future__ import annotations

from sqlalchemy import Connection

from liyuan.domain.entry import BRANCH_SUMMARY, ConversationId, Entry, EntryId
from liyuan.domain.errors import Invalid
from liyuan.domain.journal import REDO, UNDO, Move, steps
from liyuan.play.leaving import Farewell, leave
from liyuan.resources import Nobody, Resources
from liyuan.store.branch import active_leaf, load_path
from liyuan.store.conversations import Conversation, load_conversation
from liyuan.store.journal import load_moves
from liyuan.store.moves import move as move_now
from liyuan.store.pruning import cut_at, uncut
from liyuan.store.runs import Run
from liyuan.store.standing import standing
from liyuan.store.tree import load_entry

MOVE = "move"
REWIND = "rewind"
PRUNE = "prune"
RETURN = "return"
# Entries read at a time on the way up.
RUN = 200


async def move(
    resources: Resources,
    conversation_id: ConversationId,
    entry_id: EntryId,
    *,
    expected_leaf: EntryId | None,
    cause: str = MOVE,
    summary: Farewell = "none",
    words: str = "",
) -> Conversation:
    """Makes `entry_id` the leaf. What is left behind may get a summary: "auto", or "text" with one's own `words`.

    Own words are an entry under `entry_id`, which is then the leaf; an automatic one comes in the background. Raises
    LeafMoved, Busy, NotFound, or Invalid for an entry in a deleted part.
    """
    moved, run = await resources.database.write(
        _leave,
        conversation_id,
        entry_id,
        expected_leaf,
        cause,
        summary,
        words,
        not isinstance(resources.worker, Nobody),
    )
    if run:
        await resources.worker.submit(run)
    return moved


async def return_there(
    resources: Resources,
    conversation_id: ConversationId,
    summary_id: EntryId,
    *,
    expected_leaf: EntryId | None,
    summary: Farewell = "none",
    words: str = "",
) -> Conversation:
    """Goes back to the leaf that a branch summary tells of. Raises LeafMoved, Busy, NotFound or Invalid."""
    entry = await resources.database.read(load_entry, conversation_id, summary_id)
    from_id = entry.data.get("from_id")
    if entry.kind != BRANCH_SUMMARY or not isinstance(from_id, str):
        raise Invalid("This tells of no other branch to return to.")
    goal = EntryId(from_id)
    return await move(
        resources, conversation_id, goal, expected_leaf=expected_leaf, cause=RETURN, summary=summary, words=words
    )


async def rewind(
    resources: Resources, conversation_id: ConversationId, turns: int, *, expected_leaf: EntryId | None
) -> Conversation:
    """Goes back to before the reader's last `turns` messages. Raises Invalid when there are not so many."""
    return await resources.database.write(_rewind, conversation_id, turns, expected_leaf)


async def undo(
    resources: Resources, conversation_id: ConversationId, *, expected_leaf: EntryId | None = None
) -> Conversation:
    """Takes back the last move. Without `expected_leaf`, from wherever one is. Raises Invalid if there is none."""
    return await resources.database.write(_step, conversation_id, UNDO, expected_leaf)


async def redo(
    resources: Resources, conversation_id: ConversationId, *, expected_leaf: EntryId | None = None
) -> Conversation:
    """Plays the move again that was last taken back. Raises Invalid if there is none."""
    return await resources.database.write(_step, conversation_id, REDO, expected_leaf)


def _leave(
    connection: Connection,
    conversation_id: ConversationId,
    entry_id: EntryId,
    expected_leaf: EntryId | None,
    cause: str,
    summary: Farewell,
    words: str,
    may_wait: bool,
) -> tuple[Conversation, Run | None]:
    run = leave(
        connection,
        conversation_id,
        entry_id,
        expected_leaf=expected_leaf,
        cause=cause,
        summary=summary,
        words=words,
        may_wait=may_wait,
    )
    return load_conversation(connection, conversation_id), run


def _move(
    connection: Connection,
    conversation_id: ConversationId,
    entry_id: EntryId,
    expected_leaf: EntryId | None,
    cause: str,
) -> Conversation:
    expected_leaf = standing(connection, conversation_id, expected_leaf)
    move_now(connection, conversation_id, entry_id, expected_leaf=expected_leaf, cause=cause)
    return load_conversation(connection, conversation_id)


def _rewind(
    connection: Connection, conversation_id: ConversationId, turns: int, expected_leaf: EntryId | None
) -> Conversation:
    end = load_entry(connection, conversation_id, expected_leaf) if expected_leaf else None
    goal = _before_turn(connection, end, end.place.turn - turns + 1) if end and 0 < turns <= end.place.turn else None
    if goal is None:
        raise Invalid("The story has fewer turns than {turns} here. Choose a smaller number.", turns=turns)
    return _move(connection, conversation_id, goal, expected_leaf, REWIND)


def _before_turn(connection: Connection, end: Entry, turn: int) -> EntryId | None:
    """The entry just above the reader's message number `turn` on the path of `end`."""
    start: EntryId | None = end.id
    while start is not None:
        for entry in reversed(load_path(connection, start, most=RUN)):
            start = entry.parent_id
            if entry.place.turn == turn and entry.is_user:
                return entry.parent_id
    return None


def _bring_back(connection: Connection, conversation_id: ConversationId, entry_id: EntryId) -> None:
    place = load_entry(connection, conversation_id, entry_id).place
    while cut := cut_at(connection, conversation_id, place):
        uncut(connection, conversation_id, cut)


def _step(
    connection: Connection, conversation_id: ConversationId, which: str, expected_leaf: EntryId | None
) -> Conversation:
    possible = steps(load_moves(connection, conversation_id, growth=False))
    waiting = possible.undo if which == UNDO else possible.redo
    if not waiting or waiting[-1].from_id is None:
        raise Invalid("There is no move to take back." if which == UNDO else "There is no move to play again.")
    last: Move = waiting[-1]
    if which == UNDO and last.cause == PRUNE:
        _bring_back(connection, conversation_id, EntryId(str(last.from_id)))
    leaf = expected_leaf or active_leaf(connection, conversation_id)
    return _move(connection, conversation_id, EntryId(str(last.from_id)), leaf, which)
