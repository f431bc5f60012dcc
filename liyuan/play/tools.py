"""The story model's own context tools, carried out inside its turn (decision 16). Each is one unit of work.

Whatever cannot be done is told to the model as the answer to its call; the turn goes on.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from sqlalchemy import Connection

from liyuan.domain.context_log import log_text
from liyuan.domain.context_tools import CHECKOUT, LOG, TAG
from liyuan.domain.entry import SETTING, USER, ConversationId, Draft, Entry, EntryId
from liyuan.domain.errors import Invalid, NotFound
from liyuan.domain.history import Line, replay
from liyuan.domain.names import one_line
from liyuan.domain.prompt import PromptTooLarge
from liyuan.domain.tool_use import (
    ANSWERED_THERE,
    BY_MODEL,
    CALLS_A_TURN,
    CHECKED_OUT,
    CUT,
    NO_MORE_CALLS,
    NOT_DONE,
    TAGGED,
    TAGGED_ALREADY,
    TURNS_BETWEEN_CHECKOUTS,
    CheckoutCall,
    LogCall,
    Misused,
    TagCall,
    Use,
    parse_call,
    refusal_of_checkout,
    use_data,
    uses_of,
)
from liyuan.model.chat import ToolCall
from liyuan.model.tokenizer import count
from liyuan.play.closing import left_behind
from liyuan.play.context import checkout_now, log, resolve, tag_now
from liyuan.play.gather import Ready
from liyuan.resources import Resources
from liyuan.stage import Performance
from liyuan.store.branch import load_path, load_told
from liyuan.store.climb import is_above
from liyuan.store.database import new_id
from liyuan.store.performances import Performing, go_elsewhere, keep_uses
from liyuan.store.redaction import CARRIED
from liyuan.store.settings_at import load_settings
from liyuan.store.tags import load_tag
from liyuan.store.tree import append, load_entry

# The answer to one look may take this part of the window.
SHARE = 16
# The reader's words that nobody has answered are among so many entries at the end, or they are very many.
RECENT = 100


async def carry_out(resources: Resources, performance: Performance, call: ToolCall, ready: Ready, *, may: bool) -> str:
    """Does what a call asks for, if it `may` be done; answers what the model is told.

    Raises LeafMoved or Busy when another process has taken this performance for dead and ended it.
    """
    if not may:
        return NO_MORE_CALLS.format(limit=CALLS_A_TURN)
    try:
        match parse_call(call.name, call.arguments):
            case TagCall() as asked:
                return await _tag(resources, performance, asked)
            case LogCall() as asked:
                return await _look(resources, performance, asked, ready)
            case CheckoutCall() as asked:
                return await _check_out(resources, performance, asked, ready.chosen.model.name)
    except Misused as error:
        return str(error)
    except (Invalid, NotFound, PromptTooLarge) as error:
        return NOT_DONE.format(reason=error)


# --- tags


async def _tag(resources: Resources, performance: Performance, asked: TagCall) -> str:
    performing, use = await resources.database.write(_tag_now, performance.performing, asked)
    if use is None:
        return TAGGED_ALREADY.format(name=one_line(asked.name), entry_id=asked.entry or performing.told_up_to)
    performance.note(use, performing)
    return TAGGED.format(name=use.name, entry_id=use.entry_id)


def _tag_now(connection: Connection, performing: Performing, asked: TagCall) -> tuple[Performing, Use | None]:
    """No use where the tag was there before: then it is not this turn's to take off again."""
    place = EntryId(asked.entry) if asked.entry else performing.told_up_to
    name = one_line(asked.name)
    known = load_tag(connection, performing.conversation_id, name)
    tag_now(connection, performing.conversation_id, name, place)
    if known is not None and known == place:
        return performing, None
    return _noted(connection, performing, Use(tool=TAG, name=name, entry_id=place))


def _noted(connection: Connection, performing: Performing, use: Use) -> tuple[Performing, Use]:
    return keep_uses(connection, performing, (*(performing.uses or ()), use_data(use))), use


# --- the log


async def _look(resources: Resources, performance: Performance, asked: LogCall, ready: Ready) -> str:
    """The log of the path that the model is told; a swipe's shows nothing of what it replaces."""
    performing = performance.performing
    seen: list[str] = []

    async def look() -> None:
        found = await log(
            resources,
            performing.conversation_id,
            limit=asked.limit,
            first=EntryId(asked.first) if asked.first else None,
            last=EntryId(asked.last) if asked.last else None,
            leaf_id=performing.told_up_to,
            ready=ready,
        )
        seen.append(log_text(found))

    # Reading may be cut short by a stop, writing may not: what is committed must be known here.
    if not await performance.speak(look()):
        return ""
    performing, use = await resources.database.write(_noted, performing, Use(tool=LOG))
    performance.note(use, performing)
    return _cut(seen[0], ready.chosen.window // SHARE, from_the_end=not (asked.first or asked.last))


def _cut(text: str, budget: int, *, from_the_end: bool) -> str:
    """So many lines as the budget (in tokens) allows. Of the way here the end counts, of a stretch its beginning."""
    if count(text) <= budget:
        return text
    board, *lines = text.split("\n")
    ordered = lines[::-1] if from_the_end else lines
    kept: list[str] = []
    for line in ordered:
        budget -= count(line) + 1
        if budget < 0:
            break
        kept.append(line)
    return "\n".join([board, CUT, *reversed(kept)] if from_the_end else [board, *kept, CUT])


# --- checkouts


async def _check_out(resources: Resources, performance: Performance, asked: CheckoutCall, model: str) -> str:
    performing = replace(performance.performing, text=performance.text, reasoning=performance.reasoning)
    performing, use, carried = await resources.database.write(_check_out_now, performing, asked, model)
    performance.note(use, performing)
    performance.turn(performing, carried)
    return CHECKED_OUT


def _check_out_now(
    connection: Connection, performing: Performing, asked: CheckoutCall, model: str
) -> tuple[Performing, Use, tuple[Entry, ...]]:
    """Leaves what was said, goes to the target, sets the message there, and the reader's words and choices below it."""
    story, leaf = performing.conversation_id, performing.expected_leaf
    _check_limits(connection, performing)
    goal = load_entry(connection, story, resolve(connection, story, asked.target, leaf))
    carried = _to_be_carried(connection, performing, goal)
    left = left_behind(connection, performing, performing.text, performing.reasoning, model)
    done = checkout_now(
        connection,
        story,
        asked.target,
        asked.message,
        backup_tag=asked.backup_tag,
        expected_leaf=left,
        performance_id=performing.id,
        known={"source": BY_MODEL, "target": asked.target},
    )
    at = _with_choices(connection, performing, leaf, goal, done.entry_id)
    words: list[Entry] = []
    for line in carried:
        draft = Draft(id=EntryId(new_id()), parent_id=at, role=USER, text=line.text, data={CARRIED: line.entry_id})
        words.append(append(connection, story, draft, expected_leaf=at, performance_id=performing.id))
        at = draft.id
    use = Use(
        tool=CHECKOUT, name=asked.target, entry_id=done.entry_id, from_id=done.from_id, backup_tag=asked.backup_tag
    )
    performing = go_elsewhere(connection, performing, parent_id=at, expected_leaf=at)
    return *_noted(connection, performing, use), tuple(words)


def _check_limits(connection: Connection, performing: Performing) -> None:
    """Raises Misused when there can be no checkout now."""
    end = performing.told_up_to
    turn = load_entry(connection, performing.conversation_id, end).place.turn if end else 0
    path: list[Entry] = []
    while end is not None and (not path or path[0].place.turn >= turn - TURNS_BETWEEN_CHECKOUTS - 1):
        path = load_path(connection, end, most=RECENT) + path
        end = path[0].parent_id
    uses = uses_of(list(performing.uses or ()))
    refusal = refusal_of_checkout(path, uses, turn, is_retold=performing.act != "reply")
    if refusal:
        raise Misused(refusal)


def _to_be_carried(connection: Connection, performing: Performing, goal: Entry) -> list[Line]:
    """What the reader has said and nobody answered, as it stands, but for what is on the way to the target already.

    Raises Misused where all of it is: then there would be nothing to answer.
    """
    end = performing.told_up_to
    unanswered = _unanswered(load_told(connection, end, most=RECENT)) if end else []
    carried = [line for line in unanswered if not _is_on_the_way(connection, performing.conversation_id, line, goal)]
    if unanswered and not carried:
        raise Misused(ANSWERED_THERE)
    return carried


def _unanswered(path: Sequence[Entry]) -> list[Line]:
    lines: list[Line] = []
    for line in reversed(replay(path).lines):
        if line.role == "assistant":
            break
        if line.role == "user":
            lines.insert(0, line)
    return lines


def _is_on_the_way(connection: Connection, conversation_id: ConversationId, line: Line, goal: Entry) -> bool:
    return line.entry_id == goal.id or is_above(
        connection, load_entry(connection, conversation_id, line.entry_id), goal
    )


def _with_choices(
    connection: Connection, performing: Performing, leaf: EntryId | None, goal: Entry, at: EntryId
) -> EntryId:
    """The reader's choice of a model or a persona since the target comes along; answers the leaf then."""
    story = performing.conversation_id
    chosen = load_settings(connection, load_entry(connection, story, leaf).place.setting_id) if leaf else {}
    there = load_settings(connection, goal.place.setting_id)
    changed = {key: value for key, value in chosen.items() if key not in there or there[key] != value}
    if not changed:
        return at
    draft = Draft(id=EntryId(new_id()), parent_id=at, kind=SETTING, data=changed)
    return append(connection, story, draft, expected_leaf=at, performance_id=performing.id).id
