"""ScriptedModel keeps to its script and tells what happened."""

from __future__ import annotations

import asyncio

import pytest

from liyuan.domain.errors import ModelFailed
from liyuan.model.chat import Delta, Finish, Reasoning, Request, Said, Spoken, Usage
from liyuan.model.scripted import ScriptedModel, ScriptExhausted

HELLO = Request(messages=(Said(role="user", text="hello"),))


async def heard(model: ScriptedModel, request: Request = HELLO) -> list[Spoken]:
    return [spoken async for spoken in model.stream(request)]


async def test_replies_come_in_order_and_end_with_one_finish():
    model = ScriptedModel("first", ["sec", "ond"])
    assert await heard(model) == [Delta("first"), Finish(model="scripted")]
    assert await heard(model) == [Delta("sec"), Delta("ond"), Finish(model="scripted")]
    assert model.requests == [HELLO, HELLO]
    assert model.spent


async def test_reasoning_and_usage_are_played_as_written():
    end = Finish(reason="length", model="m", usage=Usage(output_tokens=3))
    assert await heard(ScriptedModel([Reasoning("hm"), "yes", end])) == [Reasoning("hm"), Delta("yes"), end]


async def test_an_error_may_come_before_or_in_the_middle():
    model = ScriptedModel(ModelFailed(kind="timeout"), ["half", ModelFailed(kind="cut-off")])
    with pytest.raises(ModelFailed):
        await heard(model)
    pieces = []
    with pytest.raises(ModelFailed):
        async for spoken in model.stream(HELLO):
            pieces.append(spoken)
    assert pieces == [Delta("half")]
    assert len(model.stopped) == 2


async def test_a_gate_holds_the_reply_until_the_test_opens_it():
    gate = asyncio.Event()
    model = ScriptedModel(["before", gate, "after"])
    stream = model.stream(HELLO)
    assert await anext(stream) == Delta("before")
    waiting = asyncio.ensure_future(anext(stream))
    await asyncio.sleep(0)
    assert not waiting.done()
    gate.set()
    assert await waiting == Delta("after")


async def test_an_async_function_runs_between_pieces():
    seen: list[str] = []

    async def look() -> None:
        seen.append("looked")

    assert await heard(ScriptedModel(["a", look, "b"])) == [Delta("a"), Delta("b"), Finish(model="scripted")]
    assert seen == ["looked"]


async def test_a_purpose_has_its_own_queue():
    model = ScriptedModel("story")
    model.enqueue("{}", purpose="scribe")
    scribe = Request(messages=HELLO.messages, purpose="scribe")
    assert (await heard(model, scribe))[0] == Delta("{}")
    assert (await heard(model))[0] == Delta("story")
    assert model.asked("scribe") == [scribe]


async def test_otherwise_answers_from_the_request():
    model = ScriptedModel(otherwise=lambda request: f"you said {request.messages[-1].text}")
    assert (await heard(model))[0] == Delta("you said hello")
    assert (await heard(model))[0] == Delta("you said hello")


async def test_a_script_that_runs_out_fails_loudly():
    model = ScriptedModel()
    with pytest.raises(ScriptExhausted):
        await heard(model)
    assert model.overruns == [HELLO]
    assert not model.spent


async def test_closing_the_stream_is_noticed():
    model = ScriptedModel(["one", "two"])
    stream = model.stream(HELLO)
    await anext(stream)
    await stream.aclose()
    assert model.stopped == [HELLO]


async def test_until_asked_waits_for_the_request():
    model = ScriptedModel("yes")
    waiting = asyncio.ensure_future(model.until_asked())
    await asyncio.sleep(0)
    assert not waiting.done()
    await heard(model)
    assert await waiting == HELLO
