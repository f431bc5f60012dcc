"""Where was I: from what is written on the branch already, without asking a model."""

from __future__ import annotations

from liyuan.domain.entry import SUMMARY, Draft, EntryId
from liyuan.play import saves, world
from liyuan.play.recap import Recalled, load_recap
from liyuan.store.database import new_id
from liyuan.store.tree import append
from tests.tale import Tale


async def recap(tale: Tale) -> Recalled:
    return await tale.resources.database.read(load_recap, tale.id)


async def test_it_tells_the_beginning_where_no_summary_does(tale: Tale) -> None:
    for number in range(1, 5):
        await tale.say(f"say {number}", reply=f"reply {number}")
    told = (await recap(tale)).recap
    assert [(one.speaker, one.text) for one in told.beginning] == [("Ash", "Good evening.")]
    assert [one.text for one in told.last] == ["say 3", "reply 3", "say 4", "reply 4"]
    assert told.turn == 4


async def test_a_summary_in_force_stands_for_the_beginning(tale: Tale) -> None:
    covered = await tale.say("hello", reply="welcome")
    leaf = await tale.leaf()
    data = {"text": "They met.", "covers_through_id": covered, "turns": 1}
    draft = Draft(id=EntryId(new_id()), parent_id=leaf, kind=SUMMARY, data=data)
    await tale.resources.database.write(append, tale.id, draft, expected_leaf=leaf)
    for number in range(40):
        await tale.say(f"say {number}", reply=f"reply {number}")
    told = (await recap(tale)).recap
    assert (told.summary, told.beginning) == ("They met.", ())
    assert told.last[-1].text == "reply 39"


async def test_the_ledger_and_the_saves_of_this_branch_are_told(tale: Tale) -> None:
    reply = await tale.say("hello", reply="welcome")
    await saves.save(tale.resources, tale.id, "one", expected_leaf=await tale.leaf())
    patch = {"location": "the inn", "plot_threads": ["who holds the key"]}
    await world.amend(tale.resources, tale.id, patch, expected_leaf=await tale.leaf())
    told = (await recap(tale)).recap
    assert (told.stations, told.location, told.threads) == (("one",), "the inn", ("who holds the key",))
    assert "the inn" in told.ledger
    await tale.swipe(reply, reply="go away")
    elsewhere = (await recap(tale)).recap
    assert (elsewhere.stations, elsewhere.location) == ((), "")
    assert elsewhere.last[-1].text == "go away"


async def test_an_empty_story_has_nothing_to_recall(tale: Tale) -> None:
    told = await recap(tale)
    assert [one.text for one in told.recap.last] == ["Good evening."]
    assert told.recap.beginning == ()
