"""What differs between providers, as one value each: how to open, how to write the request, what to leave out.

Heavy (pydantic-ai): imported only through `providers`, and each provider's SDK only when it is used.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import httpx2
from pydantic_ai.messages import (
    CachePoint,
    InstructionPart,
    ModelMessage,
    ModelRequest,
    ModelResponse,
    SystemPromptPart,
    TextPart,
    ToolCallPart,
    ToolReturnPart,
    UserContent,
    UserPromptPart,
)
from pydantic_ai.models import Model

from liyuan.model.chat import Exchange, Request, Said, Sampling
from liyuan.model.connect import ModelSettings
from liyuan.model.roles import Arranged, Turn, as_given, in_turns


@dataclass(frozen=True, slots=True)
class Script:
    """A request in pydantic-ai's words: the system texts and the messages after them."""

    instructions: tuple[InstructionPart, ...]
    messages: list[ModelMessage]


@dataclass(frozen=True, slots=True, kw_only=True)
class Dialect:
    """One provider. `sampling` gives pydantic-ai's settings; only what is set may be sent."""

    open: Callable[[ModelSettings, httpx2.AsyncClient], Model[Any]]
    sampling: Callable[[ModelSettings, Sampling], dict[str, Any]]
    strict_roles: Callable[[ModelSettings], bool]
    prefills: bool = False
    takes_schema: bool = False
    cache_marks: bool = False
    extra: dict[str, Any] = field(default_factory=dict)

    def script(self, settings: ModelSettings, request: Request, *, prefill: bool) -> Script:
        strict = settings.strict_roles if settings.strict_roles is not None else self.strict_roles(settings)
        if not strict:
            told = [_alone(said) for said in as_given(request, prefill=prefill)]
            return Script((), told + _exchanged(request.exchanges))
        arranged = in_turns(request, prefill=prefill)
        told = _messages(arranged.turns, marks=self.cache_marks)
        return Script(_instructions(arranged), told + _exchanged(request.exchanges))


def common_sampling(sampling: Sampling) -> dict[str, Any]:
    """The samplers every provider calls the same; unset ones are absent."""
    named = {
        "temperature": sampling.temperature,
        "top_p": sampling.top_p,
        "max_tokens": sampling.max_tokens,
        "stop_sequences": list(sampling.stop) or None,
    }
    return {name: value for name, value in named.items() if value is not None}


def given(**values: object) -> dict[str, Any]:
    return {name: value for name, value in values.items() if value is not None}


def _alone(said: Said) -> ModelMessage:
    if said.role == "assistant":
        return ModelResponse(parts=[TextPart(said.text)])
    if said.role == "system":
        return ModelRequest(parts=[SystemPromptPart(said.text)])
    return ModelRequest(parts=[UserPromptPart(said.text)])


def _exchanged(exchanges: Sequence[Exchange]) -> list[ModelMessage]:
    messages: list[ModelMessage] = []
    for exchange in exchanges:
        messages.append(exchange.wire if isinstance(exchange.wire, ModelResponse) else _called(exchange))
        answered = zip(exchange.calls, exchange.answers, strict=True)
        returned = [ToolReturnPart(call.name, answer, tool_call_id=call.id) for call, answer in answered]
        messages.append(ModelRequest(parts=returned))
    return messages


def _called(exchange: Exchange) -> ModelResponse:
    said = [TextPart(exchange.text)] if exchange.text.strip() else []
    calls = [ToolCallPart(call.name, call.arguments, tool_call_id=call.id) for call in exchange.calls]
    return ModelResponse(parts=[*said, *calls])


def _instructions(arranged: Arranged) -> tuple[InstructionPart, ...]:
    """System texts up to the last stable one count as static: that is where the cache mark goes."""
    stable = max((n for n, said in enumerate(arranged.system) if said.stable), default=-1)
    return tuple(InstructionPart(content=said.text, dynamic=n > stable) for n, said in enumerate(arranged.system))


def _messages(turns: Sequence[Turn], *, marks: bool) -> list[ModelMessage]:
    messages: list[ModelMessage] = []
    owed = False
    for turn in turns:
        if turn.role == "assistant":
            messages.append(ModelResponse(parts=[TextPart(turn.text)]))
            owed = marks and turn.parts[-1].stable
            continue
        messages.append(ModelRequest(parts=[UserPromptPart(_content(turn, marks=marks, owed=owed))]))
        owed = False
    return messages


def _content(turn: Turn, *, marks: bool, owed: bool) -> str | list[UserContent]:
    """A mark after an assistant's text is written at the front of the next user turn, where it counts back."""
    if not (owed or (marks and any(part.stable for part in turn.parts))):
        return turn.text
    content: list[UserContent] = [CachePoint()] if owed else []
    for part in turn.parts:
        content.append(part.text)
        if part.stable:
            content.append(CachePoint())
    return content
