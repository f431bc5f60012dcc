"""One exchange: the reader's words are heard and committed, then answered. The server owns the turn from there on.

The prompt is gathered from what the reply will hang on, so a swipe's prompt cannot hold what it replaces. No
transaction is open while the model speaks; the reply is appended in one, under the same guard as every other entry.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import aclosing
from dataclasses import asdict, dataclass, field
from datetime import datetime
from typing import Any

from sqlalchemy import Connection

from liyuan.domain.entry import ASSISTANT, REVISION, USER, ConversationId, Draft, Entry, EntryId, Status
from liyuan.domain.errors import Invalid, ModelFailed
from liyuan.domain.journal import GROWTH
from liyuan.domain.macros import expand, scope_of
from liyuan.domain.scene import Cue
from liyuan.domain.tokens import request_tokens
from liyuan.model.chat import ChatModel, Delta, Finish, Purpose, Reasoning, Request, Said
from liyuan.model.tokenizer import count
from liyuan.play.gather import Ready, gather
from liyuan.play.settle import settle
from liyuan.resources import Nobody, Resources
from liyuan.stage import Ended, Failed, Performance
from liyuan.store.branch import active_leaf, count_children, load_shown
from liyuan.store.cast import load_cast
from liyuan.store.conversations import keep_draft, load_conversation
from liyuan.store.database import new_id
from liyuan.store.performances import Act, Performing, begin, end
from liyuan.store.runs import Run, queue
from liyuan.store.standing import standing
from liyuan.store.tree import append, load_entry

LONGEST_MESSAGE = 200_000
TOO_LONG = "This message has {length} characters; at most {limit} are taken."
SWIPE = "swipe"
_CUES: Mapping[Act, Cue] = {"reply": "reply", "swipe": "reply", "continue": "continue", "impersonate": "impersonate"}

_PURPOSES: Mapping[Act, Purpose] = {
    "reply": "story",
    "swipe": "story",
    "continue": "continue",
    "impersonate": "impersonate",
}


async def hear(
    resources: Resources, conversation_id: ConversationId, text: str, *, expected_leaf: EntryId | None
) -> Performance:
    """Commits the reader's words below `expected_leaf` and lets the reply begin. Returns as soon as the words are safe.

    Raises LeafMoved, Busy, NotFound, or Invalid for an empty or overlong message; then nothing is written.
    """
    if not text.strip():
        raise Invalid("There is nothing to send yet: write something first.")
    if len(text) > LONGEST_MESSAGE:
        raise Invalid(TOO_LONG, length=len(text), limit=LONGEST_MESSAGE)
    await settle(resources, conversation_id, expected_leaf)
    performing, message = await resources.database.write(
        _hear, conversation_id, text, expected_leaf, resources.stage.owner
    )
    return start(resources, performing, message)


def _hear(
    connection: Connection, conversation_id: ConversationId, text: str, expected_leaf: EntryId | None, owner: str
) -> tuple[Performing, Entry]:
    expected_leaf = standing(connection, conversation_id, expected_leaf)
    key = EntryId(new_id())
    spoken = _expanded(connection, conversation_id, text, expected_leaf, key)
    draft = Draft(id=key, parent_id=expected_leaf, role=USER, text=spoken)
    message = append(connection, conversation_id, draft, expected_leaf=expected_leaf)
    keep_draft(connection, conversation_id, "")
    performing = begin(
        connection, conversation_id, "reply", parent_id=message.id, expected_leaf=message.id, owner=owner
    )
    return performing, message


def _expanded(
    connection: Connection, conversation_id: ConversationId, text: str, leaf: EntryId | None, key: EntryId
) -> str:
    """The reader's macros, once: dice that were thrown stay thrown."""
    if "{{" not in text:
        return text
    cast = load_cast(connection, conversation_id, load_entry(connection, conversation_id, leaf) if leaf else None)
    now = datetime.now().astimezone()
    return expand(text, scope_of(cast.card, cast.persona, seed=key, pick_seed=conversation_id, now=now))


async def carry_on(
    resources: Resources, conversation_id: ConversationId, *, expected_leaf: EntryId | None
) -> Performance:
    """Lets the last reply go on where it stopped; when the reader spoke last, or nobody did, lets the model reply.

    Raises LeafMoved, Busy or NotFound.
    """
    await settle(resources, conversation_id, expected_leaf)
    performing = await resources.database.write(_carry_on, conversation_id, expected_leaf, resources.stage.owner)
    return start(resources, performing)


def _carry_on(
    connection: Connection, conversation_id: ConversationId, expected_leaf: EntryId | None, owner: str
) -> Performing:
    expected_leaf = standing(connection, conversation_id, expected_leaf)
    last = _last_message(connection, conversation_id, expected_leaf)
    goes_on = last is not None and last.is_reply
    return begin(
        connection,
        conversation_id,
        "continue" if goes_on else "reply",
        parent_id=last.id if last and goes_on else expected_leaf,
        expected_leaf=expected_leaf,
        owner=owner,
    )


def _last_message(connection: Connection, conversation_id: ConversationId, leaf: EntryId | None) -> Entry | None:
    while leaf is not None:
        entry = load_entry(connection, conversation_id, leaf)
        if entry.is_reply or entry.is_user:
            return entry
        leaf = entry.parent_id
    return None


async def impersonate(resources: Resources, conversation_id: ConversationId) -> Performance:
    """Lets the model write the reader's next words, for the composer. Nothing is appended. Raises Busy or NotFound."""
    performing = await resources.database.write(_impersonate, conversation_id, resources.stage.owner)
    return start(resources, performing)


def _impersonate(connection: Connection, conversation_id: ConversationId, owner: str) -> Performing:
    leaf = active_leaf(connection, conversation_id)
    return begin(connection, conversation_id, "impersonate", parent_id=leaf, expected_leaf=leaf, owner=owner)


async def stop(resources: Resources, conversation_id: ConversationId) -> None:
    """Stops whoever performs. What was said is kept, marked interrupted; when nothing was, nothing is written."""
    await resources.database.read(load_conversation, conversation_id)
    await resources.stage.stop(conversation_id)


def start(resources: Resources, performing: Performing, message: Entry | None = None) -> Performance:
    """Lets a performance that has taken the stage begin."""

    async def play(performance: Performance) -> None:
        await answer(resources, performance)

    return resources.stage.start(Performance(performing, message), play)


async def answer(resources: Resources, performance: Performance) -> None:
    """Plays a performance from the prompt to the appended reply. Raises what the model or the guard raises."""
    performing = performance.performing
    ready = await gather(resources, performing.conversation_id, _told_up_to(performing), _CUES[performing.act])
    request = await _request(resources, performing, ready)
    speech = _Speech(finish=Finish(model=ready.chosen.model.name))
    whole, failure = False, None
    try:
        whole = await performance.speak(speech.hear_out(ready.chosen.model, request, performance))
    except ModelFailed as error:
        failure = error
    outcome = Outcome(
        text=performance.text,
        reasoning=performance.reasoning,
        finish=speech.finish,
        is_whole=whole,
        prompt_tokens=ready.prompt.tokens,
        fixed_tokens=ready.prompt.fixed_tokens,
        is_booked=not isinstance(resources.worker, Nobody),
        recalled=ready.recalled.data,
    )
    entry, run = await resources.database.write(close, performing, outcome)
    performance.close(Failed(failure, entry) if failure else Ended(entry, performance.text))
    _learn(resources, ready, request, speech.finish)
    if run:
        await resources.worker.submit(run)


@dataclass
class _Speech:
    """Hears a model out on behalf of a performance, and keeps how it ended."""

    finish: Finish

    async def hear_out(self, model: ChatModel, request: Request, performance: Performance) -> None:
        async with aclosing(model.stream(request)) as pieces:
            async for spoken in pieces:
                match spoken:
                    case Delta(text):
                        performance.say(text)
                    case Reasoning(text):
                        performance.think(text)
                    case Finish():
                        self.finish = spoken


def _learn(resources: Resources, ready: Ready, request: Request, finish: Finish) -> None:
    """Corrects our count by the server's, where it told one."""
    if finish.usage.input_tokens:
        counted = request_tokens((said.text for said in request.messages), count)
        resources.models.learn(ready.chosen.model, counted, finish.usage.input_tokens)


def _told_up_to(performing: Performing) -> EntryId | None:
    """The entry whose path the model is told: what a reply answers; for the rest, where the reader is."""
    return performing.parent_id if performing.act in ("reply", "swipe") else performing.expected_leaf


async def _request(resources: Resources, performing: Performing, ready: Ready) -> Request:
    take = await resources.database.read(_take, performing)
    return Request(
        messages=tuple(Said(role=said.role, text=said.text, stable=said.stable) for said in ready.prompt.messages),
        sampling=ready.chosen.sampling,
        purpose=_PURPOSES[performing.act],
        char=ready.scene.card.char,
        user=ready.scene.persona.name,
        take=take,
    )


def _take(connection: Connection, performing: Performing) -> int:
    """How many replies this place has already, so that a performer with a seed does not repeat itself."""
    if performing.parent_id is None:
        return 0
    return count_children(connection, performing.conversation_id, performing.parent_id)


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """What came of a performance. The prompt's tokens are our own count: all of it, and without the story.

    `is_booked` tells whether somebody is there to account for the turn; `recalled` what memory told it, and why.
    """

    text: str
    reasoning: str = ""
    finish: Finish = field(default_factory=Finish)
    is_whole: bool = True
    prompt_tokens: int = 0
    fixed_tokens: int = 0
    is_booked: bool = True
    recalled: Mapping[str, Any] = field(default_factory=dict)


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
    end(connection, performing.id)
    return entry, run


def _draft(connection: Connection, performing: Performing, outcome: Outcome) -> Draft | None:
    if not outcome.text.strip() or performing.act == "impersonate":
        return None
    status: Status = "complete" if outcome.is_whole else "interrupted"
    key = EntryId(new_id())
    if performing.act != "continue" or performing.parent_id is None:
        text, data = outcome.text.strip(), _data(outcome)
        return Draft(id=key, parent_id=performing.parent_id, role=ASSISTANT, text=text, data=data, status=status)
    before = load_shown(connection, performing.conversation_id, performing.parent_id, performing.expected_leaf)
    data = {"target_id": performing.parent_id, "continued": True, **_data(outcome)}
    text = before.text + outcome.text
    return Draft(id=key, parent_id=performing.expected_leaf, kind=REVISION, text=text, data=data, status=status)


def _data(outcome: Outcome) -> dict[str, Any]:
    usage = {name: value for name, value in asdict(outcome.finish.usage).items() if value is not None}
    kept = {
        "model": outcome.finish.model,
        "reasoning": outcome.reasoning.strip(),
        "usage": usage,
        "prompt_tokens": outcome.prompt_tokens,
        "fixed_tokens": outcome.fixed_tokens,
        "finish": "" if outcome.finish.reason == "stop" else outcome.finish.reason,
        **outcome.recalled,
    }
    return {name: value for name, value in kept.items() if value}
