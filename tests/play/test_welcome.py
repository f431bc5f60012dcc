"""The first visitor finds a story already begun; nobody finds it twice, and nobody against their will."""

from __future__ import annotations

import asyncio

import pytest

from liyuan.play.opening import open_story
from liyuan.play.samples_seed import seed_samples
from liyuan.play.welcome import welcome
from liyuan.resources import Resources
from liyuan.store.branch import load_page
from liyuan.store.conversations import list_conversations
from liyuan.store.library import delete_card, list_cards


@pytest.mark.parametrize(("language", "name"), [("zh", "青梧"), ("en", "Ottoline Pell")])
async def test_the_first_visitor_is_greeted_in_their_language(resources: Resources, language: str, name: str) -> None:
    await seed_samples(resources)
    story = await welcome(resources, language)
    assert story is not None and story.title == name
    page = await resources.database.read(load_page, story.id, None, limit=5)
    assert [item.entry.role for item in page.items] == ["assistant"]


async def test_only_the_first_visit_opens_a_story_even_when_two_come_at_once(resources: Resources) -> None:
    await seed_samples(resources)
    opened = await asyncio.gather(*(welcome(resources, "en") for _ in range(5)))
    assert len([story for story in opened if story]) == 1
    assert await welcome(resources, "zh") is None


async def test_who_has_stories_already_is_no_newcomer(resources: Resources) -> None:
    await seed_samples(resources)
    await open_story(resources)
    assert await welcome(resources, "en") is None
    assert len((await resources.database.read(list_conversations))[0]) == 1


async def test_without_any_sample_there_is_no_story(resources: Resources) -> None:
    await seed_samples(resources)
    for row in await resources.database.read(list_cards):
        await resources.database.write(delete_card, row.id)
    assert await welcome(resources, "en") is None


async def test_with_one_sample_left_that_one_greets(resources: Resources) -> None:
    await seed_samples(resources)
    row = next(row for row in await resources.database.read(list_cards) if row.name == "青梧")
    await resources.database.write(delete_card, row.id)
    story = await welcome(resources, "zh")
    assert story is not None and story.title == "Ottoline Pell"
