"""A performance from the prompt to the appended reply, in one answer of the model or, where it uses tools, in several.

Whatever the model does with its tools is done while it holds the stage. Once it has gone elsewhere, its prompt is
gathered anew from there: nothing of the way that was left is in it but the message.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from contextlib import aclosing
from dataclasses import dataclass, field, replace
from typing import TypeVar

from sqlalchemy import Connection

from liyuan.domain.errors import LiyuanError, ModelFailed
from liyuan.domain.scene import Cue
from liyuan.domain.tokens import request_tokens
from liyuan.domain.tool_use import ANSWERS_A_TURN, CALLS_A_TURN
from liyuan.model.chat import Delta, Exchange, Finish, Purpose, Reasoning, Request, Said, ToolCall, Usage
from liyuan.model.tokenizer import count
from liyuan.play.closing import Outcome, close
from liyuan.play.gather import Ready, gather, refitted, tools_text
from liyuan.play.tools import carry_out
from liyuan.resources import Nobody, Resources
from liyuan.stage import Ended, Failed, Performance
from liyuan.store.branch import count_children
from liyuan.store.performances import Act, Performing

NO_WORDS = (
    "{model} kept calling its tools and said nothing. Try again, or switch its tools off in the settings. Your words "
    "are kept."
)
_Number = TypeVar("_Number", int, float)
_CUES: Mapping[Act, Cue] = {"reply": "reply", "swipe": "reply", "continue": "continue", "impersonate": "impersonate"}

_PURPOSES: Mapping[Act, Purpose] = {
    "reply": "story",
    "swipe": "story",
    "continue": "continue",
    "impersonate": "impersonate",
}


async def answer(resources: Resources, performance: Performance) -> None:
    """Plays a performance from the prompt to the appended reply. Raises what the guard raises.

    What was said is kept, whatever breaks it off; what nobody foresaw is raised after that.
    """
    speech = _Speech(resources, performance)
    whole = False
    failure: LiyuanError | None = LiyuanError()
    try:
        whole = await speech.hold()
        failure = None
    except LiyuanError as error:
        failure = error
    finally:
        await _end(resources, performance, speech.outcome(whole), failure)


async def _end(resources: Resources, performance: Performance, outcome: Outcome, failure: LiyuanError | None) -> None:
    entry, run = await resources.database.write(close, performance.performing, outcome)
    performance.close(Failed(failure, entry) if failure else Ended(entry, performance.text))
    if run:
        await resources.worker.submit(run)


@dataclass
class _Speech:
    """Hears a model out on behalf of a performance, carries out what it asks for, and keeps how it ended."""

    resources: Resources
    performance: Performance
    finish: Finish = field(default_factory=Finish)
    ready: Ready | None = None
    calls: list[ToolCall] = field(default_factory=list)
    called: int = 0
    last: Finish | None = None

    async def hold(self) -> bool:
        """Answer after answer, until the model has no more to ask for. Tells whether it came to its end."""
        ready = await self._gathered()
        exchanges: tuple[Exchange, ...] = ()
        for _ in range(ANSWERS_A_TURN):
            request = await self._request(ready, exchanges)
            before = self.performance.text
            if not await self._hear_out(ready, request):
                return False
            if not self.calls:
                return True
            place, calls, wire = self.performance.performing.expected_leaf, tuple(self.calls), self.finish.wire
            answers = [await self._carry_out(call, ready) for call in calls if not self.performance.stop_asked]
            if self.performance.stop_asked:
                return False
            if self.performance.performing.expected_leaf != place:
                ready, exchanges = await self._gathered(), ()
            else:
                said = self.performance.text[len(before) :]
                exchanges = (*exchanges, Exchange(calls=calls, answers=tuple(answers), text=said, wire=wire))
        if self.performance.text.strip():
            return True
        raise ModelFailed(NO_WORDS, kind="empty", model=ready.chosen.model.name)

    def outcome(self, whole: bool) -> Outcome:
        prompt = self.ready.prompt if self.ready else None
        return Outcome(
            text=self.performance.text,
            reasoning=self.performance.reasoning,
            finish=self.finish,
            is_whole=whole,
            prompt_tokens=prompt.tokens if prompt else 0,
            fixed_tokens=prompt.fixed_tokens if prompt else 0,
            is_booked=not isinstance(self.resources.worker, Nobody),
            recalled=self.ready.recalled.data if self.ready else {},
        )

    async def _gathered(self) -> Ready:
        performing = self.performance.performing
        self.ready = await gather(
            self.resources, performing.conversation_id, performing.told_up_to, _CUES[performing.act]
        )
        if not self.finish.model:
            self.finish = replace(self.finish, model=self.ready.chosen.model.name)
        return self.ready

    async def _carry_out(self, call: ToolCall, ready: Ready) -> str:
        self.called += 1
        may = self.called <= CALLS_A_TURN
        return await carry_out(self.resources, self.performance, call, ready, may=may)

    async def _request(self, ready: Ready, exchanges: Sequence[Exchange]) -> Request:
        performing = self.performance.performing
        prompt = refitted(self.resources, ready, _exchanged(exchanges)) if exchanges else ready.prompt
        return Request(
            messages=tuple(Said(role=said.role, text=said.text, stable=said.stable) for said in prompt.messages),
            tools=ready.tools,
            exchanges=tuple(exchanges),
            may_call=self.called < CALLS_A_TURN,
            sampling=ready.chosen.sampling,
            purpose=_PURPOSES[performing.act],
            char=ready.scene.card.char,
            user=ready.scene.persona.name,
            take=await self.resources.database.read(_take, performing),
        )

    async def _hear_out(self, ready: Ready, request: Request) -> bool:
        """One answer, up to its end or a stop. A model that has spoken may answer what its tools told with silence."""
        self.calls, self.last = [], None
        try:
            whole = await self.performance.speak(self._listen(ready, request))
        except ModelFailed as error:
            if request.exchanges and self.performance.text.strip() and error.fields.get("kind") == "empty":
                return True
            raise
        self._learn(ready, request)
        return whole

    async def _listen(self, ready: Ready, request: Request) -> None:
        goes_on = bool(self.performance.text)
        async with aclosing(ready.chosen.model.stream(request)) as pieces:
            async for spoken in pieces:
                match spoken:
                    case Delta(text):
                        self.performance.say(_parted(self.performance.text, text) if goes_on else text)
                        goes_on = False
                    case Reasoning(text):
                        self.performance.think(text)
                    case ToolCall():
                        self.calls.append(spoken)
                    case Finish():
                        self.last = spoken
                        self.finish = _together(self.finish, spoken)

    def _learn(self, ready: Ready, request: Request) -> None:
        """Corrects our count by the server's, where it told one."""
        reported = self.last.usage.input_tokens if self.last else None
        if reported:
            texts = [said.text for said in request.messages]
            texts += [tools_text(request.tools), *_exchanged(request.exchanges)] if request.tools else []
            self.resources.models.learn(ready.chosen.model, request_tokens(texts, count), reported)


def _parted(said: str, text: str) -> str:
    """What is said after a tool was used begins a paragraph of its own."""
    return text if said[-1:].isspace() or text[:1].isspace() else f"\n\n{text}"


def _exchanged(exchanges: Iterable[Exchange]) -> list[str]:
    return [
        text for one in exchanges for text in (one.text, *(call.arguments for call in one.calls), *one.answers) if text
    ]


def _together(before: Finish, last: Finish) -> Finish:
    """The last word on how it ended, with what all answers together have used."""
    one, other = before.usage, last.usage
    usage = Usage(
        input_tokens=_sum(one.input_tokens, other.input_tokens),
        output_tokens=_sum(one.output_tokens, other.output_tokens),
        cached_tokens=_sum(one.cached_tokens, other.cached_tokens),
        cost_usd=_sum(one.cost_usd, other.cost_usd),
    )
    return replace(last, usage=usage, without_tools=before.without_tools or last.without_tools)


def _sum(one: _Number | None, other: _Number | None) -> _Number | None:
    return other if one is None else one if other is None else one + other


def _take(connection: Connection, performing: Performing) -> int:
    """How many replies this place has already, so that a performer with a seed does not repeat itself."""
    if performing.parent_id is None:
        return 0
    return count_children(connection, performing.conversation_id, performing.parent_id)
