"""What providers are asked and what is heard of them, against servers of our own on the loopback."""

from __future__ import annotations

import asyncio
import json
from dataclasses import replace

import pytest
from pydantic_ai.usage import RequestUsage

from liyuan.model.chat import Delta, Request, Said, Sampling
from liyuan.model.connect import Provider
from liyuan.model.providers import list_price
from tests.model.conftest import HELLO, Wild, hear
from tests.peers import (
    END,
    STREAM,
    Step,
    anthropic_piece,
    anthropic_start,
    anthropic_stream,
    chunk,
    event,
    fault,
    google_stream,
    openai_piece,
    openai_stream,
)

WELL: dict[Provider, list[Step]] = {
    "openai": openai_stream("Good ", "evening."),
    "anthropic": anthropic_stream("Good ", "evening."),
    "google": google_stream("Good ", "evening."),
}
PROVIDERS = tuple(WELL)
ALL_SAMPLERS = Sampling(
    temperature=1.5,
    top_p=0.9,
    top_k=40,
    min_p=0.05,
    frequency_penalty=0.1,
    presence_penalty=0.2,
    repetition_penalty=1.1,
    max_tokens=100,
    stop=("\n\nUser:", "  "),
    seed=7,
    extra_body={"mirostat": 2},
)


@pytest.mark.parametrize("provider", PROVIDERS)
async def test_a_reply_is_heard_in_pieces_and_ends_with_one_finish(wild: Wild, provider: Provider) -> None:
    reply = await wild.reply(WELL[provider], provider=provider)
    assert reply.pieces[:-1] == [Delta("Good "), Delta("evening.")]
    assert (reply.finish.reason, reply.finish.model) == ("stop", "wild")


@pytest.mark.parametrize(
    ("provider", "answer"),
    [
        ("openai", openai_stream("A", finish="length")),
        ("anthropic", anthropic_stream("A", reason="max_tokens")),
        ("google", google_stream("A", finish="MAX_TOKENS")),
    ],
)
async def test_a_reply_cut_by_the_token_limit_says_so(wild: Wild, provider: Provider, answer: list[Step]) -> None:
    assert (await wild.reply(answer, provider=provider)).finish.reason == "length"


async def test_a_filtered_reply_says_so(wild: Wild) -> None:
    assert (await wild.reply(openai_stream("A", finish="content_filter"))).finish.reason == "filtered"


async def test_tokens_are_told_as_the_server_counted_them(wild: Wild) -> None:
    usage = event({"id": "c1", "model": "wild", "choices": [], "usage": {"prompt_tokens": 21, "completion_tokens": 5}})
    body = openai_piece("A") + openai_piece(finish="stop") + usage + event("[DONE]")
    told = (await wild.reply([STREAM, chunk(body), END])).finish.usage
    assert (told.input_tokens, told.output_tokens, told.cost_usd) == (21, 5, None)


async def test_a_server_that_counts_nothing_is_not_booked_with_zero(wild: Wild) -> None:
    told = (await wild.reply(openai_stream("A"))).finish.usage
    assert (told.input_tokens, told.output_tokens) == (None, None)


async def test_what_a_gateway_says_it_cost_is_told(wild: Wild) -> None:
    counted = {"prompt_tokens": 21, "completion_tokens": 5, "total_tokens": 26, "cost": 0.0125}
    usage = event({"id": "c1", "model": "wild", "choices": [], "usage": counted})
    body = openai_piece("A") + openai_piece(finish="stop") + usage + event("[DONE]")
    assert (await wild.reply([STREAM, chunk(body), END])).finish.usage.cost_usd == pytest.approx(0.0125)


async def test_a_known_model_at_its_own_address_has_its_price() -> None:
    usage = RequestUsage(input_tokens=1000, output_tokens=1000)
    assert list_price(usage, ["gpt-4o"], "https://api.openai.com/v1") == pytest.approx(0.0125)
    assert list_price(usage, ["gpt-4o"], "http://127.0.0.1:1234/v1") is None
    assert list_price(usage, ["my-own-model"], "https://api.openai.com/v1") is None


async def test_cached_tokens_are_told(wild: Wild) -> None:
    assert (await wild.reply(anthropic_stream("A"), provider="anthropic")).finish.usage.cached_tokens == 4


@pytest.mark.parametrize("field", ["reasoning_content", "reasoning"])
async def test_thinking_in_a_field_of_its_own_is_kept_apart(wild: Wild, field: str) -> None:
    body = openai_piece(**{field: "Hmm."}) + openai_piece("Yes.") + openai_piece(finish="stop") + event("[DONE]")
    reply = await wild.reply([STREAM, chunk(body), END])
    assert (reply.thinking, reply.text) == ("Hmm.", "Yes.")


async def test_thinking_between_tags_is_kept_apart(wild: Wild) -> None:
    reply = await wild.reply(openai_stream("<think>", "Hm", "m.\n", "</think>", "\n\n", "Yes."))
    assert (reply.thinking, reply.text) == ("Hmm.\n", "Yes.")


async def test_anthropics_thinking_is_kept_apart(wild: Wild) -> None:
    thought = {"type": "content_block_start", "index": 0, "content_block": {"type": "thinking", "thinking": ""}}
    delta = {"type": "content_block_delta", "index": 0, "delta": {"type": "thinking_delta", "thinking": "Hmm."}}
    start = anthropic_start().split(b"event: content_block_start")[0]
    said = {"type": "content_block_start", "index": 1, "content_block": {"type": "text", "text": ""}}
    word = {"type": "content_block_delta", "index": 1, "delta": {"type": "text_delta", "text": "Yes."}}
    end = {"type": "message_delta", "delta": {"stop_reason": "end_turn"}, "usage": {"output_tokens": 2}}
    events = [event(data, str(data["type"])) for data in (thought, delta, said, word, end, {"type": "message_stop"})]
    reply = await wild.reply([STREAM, chunk(start + b"".join(events)), END], provider="anthropic")
    assert (reply.thinking, reply.text) == ("Hmm.", "Yes.")


@pytest.mark.parametrize("provider", PROVIDERS)
async def test_a_character_cut_in_two_on_the_line_comes_out_whole(wild: Wild, provider: Provider) -> None:
    whole = {"openai": openai_stream, "anthropic": anthropic_stream, "google": google_stream}[provider]("青梧🏮笑了。")
    body = whole[1]
    assert isinstance(body, bytes)
    data = body.split(b"\r\n", 1)[1].removesuffix(b"\r\n")
    one_by_one = [chunk(data[n : n + 1]) for n in range(len(data))]
    reply = await wild.reply([STREAM, *one_by_one, END], provider=provider)
    assert reply.text == "青梧🏮笑了。"


async def test_a_character_whose_halves_came_in_two_pieces_is_joined(wild: Wild) -> None:
    halves = [json.dumps({"choices": [{"index": 0, "delta": {"content": half}}]}) for half in ("灯\ud83c", "\udfee笼")]
    body = b"".join(event(half) for half in halves) + openai_piece(finish="stop")
    reply = await wild.reply([STREAM, chunk(body), END])
    assert reply.text == "灯🏮笼"


@pytest.mark.parametrize("provider", PROVIDERS)
async def test_closing_the_stream_hangs_up(wild: Wild, provider: Provider) -> None:
    begun: list[Step] = {
        "openai": [STREAM, chunk(openai_piece("A")), asyncio.Event()],
        "anthropic": [STREAM, chunk(anthropic_start() + anthropic_piece("A")), asyncio.Event()],
        "google": [google_stream("A")[0], chunk(b"".join(_google_begun())), asyncio.Event()],
    }[provider]
    model = await wild.model(begun, provider=provider)
    stream = model.stream(HELLO)
    assert await anext(stream) == Delta("A")
    await stream.aclose()
    async with asyncio.timeout(10):
        await wild.server.hung_up.wait()


def _google_begun() -> list[bytes]:
    part = {"candidates": [{"index": 0, "content": {"role": "model", "parts": [{"text": "A"}]}}]}
    return [event(part)]


async def test_only_what_is_set_is_sent(wild: Wild) -> None:
    await wild.reply(WELL["openai"])
    assert set(wild.server.asked[0].body) == {"model", "messages", "stream", "stream_options"}


async def test_every_sampler_reaches_a_compatible_server(wild: Wild) -> None:
    await wild.reply(WELL["openai"], request=replace(HELLO, sampling=ALL_SAMPLERS))
    body = wild.server.asked[0].body
    for name in ("temperature", "top_p", "top_k", "min_p", "repetition_penalty", "max_tokens", "seed"):
        assert body[name] == getattr(ALL_SAMPLERS, name), name
    assert (body["frequency_penalty"], body["presence_penalty"]) == (0.1, 0.2)
    assert body["stop"] == ["\n\nUser:", "  "]
    assert body["mirostat"] == 2


async def test_anthropic_gets_what_it_takes(wild: Wild) -> None:
    await wild.reply(WELL["anthropic"], request=replace(HELLO, sampling=ALL_SAMPLERS), provider="anthropic")
    body = wild.server.asked[0].body
    assert (body["temperature"], body["top_k"], body["max_tokens"]) == (1.0, 40, 100)
    assert body["stop_sequences"] == ["\n\nUser:"]
    assert body["mirostat"] == 2
    assert not {"top_p", "min_p", "seed", "frequency_penalty", "repetition_penalty"} & set(body)


async def test_gemini_gets_what_it_takes(wild: Wild) -> None:
    await wild.reply(WELL["google"], request=replace(HELLO, sampling=ALL_SAMPLERS), provider="google")
    config = wild.server.asked[0].body["generationConfig"]
    assert (config["temperature"], config["topK"], config["maxOutputTokens"], config["seed"]) == (1.5, 40, 100, 7)


@pytest.mark.parametrize(
    ("provider", "header"), [("openai", "authorization"), ("anthropic", "x-api-key"), ("google", "x-goog-api-key")]
)
async def test_the_key_goes_where_the_provider_looks_for_it(wild: Wild, provider: Provider, header: str) -> None:
    await wild.reply(WELL[provider], provider=provider)
    assert wild.server.asked[0].headers[header].removeprefix("Bearer ") == "sk-a-very-secret-key-0123456789"


STORY = Request(
    messages=(
        Said(role="system", text="The card."),
        Said(role="system", text="The persona.", stable=True),
        Said(role="assistant", text="Welcome."),
        Said(role="user", text="Good evening."),
        Said(role="assistant", text="Sit down.", stable=True),
        Said(role="system", text="It is raining."),
        Said(role="user", text="Thank you."),
    )
)


async def test_a_server_of_ones_own_gets_strict_turns(wild: Wild) -> None:
    await wild.reply(WELL["openai"], request=STORY)
    messages = wild.server.asked[0].body["messages"]
    assert [message["role"] for message in messages] == ["system", "user", "assistant", "user", "assistant", "user"]
    assert messages[0]["content"] == "The card.\n\nThe persona."
    assert messages[-1]["content"] == "<note>\nIt is raining.\n</note>\n\nThank you."


async def test_a_server_that_takes_any_order_gets_it_as_it_is(wild: Wild) -> None:
    await wild.reply(WELL["openai"], request=STORY, strict_roles=False)
    roles = [message["role"] for message in wild.server.asked[0].body["messages"]]
    assert roles[-4:] == ["user", "assistant", "system", "user"]


async def test_anthropic_gets_cache_marks_at_the_ends_of_stable_parts(wild: Wild) -> None:
    await wild.reply(WELL["anthropic"], request=STORY, provider="anthropic")
    body = wild.server.asked[0].body
    assert [("cache_control" in block) for block in body["system"]] == [False, True]
    assert [message["role"] for message in body["messages"]] == ["user", "assistant", "user", "assistant", "user"]
    marked = [block["text"] for message in body["messages"] for block in message["content"] if "cache_control" in block]
    assert marked == ["Sit down."]


async def test_a_continuation_is_prefilled_where_the_provider_can(wild: Wild) -> None:
    request = replace(STORY, messages=STORY.messages[:5], purpose="continue")
    await wild.reply(WELL["anthropic"], request=request, provider="anthropic")
    last = wild.server.asked[0].body["messages"][-1]
    assert (last["role"], last["content"][0]["text"]) == ("assistant", "Sit down.")


async def test_a_model_that_takes_no_prefill_is_asked_to_carry_on(wild: Wild) -> None:
    refusal = {"type": "invalid_request_error", "message": "This model does not support assistant message prefill."}
    request = replace(STORY, messages=STORY.messages[:5], purpose="continue")
    model = await wild.model(fault(400, {"type": "error", "error": refusal}), WELL["anthropic"], provider="anthropic")
    assert (await hear(model, request)).text == "Good evening."
    assert wild.server.asked[1].body["messages"][-1]["role"] == "user"
    await hear(model, request)
    assert len(wild.server.asked) == 3, "the refusal is remembered"


async def test_other_servers_are_asked_to_carry_on_unless_told_otherwise(wild: Wild) -> None:
    request = replace(STORY, messages=STORY.messages[:5], purpose="continue")
    await wild.reply(WELL["openai"], request=request)
    assert "Carry on" in wild.server.asked[0].body["messages"][-1]["content"]
    await wild.reply(WELL["openai"], request=request, prefill=True)
    assert wild.server.asked[0].body["messages"][-1] == {"role": "assistant", "content": "Sit down."}


SCHEMA = {"type": "object", "properties": {"time": {"type": "string"}}, "additionalProperties": True}
BOOKING = replace(HELLO, purpose="scribe", schema=SCHEMA)


async def test_a_schema_is_asked_for_where_the_server_can(wild: Wild) -> None:
    await wild.reply(openai_stream("{}"), request=BOOKING)
    asked = wild.server.asked[0].body["response_format"]
    assert (asked["type"], asked["json_schema"]["name"]) == ("json_schema", "scribe")
    await wild.reply(google_stream("{}"), request=BOOKING, provider="google")
    assert wild.server.asked[0].body["generationConfig"]["responseMimeType"] == "application/json"


@pytest.mark.parametrize("status", [400, 422, 500])
async def test_a_server_that_refuses_the_schema_is_asked_without_it(wild: Wild, status: int) -> None:
    refusal = fault(status, {"error": {"message": "response_format is not supported"}})
    model = await wild.model(refusal, openai_stream("{}"))
    assert (await hear(model, BOOKING)).text == "{}"
    assert "response_format" not in wild.server.asked[1].body
    await hear(model, BOOKING)
    assert len(wild.server.asked) == 3, "the refusal is remembered"


async def test_a_schema_is_no_reason_to_ask_twice_for_another_trouble(wild: Wild) -> None:
    reply = await wild.reply(fault(401, {"error": {"message": "no"}}), openai_stream("{}"), request=BOOKING)
    assert (reply.kind, len(wild.server.asked)) == ("unauthorized", 1)


async def test_two_requests_at_once_keep_apart(wild: Wild) -> None:
    gate = asyncio.Event()
    model = await wild.model(
        [STREAM, chunk(openai_piece("one")), gate, chunk(openai_piece(finish="stop")), END], WELL["openai"]
    )
    first = asyncio.ensure_future(hear(model))
    await wild.server.called.wait()
    second = await hear(model)
    gate.set()
    assert (second.text, (await first).text) == ("Good evening.", "one")
