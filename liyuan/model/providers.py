"""Models on servers: one streaming request at a time, every trouble told as ModelFailed, no silent retries.

Heavy: imported only by `connect`, at the first request. The only second tries are of a request the server
refused for its form: without the tools or the schema it does not know, or without the prefill it does not take.
"""

from __future__ import annotations

import asyncio
import importlib
import re
from collections.abc import AsyncGenerator, Awaitable, Sequence
from contextlib import AsyncExitStack, aclosing
from dataclasses import dataclass, replace
from typing import Any, TypeVar, cast

from genai_prices import calc_price
from pydantic_ai.messages import (
    ModelResponseStreamEvent,
    PartDeltaEvent,
    PartStartEvent,
    TextPart,
    TextPartDelta,
    ThinkingPart,
    ThinkingPartDelta,
    ToolCallPart,
)
from pydantic_ai.models import ModelRequestParameters, StreamedResponse
from pydantic_ai.output import OutputObjectDefinition
from pydantic_ai.settings import ModelSettings as WireSettings
from pydantic_ai.tools import ToolDefinition
from pydantic_ai.usage import RequestUsage

from liyuan.domain.context_tools import Tool
from liyuan.domain.errors import ModelFailed
from liyuan.model.chat import ChatModel, Delta, Finish, Reasoning, Request, Spoken, ToolCall, Usage
from liyuan.model.connect import ModelSettings
from liyuan.model.diagnosis import KNOWN, diagnosed, silence
from liyuan.model.dialect import Dialect
from liyuan.model.speech import ThoughtsApart, WholeCharacters
from liyuan.model.troubles import trouble
from liyuan.model.wire import Lines, Watch, watched

_T = TypeVar("_T")


@dataclass(frozen=True, slots=True)
class _Plan:
    """How to put a request to this server; each field may be given up when the server refuses it."""

    request: Request
    schema: bool
    prefill: bool
    tools: bool = False
    refused: bool = False
    """The server has just refused the tools; they are left out from now on, if it takes the rest."""


class ProviderModel:
    """A ChatModel on a server. Give the settings once; connections are kept between requests."""

    def __init__(self, settings: ModelSettings) -> None:
        self._settings = settings
        self._dialect = _dialect(settings.provider)
        self._lines = Lines(settings, self._dialect.open)
        self._takes_schema = self._dialect.takes_schema
        self._takes_tools = True
        self._prefills = self._dialect.prefills if settings.prefill is None else settings.prefill

    @property
    def name(self) -> str:
        return self._settings.name

    async def stream(self, request: Request) -> AsyncGenerator[Spoken, None]:
        self._check_key()
        plan: _Plan | None = _Plan(
            request,
            schema=request.schema is not None and self._takes_schema,
            prefill=request.purpose == "continue" and self._prefills,
            tools=bool(request.tools) and self._takes_tools,
        )
        while plan is not None:
            attempt = _Attempt(self._settings, self._dialect, plan)
            try:
                async with aclosing(attempt.speak(self._lines.here())) as pieces:
                    async for spoken in pieces:
                        if isinstance(spoken, Finish) and plan.refused:
                            self._takes_tools = False
                        yield spoken
                return
            except ModelFailed as failure:
                plan = None if attempt.heard else self._simpler(plan, failure)
                if plan is None:
                    raise

    async def close(self) -> None:
        """Hang up the connections that are kept for the next request."""
        await self._lines.close()

    def _simpler(self, plan: _Plan, failure: ModelFailed) -> _Plan | None:
        """The same request without what the server refused; remembered, so that it is refused only once."""
        refused = failure.fields["kind"] in ("rejected", "malformed", "server-error")
        if plan.tools and not plan.request.exchanges and _refuses_tools(failure):
            return replace(plan, tools=False, refused=True)
        if refused and plan.schema:
            self._takes_schema = False
            return replace(plan, schema=False)
        if failure.fields["kind"] == "rejected" and plan.prefill:
            self._prefills = False
            return replace(plan, prefill=False)
        return None

    def _check_key(self) -> None:
        key = self._settings.api_key.strip()
        if not key.isascii() or not key.isprintable() or " " in key:
            raise trouble(self._settings, "unauthorized/unreadable")


class _Attempt:
    """One request on the line, from the first byte to the Finish."""

    def __init__(self, settings: ModelSettings, dialect: Dialect, plan: _Plan) -> None:
        self._settings = settings
        self._dialect = dialect
        self._plan = plan
        self._watch = Watch(settings)
        self._thoughts = ThoughtsApart()
        self._whole = WholeCharacters()
        self._spoken = False
        self.heard = False
        """True once anything has come, thinking included."""

    async def speak(self, model: Any) -> AsyncGenerator[Spoken, None]:
        async with AsyncExitStack() as stack:
            ends = asyncio.get_running_loop().time() + self._settings.first_timeout
            with watched(self._watch):
                response = await self._heard(ends, stack.enter_async_context(self._request(model)))
            stack.push_async_callback(self._watch.hang_up)
            events = aiter(response)
            while (event := await self._heard(ends, anext(events, None))) is not None:
                for spoken in self._sorted(event):
                    yield self._noted(spoken)
                ends = asyncio.get_running_loop().time() + self._idle()
            for spoken in self._left():
                yield self._noted(spoken)
            calls = _calls(response) if self._plan.tools else []
            for call in calls:
                yield call
            yield self._finish(response, calls)

    def _request(self, model: Any) -> Any:
        request, settings = self._plan.request, self._settings
        script = self._dialect.script(settings, request, prefill=self._plan.prefill)
        wire_settings = {
            "max_retries": 0,
            "timeout": max(settings.first_timeout, settings.idle_timeout) + 5,
            **self._dialect.extra,
            **self._dialect.sampling(settings, request.sampling),
        }
        parameters = ModelRequestParameters(instruction_parts=list(script.instructions))
        if self._plan.tools:
            parameters = replace(parameters, function_tools=[_defined(tool) for tool in request.tools])
            wire_settings |= {} if request.may_call else {"tool_choice": "none"}
        if self._plan.schema and request.schema is not None:
            shape = OutputObjectDefinition(json_schema=dict(request.schema), name=request.purpose, strict=False)
            parameters = replace(parameters, output_mode="native", output_object=shape, allow_text_output=False)
        return model.request_stream(script.messages, cast(WireSettings, wire_settings), parameters)

    async def _heard(self, ends: float, piece: Awaitable[_T]) -> _T:
        try:
            async with asyncio.timeout_at(ends) as limit:
                return await piece
        except KNOWN as error:
            if limit.expired():
                raise silence(self._settings, spoken=self.heard) from error
            raise diagnosed(error, self._settings, spoken=self._spoken) from error

    def _sorted(self, event: ModelResponseStreamEvent) -> list[Delta | Reasoning]:
        match event:
            case PartStartEvent(part=TextPart(content=text)) | PartDeltaEvent(delta=TextPartDelta(content_delta=text)):
                return list(self._thoughts.feed(self._whole.feed(text)))
            case (
                PartStartEvent(part=ThinkingPart(content=text))
                | PartDeltaEvent(delta=ThinkingPartDelta(content_delta=str(text)))
            ) if text:
                return [Reasoning(text)]
            case _:
                return []

    def _left(self) -> list[Delta | Reasoning]:
        return [*self._thoughts.feed(self._whole.rest()), *self._thoughts.rest()]

    def _noted(self, spoken: Delta | Reasoning) -> Delta | Reasoning:
        self.heard = True
        self._spoken = self._spoken or (isinstance(spoken, Delta) and bool(spoken.text.strip()))
        return spoken

    def _idle(self) -> float:
        return self._settings.idle_timeout if self.heard else self._settings.first_timeout

    def _finish(self, response: StreamedResponse, calls: Sequence[ToolCall]) -> Finish:
        if not self._ended(response):
            raise trouble(self._settings, "cut-off" if self._spoken else "cut-off/early")
        if not (self._spoken or calls):
            raise trouble(self._settings, self._emptiness(response))
        reason = {"length": "length", "content_filter": "filtered"}.get(response.finish_reason or "", "stop")
        return Finish(
            reason="tools" if calls else reason,  # type: ignore[arg-type]  # one of the four
            model=response.model_name or self._settings.name,
            usage=_usage(response, self._settings, self._watch.cost),
            without_tools=self._plan.refused,
            wire=response.get() if calls else None,
        )

    def _ended(self, response: StreamedResponse) -> bool:
        """A connection that closes early can look like an end: ask for a reason, or for the closing line."""
        details = response.provider_details or {}
        told = response.finish_reason == "content_filter" or "finish_reason" in details
        if self._settings.provider != "openai":
            told = response.finish_reason is not None
        return told or self._watch.said_done

    def _emptiness(self, response: StreamedResponse) -> str:
        if response.finish_reason == "content_filter":
            return "empty/filtered"
        return "empty/thinking" if self.heard and response.finish_reason == "length" else "empty"


def _refuses_tools(failure: ModelFailed) -> bool:
    """Servers refuse tools with all sorts of codes, 404 and 500 among them; most say what it is about.

    One that is busy, or away behind its proxy, has refused nothing.
    """
    if re.search(r"\btools?\b|function.call", str(failure.fields.get("said", "")), re.IGNORECASE):
        return True
    return failure.fields["kind"] in ("rejected", "malformed") or failure.fields.get("code") == 500


def _defined(tool: Tool) -> ToolDefinition:
    return ToolDefinition(
        name=tool.name, description=tool.description, parameters_json_schema=dict(tool.schema), strict=False
    )


def _calls(response: StreamedResponse) -> list[ToolCall]:
    parts = (part for part in response.get().parts if isinstance(part, ToolCallPart))
    return [ToolCall(id=part.tool_call_id, name=part.tool_name, arguments=_written(part)) for part in parts]


def _written(call: ToolCallPart) -> str:
    return call.args if isinstance(call.args, str) else call.args_as_json_str()


def _dialect(provider: str) -> Dialect:
    return cast(Dialect, importlib.import_module(f"liyuan.model.dialect_{provider}").DIALECT)


def _usage(response: StreamedResponse, settings: ModelSettings, told_cost: float | None) -> Usage:
    counted = response.usage
    if not counted.input_tokens and not counted.output_tokens:
        return Usage(cost_usd=told_cost)
    names = [name for name in (response.model_name, settings.name) if name]
    return Usage(
        input_tokens=counted.input_tokens,
        output_tokens=counted.output_tokens,
        cached_tokens=counted.cache_read_tokens or None,
        cost_usd=list_price(counted, names, settings.address) if told_cost is None else told_cost,
    )


def list_price(usage: RequestUsage, names: Sequence[str], address: str) -> float | None:
    """US dollars for a model that is known at this very address; a namesake elsewhere may cost something else."""
    for name in names:
        try:
            return float(calc_price(usage, name, provider_api_url=address).total_price)
        except (LookupError, ValueError):
            continue
    return None


def _conforms(model: ProviderModel) -> ChatModel:
    return model
