"""Gathers all the ingredients of a request from one leaf, in one read. What is not on the path cannot get in."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime

from sqlalchemy import Connection

from liyuan.domain.card_world import card_world
from liyuan.domain.context_tools import CONTEXT_TOOLS, STORY_GUIDE, Tool
from liyuan.domain.entry import MESSAGE, ConversationId, Entry, EntryId
from liyuan.domain.history import History, Line, replay
from liyuan.domain.ledger import ledger_text
from liyuan.domain.memory_phrases import knowledge_text, memories_text
from liyuan.domain.prompt import Counter, Prompt, PromptTooLarge, assemble
from liyuan.domain.recall import question
from liyuan.domain.scene import Cue, Scene
from liyuan.domain.tokens import PER_MESSAGE
from liyuan.domain.world import WorldState
from liyuan.model.tokenizer import count
from liyuan.play.recall import Recalled, budget_of, recall
from liyuan.resources import Chosen, Resources
from liyuan.store.branch import load_told
from liyuan.store.cast import Cast, covered_depth, load_cast, may_use_tools
from liyuan.store.tree import load_entry
from liyuan.store.worlds import load_world

# Entries read at first, from the leaf upwards, and to spare; and at most at a time, until the window is full.
RUN, MOST = 40, 500
# Tokens kept free for the reply where the connection sets no limit: an eighth of the window, at most this many.
RESERVE = 2048


@dataclass(frozen=True, slots=True, kw_only=True)
class Ingredients:
    """What one leaf offers: who plays whom, with what, and what has been said."""

    cast: Cast
    history: History
    world: WorldState
    has_tools: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Ready:
    """A prompt, and the model that is to hear it, with the tools that it may use."""

    scene: Scene
    prompt: Prompt
    chosen: Chosen
    recalled: Recalled = field(default_factory=Recalled)
    tools: tuple[Tool, ...] = ()


async def gather(
    resources: Resources, conversation_id: ConversationId, leaf: EntryId | None, cue: Cue = "reply", *, text: str = ""
) -> Ready:
    """The prompt for what comes after `leaf`; `text` is what the reader would say first, for a preview.

    Raises NotFound, PromptTooLarge, or SealBroken for a key that can no longer be read.
    """
    window = resources.settings.context_tokens
    found = await resources.database.read(load_ingredients, conversation_id, leaf, window)
    chosen = resources.models.choose(found.cast.connection)
    if chosen.window > window:
        found = await resources.database.read(load_ingredients, conversation_id, leaf, chosen.window)
    tools = CONTEXT_TOOLS if found.has_tools and cue == "reply" else ()
    counter = resources.models.corrected(chosen.model, count)
    scene = Scene(
        card=found.cast.card,
        persona=found.cast.persona,
        history=_saying(found.history, text) if text else found.history,
        cue=cue,
        seed=conversation_id,
        now=datetime.now().astimezone(),
        model=chosen.model.name,
        window=chosen.window,
        reserve=(chosen.sampling.max_tokens or min(RESERVE, chosen.window // 8)) + counter(tools_text(tools)),
        notes=(*_notes(found), *((("tools", STORY_GUIDE),) if tools else ())),
    )
    recalled = await _recall(resources, found.cast, leaf, scene, counter) if leaf else Recalled()
    return replace(_told(scene, recalled, chosen, counter), tools=tools)


def tools_text(tools: Sequence[Tool]) -> str:
    """What a server reads of the tools besides the messages, to be counted."""
    return "\n".join(json.dumps([tool.name, tool.description, tool.schema]) for tool in tools)


def refitted(resources: Resources, ready: Ready, texts: Iterable[str]) -> Prompt:
    """The prompt again, with room for what has been exchanged since. Raises PromptTooLarge."""
    counter = resources.models.corrected(ready.chosen.model, count)
    more = sum(counter(text) + PER_MESSAGE for text in texts)
    return assemble(replace(ready.scene, reserve=ready.scene.reserve + more), counter)


async def _recall(resources: Resources, cast: Cast, leaf: EntryId, scene: Scene, counter: Counter) -> Recalled:
    """What memory has to say that the prompt does not hold by itself."""
    budget = budget_of(scene.window)
    try:
        alone = assemble(replace(scene, reserve=scene.reserve + 2 * budget), counter)
    except PromptTooLarge:  # There is no room to remember in.
        return Recalled()
    return await recall(
        resources,
        cast.conversation.id,
        leaf,
        cast.conversation.card_id,
        question(scene.history.last("user"), scene.history.last("assistant")),
        told={EntryId(part.entry_id) for part in alone.parts if part.entry_id},
        budget=budget,
        count=counter,
    )


def _told(scene: Scene, recalled: Recalled, chosen: Chosen, counter: Counter) -> Ready:
    """The prompt with what was recalled. A message that found room after all is not told twice."""
    while True:
        language = scene.card.language
        parts = (
            ("memories", memories_text(recalled.memories, language)),
            ("knowledge", knowledge_text(recalled.passages, language)),
        )
        whole = replace(scene, notes=(*scene.notes, *(part for part in parts if part[1])))
        prompt = assemble(whole, counter)
        told = {part.entry_id for part in prompt.parts}
        fresh = tuple(hit for hit in recalled.memories if hit.memory.subject_id not in told)
        if len(fresh) == len(recalled.memories):
            return Ready(scene=whole, prompt=prompt, chosen=chosen, recalled=recalled)
        recalled = replace(recalled, memories=fresh)


def _notes(found: Ingredients) -> tuple[tuple[str, str], ...]:
    """What changes from turn to turn, each under the name of its part."""
    card = found.cast.card
    known = ledger_text(found.world, fields=card_world(card.extensions).fields, language=card.language)
    return (("ledger", known),) if known else ()


def load_ingredients(
    connection: Connection, conversation_id: ConversationId, leaf: EntryId | None, window: int
) -> Ingredients:
    """Reads a leaf's ingredients. The path is read upwards from the leaf until `window` tokens are surely filled."""
    end = load_entry(connection, conversation_id, leaf) if leaf else None
    cast = load_cast(connection, conversation_id, end)
    return Ingredients(
        cast=cast,
        history=replay(_load_tail(connection, conversation_id, end, window)),
        world=load_world(connection, conversation_id, end, cast.card).snapshot.state,
        has_tools=may_use_tools(connection, cast),
    )


def _load_tail(connection: Connection, conversation_id: ConversationId, end: Entry | None, window: int) -> list[Entry]:
    """The end of the path, back to what the summary covers or to where the window is full, whichever comes first."""
    if end is None:
        return []
    floor = covered_depth(connection, conversation_id, end)
    tail: list[Entry] = []
    tokens, most = 0, RUN
    start: EntryId | None = end.id
    while start is not None and tokens <= window:
        run = load_told(connection, start, most=most)
        tail = run + tail
        tokens += sum(count(entry.text or "") + PER_MESSAGE for entry in run if entry.kind == MESSAGE)
        most = _still_wanted(len(tail), tokens, window)
        start = run[0].parent_id if run[0].depth > floor else None
    return tail


def _still_wanted(entries: int, tokens: int, window: int) -> int:
    """How many entries more will fill the window, going by those that are there; a few to spare."""
    return min(RUN + (window - tokens) * entries // max(tokens, 1), MOST)


def _saying(history: History, text: str) -> History:
    line = Line(entry_id=EntryId(""), role="user", text=text, turn=history.lines[-1].turn + 1 if history.lines else 1)
    return replace(history, lines=(*history.lines, line))
