"""The news of a page: a performance from its start to its end, whoever comes; else that the story has moved."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import aclosing

import httpx
from bs4 import BeautifulSoup
from fastapi.sse import ServerSentEvent

from liyuan.domain.errors import ModelFailed
from liyuan.model.chat import Reasoning
from liyuan.stage import Ended, Piece, Told
from liyuan.web.live import Bearings, Listener, in_gulps, news
from liyuan.web.visitor import Visitor
from tests.web.reader import Reader, leaf_of, parts, texts


async def listening(
    reader: Reader, *, leaf: str | None = None, performance: str = ""
) -> AsyncGenerator[ServerSentEvent, None]:
    at = await reader.tale.leaf() if leaf is None else leaf
    listener = Listener(
        resources=reader.tale.resources,
        visitor=Visitor(language="en"),
        story_id=reader.tale.id,
        believes=Bearings(at or "", performance, ""),
    )
    async with aclosing(news(listener)) as events:
        async for event in events:
            yield event


async def heard(reader: Reader, performance: str) -> list[ServerSentEvent]:
    return [event async for event in listening(reader, performance=performance)]


def part(event: ServerSentEvent, target: str) -> BeautifulSoup | None:
    found = BeautifulSoup(event.raw_data or "", "html.parser").find("hx-partial", {"hx-target": target})
    return BeautifulSoup(found.decode_contents(), "html.parser") if found else None


def told(events: list[ServerSentEvent], target: str) -> str:
    """What all the parts for one place say together."""
    found = [part(event, target) for event in events]
    return "".join(one.get_text(strip=True) for one in found if one)


def begun(answer: httpx.Response) -> str:
    """The performance that an act has begun, as the page learns of it."""
    helm = parts(answer)["#helm"].select_one("#helm")
    assert helm is not None
    return str(helm["data-performance"])


async def test_a_reply_is_sent_block_by_block_and_then_takes_its_place(reader: Reader) -> None:
    go = asyncio.Event()
    reader.tale.model.enqueue(["She *turns*.\n\n“Ye", go, "s?”"])
    performance = await reader.tale.begin("Hello?")
    events: list[ServerSentEvent] = []
    async for event in listening(reader, performance=performance.id):
        events.append(event)
        go.set()
    settled, tail = part(events[0], "#settled"), part(events[0], "#tail")
    assert settled is not None
    assert tail is not None
    assert settled.get_text().strip() == "She turns."
    assert tail.get_text(strip=True) == "“Ye"
    place = part(events[-1], f"#below-{performance.performing.parent_id}")
    assert place is not None
    assert texts(place) == ["She turns . “Yes?”"]
    bearings = part(events[-1], ".leaf")
    assert bearings is not None
    assert leaf_of(bearings) == await reader.tale.leaf()


async def test_whoever_comes_late_hears_it_from_its_start(reader: Reader) -> None:
    go = asyncio.Event()
    reader.tale.model.enqueue(["One. ", go, "Two."])
    performance = await reader.tale.begin("Hello?")
    async with aclosing(performance.listen()) as first_words:
        await anext(first_words)
    late = asyncio.create_task(heard(reader, performance.id))
    await asyncio.sleep(0)
    go.set()
    events = await late
    first = part(events[0], "#settled")
    assert first is not None, "the first event begins afresh"
    assert "One." in (events[0].raw_data or "")


async def test_whoever_comes_after_the_end_gets_the_reply_all_the_same(reader: Reader) -> None:
    reader.tale.model.enqueue("Yes?")
    performance = await reader.tale.begin("Hello?")
    await performance.ended()
    events = await heard(reader, performance.id)
    assert "Yes?" in (events[-1].raw_data or "")


async def test_thoughts_go_their_own_way(reader: Reader) -> None:
    reader.tale.model.enqueue([Reasoning("Shall "), Reasoning("she?"), "Yes."])
    performance = await reader.tale.begin("Hello?")
    events = await heard(reader, performance.id)
    assert told(events, "#thoughts") == "Shall she?"


async def test_a_reply_that_goes_on_begins_with_what_it_had_said(reader: Reader) -> None:
    await reader.tale.say("Hello?", reply="Yes?")
    reader.tale.model.enqueue([" And", 0.2, " no."])
    performance = begun(await reader.act("continue"))
    events = await heard(reader, performance)
    first = part(events[0], "#tail")
    assert first is not None
    assert first.get_text(strip=True).startswith("Yes? And")


async def test_words_written_for_the_reader_go_to_the_composer(reader: Reader) -> None:
    reader.tale.model.enqueue("I take the cup.")
    performance = begun(await reader.act("impersonate"))
    events = await heard(reader, performance)
    assert [event.raw_data for event in events if event.event == "words"] == ["I take the cup."]
    assert events[-1].event == "redraw"


async def test_a_failure_is_told_with_the_way_to_try_again(reader: Reader) -> None:
    reader.tale.model.enqueue(ModelFailed())
    performance = await reader.tale.begin("Hello?")
    *_, note, last = await heard(reader, performance.id)
    said = part(note, "#composer-note")
    assert said is not None
    assert "The model did not answer" in said.get_text()
    assert said.button["formaction"] == f"{reader.address}/continue"  # type: ignore[index]
    assert last.event == "redraw"


async def test_a_swipe_that_failed_is_tried_again_as_a_swipe(reader: Reader) -> None:
    reply = await reader.tale.say("Hello?", reply="Yes?")
    reader.tale.model.enqueue(ModelFailed())
    performance = begun(await reader.act(f"entries/{reply}/another"))
    *_, note, _ = await heard(reader, performance)
    said = part(note, "#composer-note")
    assert said is not None
    assert said.button["formaction"] == f"{reader.address}/entries/{reply}/another"  # type: ignore[index]


async def test_a_failure_in_the_middle_keeps_what_was_said_and_offers_to_go_on(reader: Reader) -> None:
    reader.tale.model.enqueue(["She begins", ModelFailed()])
    performance = await reader.tale.begin("Hello?")
    *_, settled, note = await heard(reader, performance.id)
    assert "broken off" in (settled.raw_data or "")
    said = part(note, "#composer-note")
    assert said is not None
    assert said.button["formaction"] == f"{reader.address}/continue"  # type: ignore[index]


async def test_a_page_learns_that_the_story_has_moved(reader: Reader) -> None:
    old = await reader.tale.leaf()
    await reader.tale.say("Hello?", reply="Yes?")
    async for event in listening(reader, leaf=old):
        assert event.event == "moved"
        assert event.raw_data == f"{await reader.tale.leaf()} "
        break


async def test_a_page_learns_of_a_performance_that_begins_elsewhere(reader: Reader) -> None:
    events = listening(reader)
    waiting = asyncio.ensure_future(anext(events))
    await asyncio.sleep(0)
    reader.tale.model.enqueue([3600.0])
    performance = await reader.tale.begin("Hello?")
    event = await waiting
    assert event.event == "moved"
    assert event.raw_data == f"{await reader.tale.leaf()} {performance.id}"
    await events.aclose()
    await reader.act("stop")


async def test_what_comes_faster_than_it_can_be_shown_comes_together() -> None:
    async def quick() -> AsyncIterator[Told]:
        for number in range(5):
            yield Piece(str(number))
        yield Ended(None, "01234")

    gulps = [gulp async for gulp in in_gulps(quick())]
    assert len(gulps) < 6
    assert [one for gulp in gulps for one in gulp][-1] == Ended(None, "01234")
