"""Compaction: when the prompt grows long, what lies far back is summarised on its branch. The text itself stays."""

from __future__ import annotations

from dataclasses import dataclass

from sqlalchemy import Connection

from liyuan.domain.compaction import Plan, is_due, parse_summary, plan, summary_data, summary_prompt, text_of
from liyuan.domain.entry import MESSAGE, SUMMARY, ConversationId, Draft, Entry, EntryId
from liyuan.domain.history import Line, replay
from liyuan.domain.placeholders import Cast as Names
from liyuan.domain.tokens import PER_MESSAGE
from liyuan.jobs.ask import ask
from liyuan.jobs.baton import already, still_here
from liyuan.model.chat import Request, Said, Sampling
from liyuan.model.tokenizer import count
from liyuan.resources import Resources
from liyuan.settings import Settings
from liyuan.store.branch import load_path
from liyuan.store.cast import Cast, covered_depth, load_cast
from liyuan.store.library import load_preferences
from liyuan.store.runs import ASKED, Run
from liyuan.store.tree import append, load_entry

INSTRUCTION = "summary_instruction"
NAME = "compaction"
# Tokens that a summary may have; the share of the window that one piece may fill; pieces in one run.
ANSWER = 1200
SHARE = 0.5
PIECES = 8


@dataclass(frozen=True, slots=True, kw_only=True)
class Stretch:
    """What is to be summarised at a leaf, and the messages of it as they stand on this path."""

    cast: Cast
    plan: Plan
    lines: tuple[Line, ...]


async def compaction(resources: Resources, run: Run, leaf: EntryId) -> EntryId:
    """Summarises what is due on the path of `leaf`; answers the leaf afterwards.

    Raises LeafMoved or Busy when the reader has moved on, ModelFailed when the model wrote no summary.
    """
    asked = run.steps.get(ASKED) == NAME
    for number in range(1, PIECES + 1):
        key = EntryId(f"{run.id}-summary-{number}")
        if await already(resources, run, key):
            leaf, asked = key, False
            continue
        stretch = await resources.database.read(_load_due, run.conversation_id, leaf, resources, asked)
        if stretch is None:
            return leaf
        await still_here(resources, run, leaf)
        text = await _summary(resources, stretch)
        draft = Draft(id=key, parent_id=leaf, kind=SUMMARY, data=summary_data(text, stretch.plan))
        leaf = await resources.database.write(_append, run, draft, leaf)
        asked = False
    return leaf


def _append(connection: Connection, run: Run, draft: Draft, leaf: EntryId) -> EntryId:
    return append(connection, run.conversation_id, draft, expected_leaf=leaf).id


def _load_due(
    connection: Connection, conversation_id: ConversationId, leaf_id: EntryId, resources: Resources, asked: bool
) -> Stretch | None:
    leaf = load_entry(connection, conversation_id, leaf_id)
    cast = load_cast(connection, conversation_id, leaf)
    window = resources.models.choose(cast.connection).window
    if not asked and not _may_be_due(connection, conversation_id, leaf, resources.settings, window):
        return None
    depth = covered_depth(connection, conversation_id, leaf)
    path = load_path(connection, leaf.id, most=leaf.depth - max(depth, 0) + 1)
    if not asked and not _is_due(connection, conversation_id, leaf, path, resources.settings, window):
        return None
    made = plan(path, resources.settings.keep_turns, size=_size, limit=int(window * SHARE))
    if made is None:
        return None
    covered = {entry.id for entry in made.covered}
    lines = tuple(line for line in replay(path).lines if line.entry_id in covered)
    return Stretch(cast=cast, plan=made, lines=lines)


def _may_be_due(
    connection: Connection, conversation_id: ConversationId, leaf: Entry, settings: Settings, window: int
) -> bool:
    """Without reading the path: by the turns since the last summary, and by the size of the last prompt."""
    since = leaf.place.turn - _turn_of_summary(connection, conversation_id, leaf)
    return is_due(
        prompt_tokens=_last_prompt(connection, conversation_id, leaf),
        window=window,
        at=settings.compact_at,
        turns_since=since,
        every=settings.compact_every_turns,
    )


def _is_due(
    connection: Connection,
    conversation_id: ConversationId,
    leaf: Entry,
    path: list[Entry],
    settings: Settings,
    window: int,
) -> bool:
    """With the path at hand: what the story after the last summary would fill by itself."""
    return is_due(
        prompt_tokens=sum(map(_size, path)) + _fixed(connection, conversation_id, leaf),
        window=window,
        at=settings.compact_at,
        turns_since=leaf.place.turn - _turn_of_summary(connection, conversation_id, leaf),
        every=settings.compact_every_turns,
    )


def _turn_of_summary(connection: Connection, conversation_id: ConversationId, leaf: Entry) -> int:
    key = leaf.place.summary_id
    return load_entry(connection, conversation_id, key).place.turn if key else 0


def _last_prompt(connection: Connection, conversation_id: ConversationId, leaf: Entry) -> int:
    """Tokens of the prompt that the last reply answered, and of the reply: what the next prompt begins with."""
    for entry in reversed(load_path(connection, leaf.id, most=20)):
        if entry.is_reply:
            tokens = entry.data.get("prompt_tokens")
            return (tokens if isinstance(tokens, int) else 0) + _size(entry)
    return 0


def _fixed(connection: Connection, conversation_id: ConversationId, leaf: Entry) -> int:
    for entry in reversed(load_path(connection, leaf.id, most=20)):
        fixed = entry.data.get("fixed_tokens")
        if entry.is_reply and isinstance(fixed, int):
            return fixed
    return 0


def _size(entry: Entry) -> int:
    return count(entry.text or "") + PER_MESSAGE if entry.kind == MESSAGE else 0


async def _summary(resources: Resources, stretch: Stretch) -> str:
    card = stretch.cast.card
    names = Names(char=card.char, user=stretch.cast.persona.name)
    preferences = await resources.database.read(load_preferences)
    messages = summary_prompt(
        text_of(stretch.plan.previous) if stretch.plan.previous else "",
        stretch.lines,
        cast=names,
        language=card.language,
        instruction=preferences.get(f"{INSTRUCTION}_{card.language}"),
    )
    request = Request(
        messages=tuple(Said(role=role, text=text) for role, text in messages),
        sampling=Sampling(temperature=0.3, max_tokens=ANSWER),
        purpose="summary",
        char=names.char,
        user=names.user,
    )
    chosen = resources.models.choose(stretch.cast.connection, "summary")
    return parse_summary(await ask(chosen.model, request))
