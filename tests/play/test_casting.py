"""Semantics §1 and §7: who the reader is and which model plays are settings of the branch."""

from __future__ import annotations

from liyuan.domain.entry import SETTING
from liyuan.play.casting import choose_reader
from liyuan.store.conversations import load_conversation
from liyuan.store.library import add_persona
from tests.tale import Tale


async def persona(tale: Tale, name: str) -> str:
    return (await tale.resources.database.write(add_persona, name)).id


async def reader(tale: Tale) -> str | None:
    return (await tale.resources.database.read(load_conversation, tale.id)).persona_id


async def test_a_choice_holds_from_here_on(tale: Tale) -> None:
    await persona(tale, "Usual")
    mara = await persona(tale, "Mara")
    await tale.say("hello", reply="welcome")
    await choose_reader(tale.resources, tale.id, mara)
    await tale.say("again", reply="{{user}}?")
    assert "Mara" in tale.model.requests[-1].messages[0].text
    assert await reader(tale) == mara


async def test_another_branch_keeps_its_own(tale: Tale) -> None:
    await persona(tale, "Usual")
    mara = await persona(tale, "Mara")
    reply = await tale.say("hello", reply="welcome")
    await choose_reader(tale.resources, tale.id, mara)
    await tale.go(reply)
    assert await reader(tale) is None
    await tale.say("again", reply="yes")
    assert "Mara" not in tale.model.requests[-1].messages[0].text


async def test_choosing_the_same_again_adds_nothing(tale: Tale) -> None:
    mara = await persona(tale, "Mara")
    await choose_reader(tale.resources, tale.id, mara)
    before = await tale.count()
    await choose_reader(tale.resources, tale.id, mara)
    assert await tale.count() == before
    assert [item.entry.kind for item in await tale.items()].count(SETTING) == 1


async def test_a_page_drawn_before_the_choice_may_still_send(tale: Tale) -> None:
    shown = await tale.leaf()
    await choose_reader(tale.resources, tale.id, await persona(tale, "Mara"))
    tale.model.enqueue("yes")
    performance = await tale.begin_at("hello", shown)
    await performance.ended()
    assert (await tale.shown())[-2:] == ["hello", "yes"]
