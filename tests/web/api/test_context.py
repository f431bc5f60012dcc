"""Tags, the log, checkout and the recap over the API."""

from __future__ import annotations

from tests.web.api.caller import Caller


async def test_a_tag_a_log_and_a_checkout(api: Caller) -> None:
    await api.open()
    await api.say("hello", "welcome")
    tagged = await api.act(f"{api.here}/tags", 201, name="inn")
    assert tagged == {"name": "inn", "entry_id": await api.leaf()}
    await api.say("down", "dark")
    left = await api.leaf()
    log = await api.read(f"{api.here}/log")
    assert (log["head"], log["tags"]) == (left, {"inn": tagged["entry_id"]})
    assert log["dashboard"]["steps"] == 2
    assert [item["type"] for item in log["items"]].count("folded") == 1
    done = await api.guarded("/checkout", 201, target="inn", message="Empty.", backup_tag="cellar")
    assert (done["target_id"], done["from_id"]) == (tagged["entry_id"], left)
    assert done["conversation"]["leaf_id"] == done["entry_id"] == await api.leaf()
    named = {tag["name"]: tag["entry_id"] for tag in (await api.read(f"{api.here}/tags"))["items"]}
    assert named == {"inn": tagged["entry_id"], "cellar": left}


async def test_a_stale_checkout_is_refused(api: Caller) -> None:
    await api.open()
    old = await api.leaf()
    await api.say("hello", "welcome")
    await api.guarded("/checkout", 409, target="root", message="Empty.", expected_leaf=old)
    await api.guarded("/checkout", 404, target="nowhere", message="Empty.")
    await api.guarded("/checkout", 422, target="root", message="")


async def test_a_stretch_of_the_log_is_told_in_full(api: Caller) -> None:
    await api.open()
    first = await api.leaf()
    for number in range(4):
        await api.say(f"say {number}", "word " * 60)
    items = (await api.read(f"{api.here}/branch"))["items"]
    opened = await api.read(f"{api.here}/log", **{"from": first, "to": items[2]["id"]})
    assert [item["text"] for item in opened["items"]] == [item["text"] for item in items[:3]]


async def test_a_tag_can_be_taken_away(api: Caller) -> None:
    await api.open()
    await api.act(f"{api.here}/tags", 201, name="a place")
    await api.call("DELETE", f"{api.here}/tags/a place", 204)
    await api.call("DELETE", f"{api.here}/tags/a place", 404)
    assert (await api.read(f"{api.here}/tags"))["items"] == []


async def test_a_tag_of_any_name_can_be_taken_away(api: Caller) -> None:
    await api.open()
    await api.act(f"{api.here}/tags", 201, name="inn/attic?#%")
    await api.call("DELETE", f"{api.here}/tags/inn%2Fattic%3F%23%25", 204)
    assert (await api.read(f"{api.here}/tags"))["items"] == []


async def test_the_recap_tells_where_one_was(api: Caller) -> None:
    await api.open()
    await api.say("hello", "welcome")
    recap = await api.read(f"{api.here}/recap")
    assert [one["text"] for one in recap["last"]] == ["Good evening.", "hello", "welcome"]
    assert recap["turn"] == 1
