"""The two samples come once, with their pictures, and stay away when they were deleted."""

from __future__ import annotations

from liyuan.play.samples_seed import seed_samples
from liyuan.resources import Resources
from liyuan.store.cast import card_of
from liyuan.store.library import delete_card, list_cards
from liyuan.store.media import load_media


async def test_there_is_one_sample_in_each_language_with_greetings_and_a_picture(resources: Resources) -> None:
    await seed_samples(resources)
    rows = await resources.database.read(list_cards)
    assert {card_of(row).language for row in rows} == {"zh", "en"}
    for row in rows:
        assert len(card_of(row).greetings) >= 2
        assert load_media(resources.media, row.image_id)


async def test_a_second_start_adds_nothing(resources: Resources) -> None:
    await seed_samples(resources)
    before = await resources.database.read(list_cards)
    await seed_samples(resources)
    assert await resources.database.read(list_cards) == before


async def test_a_deleted_sample_does_not_come_back(resources: Resources) -> None:
    await seed_samples(resources)
    for row in await resources.database.read(list_cards):
        await resources.database.write(delete_card, row.id)
    await seed_samples(resources)
    assert await resources.database.read(list_cards) == ()
