"""Semantics §1 and §2, edits and deletions: nothing written is changed, everything can come back, privacy excepted."""

from __future__ import annotations

import pytest

from liyuan.domain.entry import EntryId
from liyuan.domain.errors import Invalid
from liyuan.model.scripted import ScriptedModel
from liyuan.play import edits, travel
from liyuan.resources import Resources
from tests.tale import Tale, new_tale


async def test_editing_as_a_branch_makes_a_sibling_and_keeps_the_old_line(tale: Tale) -> None:
    await tale.say("hello", reply="welcome")
    user = (await tale.items())[1].id
    edited = await tale.edit(user, "good night", "branch")
    assert await tale.shown() == ["Good evening.", "good night"]
    assert await tale.counter(edited.id) == "2/2"
    await tale.choose(user)
    assert await tale.shown() == ["Good evening.", "hello", "welcome"]


async def test_editing_in_place_keeps_what_follows(tale: Tale) -> None:
    """llama.cpp#18115."""
    early = await tale.say("hello", reply="welcome")
    await tale.say("who are you", reply="Ash")
    await tale.edit(early, "WELCOME", "in_place")
    assert await tale.shown() == ["Good evening.", "hello", "WELCOME", "who are you", "Ash"]


async def test_an_edit_in_place_holds_on_its_own_branch_only(tale: Tale) -> None:
    early = await tale.say("hello", reply="welcome")
    late = await tale.say("who are you", reply="Ash")
    await tale.edit(early, "WELCOME", "in_place")
    await tale.swipe(late, reply="nobody")
    assert await tale.shown() == ["Good evening.", "hello", "welcome", "who are you", "nobody"]


async def test_an_edit_in_place_is_taken_back_and_made_again(tale: Tale) -> None:
    early = await tale.say("hello", reply="welcome")
    await tale.edit(early, "WELCOME", "in_place")
    await travel.undo(tale.resources, tale.id)
    assert await tale.shown() == ["Good evening.", "hello", "welcome"]
    await travel.redo(tale.resources, tale.id)
    assert await tale.shown() == ["Good evening.", "hello", "WELCOME"]


async def test_the_model_is_told_the_edited_text(tale: Tale) -> None:
    early = await tale.say("hello", reply="welcome")
    await tale.edit(early, "WELCOME", "in_place")
    await tale.say("go on", reply="yes")
    said = [message.text for message in tale.model.requests[-1].messages]
    assert "WELCOME" in said and "welcome" not in said


async def test_editing_never_generates(tale: Tale) -> None:
    reply = await tale.say("hello", reply="welcome")
    asked = len(tale.model.requests)
    await tale.edit(reply, "hm", "in_place")
    await tale.edit(reply, "ha", "branch")
    assert len(tale.model.requests) == asked


async def test_a_message_of_another_branch_is_not_edited_in_place(tale: Tale) -> None:
    reply = await tale.say("hello", reply="welcome")
    await tale.swipe(reply, reply="hm")
    with pytest.raises(Invalid):
        await tale.edit(reply, "changed", "in_place")


@pytest.mark.parametrize(("variants", "gone", "counter"), [(2, 0, "1/1"), (9, 0, "1/8"), (9, 5, "5/8"), (9, 8, "8/8")])
async def test_deleting_a_variant_moves_to_its_neighbour(tale: Tale, variants: int, gone: int, counter: str) -> None:
    """SillyTavern#2749."""
    replies = [await tale.say("hello", reply="r0")]
    replies += [await tale.swipe(replies[0], reply=f"r{i}") for i in range(1, variants)]
    await tale.choose(replies[gone])
    leaf = await tale.prune(replies[gone])
    assert await tale.counter(EntryId(str(leaf))) == counter


async def test_deleting_the_only_reply_goes_to_its_parent_and_generates_nothing(tale: Tale) -> None:
    reply = await tale.say("hello", reply="welcome")
    asked = len(tale.model.requests)
    await tale.prune(reply)
    assert await tale.shown() == ["Good evening.", "hello"]
    assert len(tale.model.requests) == asked


async def test_what_was_deleted_comes_back_with_all_below_it(tale: Tale) -> None:
    reply = await tale.say("hello", reply="welcome")
    await tale.say("who are you", reply="Ash")
    await tale.prune(reply)
    await edits.restore(tale.resources, tale.id, reply, expected_leaf=await tale.leaf())
    assert await tale.shown() == ["Good evening.", "hello", "welcome", "who are you", "Ash"]


async def test_undo_takes_back_a_deletion(tale: Tale) -> None:
    reply = await tale.say("hello", reply="welcome")
    await tale.prune(reply)
    await travel.undo(tale.resources, tale.id)
    assert await tale.shown() == ["Good evening.", "hello", "welcome"]


async def test_deleting_on_another_branch_leaves_the_reader_where_they_are(tale: Tale) -> None:
    old = await tale.say("hello", reply="welcome")
    new = await tale.swipe(old, reply="hm")
    await tale.prune(old)
    assert await tale.leaf() == new
    assert await tale.counter(new) == "1/1"


async def test_nothing_grows_inside_a_deleted_part(tale: Tale) -> None:
    await tale.say("hello", reply="welcome")
    late = await tale.say("who are you", reply="Ash")
    asked = (await tale.items())[3].id
    await tale.prune((await tale.items())[1].id)
    with pytest.raises(Invalid, match="deleted"):
        await tale.edit(asked, "who goes there", "branch")
    with pytest.raises(Invalid, match="deleted"):
        await tale.swipe(late, reply="nobody")
    assert await tale.shown() == ["Good evening."]


async def test_the_only_opening_cannot_be_deleted(tale: Tale) -> None:
    with pytest.raises(Invalid, match="only opening"):
        await tale.prune((await tale.items())[0].id)


async def test_a_greeting_beside_others_can_be_deleted(resources: Resources, model: ScriptedModel) -> None:
    tale = await new_tale(resources, model, ("First.", "Second."))
    await tale.prune((await tale.items())[0].id)
    assert await tale.shown() == ["Second."]


async def test_redacting_empties_for_good_and_keeps_the_place(tale: Tale) -> None:
    reply = await tale.say("hello", reply="the secret password is xyzzy-plugh")
    await tale.edit(reply, "the secret password is xyzzy-plugh!", "in_place")
    await edits.redact(tale.resources, tale.id, reply)
    assert "xyzzy" not in " ".join(await tale.shown())
    assert len(await tale.items()) == 4
    assert await tale.faults() == []


async def test_what_was_redacted_is_nowhere_on_the_disk(tale: Tale) -> None:
    reply = await tale.say("hello", reply="the secret password is xyzzy-plugh")
    await edits.redact(tale.resources, tale.id, reply)
    files = [path for path in tale.resources.settings.data_dir.rglob("*") if path.is_file()]
    assert not [path.name for path in files if b"xyzzy-plugh" in path.read_bytes()]
