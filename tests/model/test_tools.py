"""Tools on the line: how they are offered, how calls are heard and answered, and servers that know no tools."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest

from liyuan.domain.context_tools import CONTEXT_TOOLS
from liyuan.model.chat import Exchange, ToolCall
from liyuan.model.connect import ConnectedModel, ModelSettings, Provider, open_model
from tests.model.conftest import HELLO, Reply, Wild, hear
from tests.peers import (
    Step,
    anthropic_calls,
    anthropic_stream,
    fault,
    google_calls,
    google_stream,
    katan,
    openai_calls,
    openai_stream,
)

OFFERED = replace(HELLO, tools=CONTEXT_TOOLS)
NAMES = ["context_tag", "context_log", "context_checkout"]
TAG = ("context_tag", '{"name": "客栈"}')
CALLING: dict[Provider, list[Step]] = {
    "openai": openai_calls(TAG, text="Hm. "),
    "anthropic": anthropic_calls(TAG),
    "google": google_calls(("context_tag", {"name": "客栈"}), signature="c2lnbmVk"),
}
WELL: dict[Provider, list[Step]] = {
    "openai": openai_stream("Good."),
    "anthropic": anthropic_stream("Good."),
    "google": google_stream("Good."),
}
PROVIDERS = tuple(WELL)


def calls_of(reply: Reply) -> tuple[ToolCall, ...]:
    return tuple(piece for piece in reply.pieces if isinstance(piece, ToolCall))


def answered(reply: Reply, *answers: str) -> Exchange:
    return Exchange(calls=calls_of(reply), answers=answers, text=reply.text, wire=reply.finish.wire)


def offered(provider: Provider, body: dict[str, Any]) -> list[str]:
    if provider == "openai":
        return [tool["function"]["name"] for tool in body.get("tools", ())]
    if provider == "anthropic":
        return [tool["name"] for tool in body.get("tools", ())]
    return [tool["name"] for group in body.get("tools", ()) for tool in group["functionDeclarations"]]


@pytest.mark.parametrize("provider", PROVIDERS)
async def test_tools_are_offered_only_with_a_request_that_has_them(wild: Wild, provider: Provider) -> None:
    model = await wild.model(WELL[provider], provider=provider)
    await hear(model, OFFERED)
    await hear(model, HELLO)
    first, second = wild.server.asked
    assert offered(provider, first.body) == NAMES
    assert offered(provider, second.body) == []


@pytest.mark.parametrize("provider", PROVIDERS)
async def test_a_call_is_heard_whole_and_the_model_waits_for_its_answer(wild: Wild, provider: Provider) -> None:
    reply = await wild.reply(CALLING[provider], request=OFFERED, provider=provider)
    (call,) = calls_of(reply)
    assert (call.name, json.loads(call.arguments)) == ("context_tag", {"name": "客栈"})
    assert reply.finish.reason == "tools"
    assert reply.text == ("" if provider == "google" else "Hm. ")


async def test_the_answer_goes_back_as_openai_servers_want_it(wild: Wild) -> None:
    model = await wild.model(CALLING["openai"], WELL["openai"])
    asking = await hear(model, OFFERED)
    reply = await hear(model, replace(OFFERED, exchanges=(answered(asking, "Tagged."),)))
    *_, called, told = wild.server.asked[1].body["messages"]
    assert called["content"] == "Hm. "
    assert [call["function"]["name"] for call in called["tool_calls"]] == ["context_tag"]
    assert (told["role"], told["tool_call_id"], told["content"]) == ("tool", called["tool_calls"][0]["id"], "Tagged.")
    assert (reply.text, reply.finish.reason) == ("Good.", "stop")


async def test_the_answer_goes_back_as_anthropic_wants_it(wild: Wild) -> None:
    model = await wild.model(CALLING["anthropic"], WELL["anthropic"], provider="anthropic")
    asking = await hear(model, OFFERED)
    await hear(model, replace(OFFERED, exchanges=(answered(asking, "Tagged."),)))
    *_, called, told = wild.server.asked[1].body["messages"]
    use, result = called["content"][-1], told["content"][0]
    assert (called["role"], use["type"], use["input"]) == ("assistant", "tool_use", {"name": "客栈"})
    assert (told["role"], result["type"], result["tool_use_id"]) == ("user", "tool_result", use["id"])
    assert "Tagged." in json.dumps(result["content"])


async def test_the_answer_goes_back_to_google_with_what_it_signed(wild: Wild) -> None:
    model = await wild.model(CALLING["google"], WELL["google"], provider="google")
    asking = await hear(model, OFFERED)
    await hear(model, replace(OFFERED, exchanges=(answered(asking, "Tagged."),)))
    *_, called, told = wild.server.asked[1].body["contents"]
    assert called["parts"][0]["functionCall"]["name"] == "context_tag"
    assert called["parts"][0]["thoughtSignature"] == "c2lnbmVk"
    assert "Tagged." in json.dumps(told["parts"][0]["functionResponse"])


@pytest.mark.parametrize("provider", PROVIDERS)
async def test_an_exchange_made_by_hand_does_as_well(wild: Wild, provider: Provider) -> None:
    call = ToolCall(id="call_1", name="context_log", arguments="{}")
    made = Exchange(calls=(call,), answers=("Nothing yet.",), text="Let me see.")
    reply = await wild.reply(WELL[provider], request=replace(OFFERED, exchanges=(made,)), provider=provider)
    assert reply.text == "Good."
    assert "Nothing yet." in json.dumps(wild.server.asked[0].body)


@pytest.mark.parametrize("provider", ["openai", "anthropic"])
@pytest.mark.parametrize("broken", ['{"name": "ha', "[1]", "not json", ""])
async def test_arguments_that_are_no_object_break_nothing(wild: Wild, provider: Provider, broken: str) -> None:
    calling = {"openai": openai_calls, "anthropic": anthropic_calls}[provider]
    model = await wild.model(calling(("context_tag", broken), text="Hm. "), WELL[provider], provider=provider)
    asking = await hear(model, OFFERED)
    assert [call.name for call in calls_of(asking)] == ["context_tag"]
    reply = await hear(model, replace(OFFERED, exchanges=(answered(asking, "These are no arguments."),)))
    assert reply.text == "Good."


async def test_a_call_cut_by_the_token_limit_is_still_a_call(wild: Wild) -> None:
    reply = await wild.reply(openai_calls(("context_tag", '{"na'), finish="length"), request=OFFERED)
    assert (len(calls_of(reply)), reply.finish.reason) == (1, "tools")


@pytest.mark.parametrize("provider", PROVIDERS)
async def test_a_model_that_may_not_call_is_told_to_speak(wild: Wild, provider: Provider) -> None:
    await wild.reply(WELL[provider], request=replace(OFFERED, may_call=False), provider=provider)
    body = wild.server.asked[0].body
    told = json.dumps(body.get("tool_choice") or body.get("toolConfig"))
    assert "none" in told.lower()


@pytest.mark.parametrize(
    ("status", "words"),
    [
        (400, "registry/gemma:2b does not support tools"),
        (404, "No endpoints found that support tool use."),
        (422, "Extra inputs are not permitted"),
        (500, "tools param requires --jinja flag"),
    ],
)
async def test_a_server_that_refuses_tools_is_asked_without_them(wild: Wild, status: int, words: str) -> None:
    model = await wild.model(fault(status, {"error": {"message": words}}), openai_stream("Good."))
    reply = await hear(model, OFFERED)
    assert (reply.text, reply.finish.without_tools) == ("Good.", True)
    again = await hear(model, OFFERED)
    assert [bool(asked.body.get("tools")) for asked in wild.server.asked] == [True, False, False]
    assert not again.finish.without_tools, "it is said once"


async def test_tools_are_no_reason_to_ask_twice_for_another_trouble(wild: Wild) -> None:
    reply = await wild.reply(fault(401, {"error": {"message": "no"}}), openai_stream("{}"), request=OFFERED)
    assert (reply.kind, len(wild.server.asked)) == ("unauthorized", 1)


@pytest.mark.parametrize("status", [502, 503, 529])
async def test_a_server_that_is_busy_is_not_asked_twice_and_keeps_its_tools(wild: Wild, status: int) -> None:
    model = await wild.model(fault(status, {"error": {"message": "Overloaded"}}), openai_stream("Good."))
    assert (await hear(model, OFFERED)).kind == "server-error"
    assert not (await hear(model, OFFERED)).finish.without_tools
    assert [offered("openai", asked.body) for asked in wild.server.asked] == [NAMES, NAMES]


async def test_a_request_that_fails_without_tools_too_does_not_cost_them(wild: Wild) -> None:
    bad = fault(400, {"error": {"message": "temperature must be positive"}})
    model = await wild.model(bad, bad, openai_stream("Good."))
    assert (await hear(model, OFFERED)).kind == "rejected"
    assert not (await hear(model, OFFERED)).finish.without_tools
    assert offered("openai", wild.server.asked[2].body) == NAMES


@pytest.mark.slow
async def test_a_server_nobody_here_wrote_calls_and_takes_the_answer() -> None:
    with katan(providers="anthropic") as url:
        model = open_model(ModelSettings(provider="anthropic", base_url=url, api_key="test", name="echo"))
        assert isinstance(model, ConnectedModel)
        asking = await hear(model, OFFERED)
        assert [call.name for call in calls_of(asking)] == ["context_tag"]
        reply = await hear(model, replace(OFFERED, exchanges=(answered(asking, "The lantern is lit."),)))
        await model.close()
    assert reply.finish.reason == "tools", "it calls the first tool it is offered, every time"
