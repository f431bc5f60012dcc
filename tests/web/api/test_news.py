"""The stream of news: what others do shows up, and a line that was lost is taken up again."""

from __future__ import annotations

from tests.web.api.caller import Caller, listening


async def test_a_listener_hears_a_turn_and_where_the_leaf_went(api: Caller) -> None:
    opened = await api.open()
    async with listening(api.app, f"{api.here}/events") as events:
        present = await anext(events)
        assert (present.name, present.data["leaf_id"]) == ("leaf", opened["leaf_id"])
        reply = (await api.say("hello", ["wel", "come"]))["reply"]
        heard = [await anext(events) for _ in range(6)]
    news = [event for event in heard if event.name != "leaf"]
    assert [event.name for event in news] == ["turn", "delta", "delta", "turn"]
    assert [event.data["text"] for event in news[1:3]] == ["wel", "come"]
    assert news[-1].data == {
        "performance_id": news[0].data["performance_id"],
        "act": "reply",
        "parent_id": reply["parent_id"],
        "state": "ended",
        "entry_id": reply["id"],
    }
    assert [event.data["leaf_id"] for event in heard if event.name == "leaf"] == [reply["parent_id"], reply["id"]]


async def test_a_lost_line_is_taken_up_where_it_broke(api: Caller) -> None:
    await api.open()
    async with listening(api.app, f"{api.here}/events") as events:
        last = (await anext(events)).id
    turn = await api.say("hello", "welcome")
    async with listening(api.app, f"{api.here}/events", headers={"Last-Event-ID": str(last)}) as events:
        missed = [await anext(events), await anext(events)]
    assert [event.data["leaf_id"] for event in missed] == [turn["user"]["id"], turn["reply"]["id"]]


async def test_a_new_title_is_heard(api: Caller) -> None:
    await api.open()
    async with listening(api.app, f"{api.here}/events") as events:
        await anext(events)
        await api.call("PATCH", api.here, json={"title": "Rain"})
        assert (await anext(events)).data == {"title": "Rain"}


async def test_the_line_ends_with_the_story(api: Caller) -> None:
    await api.open()
    async with listening(api.app, f"{api.here}/events") as events:
        await anext(events)
        await api.call("DELETE", api.here, 204)


async def test_there_is_no_news_of_a_story_that_is_not_there(api: Caller) -> None:
    await api.read("/conversations/nobody/events", 404)
