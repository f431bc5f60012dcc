"""What every story model can do: take a request, answer as a stream of pieces. The only way to a model."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Mapping
from dataclasses import dataclass, field
from typing import Literal, Protocol, TypeAlias

from liyuan.domain.context_tools import Tool

Role: TypeAlias = Literal["system", "user", "assistant"]
Purpose: TypeAlias = Literal["story", "continue", "impersonate", "scribe", "summary", "test"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Said:
    """One message of a request. `stable` ends a part that does not change between turns (a cache mark)."""

    role: Role
    text: str
    stable: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Sampling:
    """Sampler settings; None leaves a value to the server. `max_tokens` counts tokens of the reply."""

    temperature: float | None = None
    top_p: float | None = None
    top_k: int | None = None
    min_p: float | None = None
    frequency_penalty: float | None = None
    presence_penalty: float | None = None
    repetition_penalty: float | None = None
    max_tokens: int | None = None
    stop: tuple[str, ...] = ()
    seed: int | None = None
    extra_body: Mapping[str, object] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolCall:
    """A model asks for a tool. `arguments` are as it wrote them: a JSON object, if it kept to the schema."""

    id: str
    name: str
    arguments: str = "{}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Exchange:
    """What a model said and asked for in one answer, and what it got: `answers` are in the order of `calls`.

    `wire` is the answer in the provider's own form (from `Finish`), since some want it back with more in it than we
    read; None for one made by hand.
    """

    calls: tuple[ToolCall, ...]
    answers: tuple[str, ...]
    text: str = ""
    wire: object = field(default=None, compare=False, repr=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """Everything one call needs. `char` and `user` are the names on stage; each swipe has its `take`.

    `tools` may be called; `exchanges` are those of this turn, after the messages. With `may_call` false the model is
    to answer in words, although it is still told of the tools.
    """

    messages: tuple[Said, ...]
    tools: tuple[Tool, ...] = ()
    exchanges: tuple[Exchange, ...] = ()
    may_call: bool = True
    sampling: Sampling = field(default_factory=Sampling)
    purpose: Purpose = "story"
    char: str = ""
    user: str = ""
    take: int = 0
    schema: Mapping[str, object] | None = None


@dataclass(frozen=True, slots=True)
class Delta:
    """A piece of the reply's text, whole characters only."""

    text: str


@dataclass(frozen=True, slots=True)
class Reasoning:
    """A piece of the model's thinking; never part of the reply."""

    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Usage:
    """Tokens as the server counted them, and the price in US dollars where it is known."""

    input_tokens: int | None = None
    output_tokens: int | None = None
    cached_tokens: int | None = None
    cost_usd: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Finish:
    """The last piece of every complete answer. `reason` "length" means the token limit cut the reply, "tools" that
    the model waits for the answers to its calls; then `wire` is what an `Exchange` hands back.

    `without_tools` says that the server refused the tools and answered a request without them.
    """

    reason: Literal["stop", "length", "filtered", "tools"] = "stop"
    model: str = ""
    usage: Usage = field(default_factory=Usage)
    without_tools: bool = False
    wire: object = field(default=None, compare=False, repr=False)


Spoken: TypeAlias = Delta | Reasoning | ToolCall | Finish


class ChatModel(Protocol):
    """A story model.

    `stream` yields Delta and Reasoning pieces, whole ToolCalls after them, then exactly one Finish; every trouble is
    raised as `domain.errors.ModelFailed`, before the first piece or in the middle. Closing the generator (`aclose`,
    `contextlib.aclosing`) stops the model.
    """

    @property
    def name(self) -> str: ...

    def stream(self, request: Request) -> AsyncGenerator[Spoken, None]: ...
