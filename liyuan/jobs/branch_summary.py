"""A reminder of the way that was left by a jump, written under the place one went to. Only when it was asked for."""

from __future__ import annotations

from dataclasses import dataclass

from sqlalchemy import Connection

from liyuan.domain.branch_summary import abandoned, branch_summary_data, branch_summary_prompt
from liyuan.domain.compaction import parse_summary, text_of
from liyuan.domain.entry import BRANCH_SUMMARY, SUMMARY, Draft, Entry, EntryId
from liyuan.domain.history import Line, replay
from liyuan.domain.placeholders import Cast as Names
from liyuan.jobs.ask import ask
from liyuan.jobs.baton import already, still_here
from liyuan.model.chat import Request, Said, Sampling
from liyuan.model.tokenizer import count
from liyuan.resources import Resources
from liyuan.store.branch import load_path
from liyuan.store.cast import Cast, load_cast
from liyuan.store.climb import parting
from liyuan.store.library import load_preferences
from liyuan.store.runs import ASKED, FROM, Run
from liyuan.store.tree import append, load_entry

INSTRUCTION = "branch_instruction"
NAME = "branch-summary"
# Tokens that the reminder may have, and the share of the window that the way left behind may fill.
ANSWER = 500
SHARE = 0.5


@dataclass(frozen=True, slots=True, kw_only=True)
class WayBack:
    """What lies between the leaf that was left and where the two ways part, as it stood there."""

    cast: Cast
    summary: str
    lines: tuple[Line, ...]


async def branch_summary(resources: Resources, run: Run, leaf: EntryId) -> EntryId:
    """Writes the reminder that a person asked for when they jumped; answers the leaf afterwards.

    Raises LeafMoved or Busy when the reader has moved on, ModelFailed when the model wrote nothing.
    """
    left = run.steps.get(FROM)
    if run.steps.get(ASKED) != NAME or not left:
        return leaf
    key = EntryId(f"{run.id}-branch")
    if await already(resources, run, key):
        return key
    way = await resources.database.read(_load_way, run, EntryId(left), leaf)
    if not way.lines and not way.summary:
        return leaf
    await still_here(resources, run, leaf)
    text = await _reminder(resources, way)
    data = {**branch_summary_data(text, EntryId(left)), "source": "auto"}
    draft = Draft(id=key, parent_id=leaf, kind=BRANCH_SUMMARY, data=data)
    return await resources.database.write(_append, run, draft, leaf)


def _append(connection: Connection, run: Run, draft: Draft, leaf: EntryId) -> EntryId:
    return append(connection, run.conversation_id, draft, expected_leaf=leaf).id


def _load_way(connection: Connection, run: Run, left_id: EntryId, leaf_id: EntryId) -> WayBack:
    left, leaf = (load_entry(connection, run.conversation_id, key) for key in (left_id, leaf_id))
    path = _below_parting(connection, run, left, leaf)
    gone = abandoned(path, ())
    summary = text_of(gone[0]) if gone and gone[0].kind == SUMMARY else ""
    told = {entry.id for entry in gone}
    lines = tuple(line for line in replay(path).lines if line.entry_id in told)
    return WayBack(cast=load_cast(connection, run.conversation_id, leaf), summary=summary, lines=lines)


def _below_parting(connection: Connection, run: Run, left: Entry, leaf: Entry) -> list[Entry]:
    """The path of the leaf that was left, from where it parts from the new one; nothing if it lies above that."""
    first = parting(connection, left, leaf).left
    if first is None:
        return []
    top = load_entry(connection, run.conversation_id, first)
    return load_path(connection, left.id, most=left.depth - top.depth + 1)


async def _reminder(resources: Resources, way: WayBack) -> str:
    card = way.cast.card
    names = Names(char=card.char, user=way.cast.persona.name)
    preferences = await resources.database.read(load_preferences)
    chosen = resources.models.choose(way.cast.connection, "summary")
    messages = branch_summary_prompt(
        way.summary,
        _end_of(way.lines, int(chosen.window * SHARE)),
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
    return parse_summary(await ask(chosen.model, request))


def _end_of(lines: tuple[Line, ...], limit: int) -> tuple[Line, ...]:
    """The last lines that `limit` tokens hold, at least one."""
    kept: list[Line] = []
    for line in reversed(lines):
        limit -= count(line.text)
        if kept and limit < 0:
            break
        kept.append(line)
    return tuple(reversed(kept))
