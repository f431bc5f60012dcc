"""Writing down what was said elsewhere: under the guard of every append, and nothing else happens."""

from __future__ import annotations

import pytest

from liyuan.domain.errors import Invalid, LeafMoved
from liyuan.play.dictation import dictate
from tests.tale import Tale


async def test_it_is_kept_as_it_is_and_no_model_answers(tale: Tale) -> None:
    entry = await dictate(
        tale.resources, tale.id, "user", "{{user}} asks for {{roll:d6}}.", expected_leaf=await tale.leaf()
    )
    assert await tale.leaf() == entry.id
    assert await tale.shown() == ["Good evening.", "{{user}} asks for {{roll:d6}}."]
    assert tale.resources.stage.here(tale.id) is None


async def test_it_is_written_only_where_the_writer_believes_the_leaf_to_be(tale: Tale) -> None:
    first = await tale.leaf()
    await tale.say("Is there a room?", reply="There is.")
    with pytest.raises(LeafMoved):
        await dictate(tale.resources, tale.id, "assistant", "Late.", expected_leaf=first)
    assert await tale.count() == 3


@pytest.mark.parametrize("text", ["", " \n", "x" * 200_001])
async def test_what_is_no_message_is_refused(tale: Tale, text: str) -> None:
    with pytest.raises(Invalid):
        await dictate(tale.resources, tale.id, "user", text, expected_leaf=await tale.leaf())
    assert await tale.count() == 1


async def test_the_story_goes_on_from_it_like_from_any_other(tale: Tale) -> None:
    await dictate(tale.resources, tale.id, "user", "I sit down.", expected_leaf=await tale.leaf())
    await tale.say("A tea, please.", reply="Here it is.")
    assert await tale.shown() == ["Good evening.", "I sit down.", "A tea, please.", "Here it is."]
    assert await tale.faults() == []
