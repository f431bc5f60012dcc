"""What comes in from elsewhere is indexed behind the curtain: newest path first, and on from where a break left it."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from liyuan.domain.entry import USER, ConversationId, Draft, EntryId
from liyuan.jobs.indexing import drop_deleted, embed, index_all
from liyuan.memory.recall import Memory, Vector
from liyuan.store.conversations import create, delete
from liyuan.store.indexing import load_orders, load_progress, order
from liyuan.store.memories import story_shelf
from liyuan.store.planting import plant
from tests.minds import FrailVectors, WordEmbedder
from tests.tale import theatre


class Interrupted(BaseException):
    """The process dies."""


class NoticingEmbedder(WordEmbedder):
    """Notes what it read, and dies after so many texts."""

    def __init__(self, dies_after: int = 1_000_000) -> None:
        super().__init__()
        self.read: list[str] = []
        self.dies_after = dies_after

    async def passages(self, texts: Sequence[str]) -> list[Vector]:
        if len(self.read) >= self.dies_after:
            raise Interrupted
        self.read += texts
        return await super().passages(texts)


def story(length: int) -> list[Draft]:
    """A path of so many messages, with a branch beside its middle that nobody is on."""
    path = [
        Draft(id=EntryId(f"e{n:04}"), parent_id=EntryId(f"e{n - 1:04}") if n else None, role=USER, text=f"Line {n}.")
        for n in range(length)
    ]
    middle = path[length // 2].id
    beside = [Draft(id=EntryId("beside"), parent_id=middle, role=USER, text="Another line.")]
    return path + beside


async def test_an_imported_story_is_indexed_newest_path_first_and_survives_a_break(tmp_path: Path) -> None:
    store = FrailVectors()
    first, second = NoticingEmbedder(dies_after=16), NoticingEmbedder()
    async with theatre(tmp_path, memory=Memory(store, first)) as resources:
        with resources.database.writing_now() as connection:
            conversation_id = create(connection).id
            plant(connection, conversation_id, story(40), leaf=EntryId("e0039"))
            order(connection, story_shelf(conversation_id))
        with pytest.raises(Interrupted):
            await index_all(resources)
    assert first.read == [f"Line {n}." for n in range(39, 23, -1)]
    async with theatre(tmp_path, memory=Memory(store, second)) as resources:
        shelf = story_shelf(conversation_id)
        progress = await resources.database.read(load_progress, shelf, "words")
        assert (progress.total, progress.embedded, progress.waits) == (41, 16, True)
        await index_all(resources)
        assert second.read == [f"Line {n}." for n in range(23, -1, -1)] + ["Another line."]
        assert (await resources.database.read(load_progress, shelf, "words")).is_done
        assert await resources.database.read(load_orders) == []


async def test_asking_for_an_index_again_makes_nothing_twice(tmp_path: Path) -> None:
    embedder = NoticingEmbedder()
    async with theatre(tmp_path, memory=Memory(FrailVectors(), embedder)) as resources:
        with resources.database.writing_now() as connection:
            conversation_id = create(connection).id
            plant(connection, conversation_id, story(6), leaf=EntryId("e0005"))
            order(connection, story_shelf(conversation_id))
        await index_all(resources)
        await resources.database.write(order, story_shelf(conversation_id))
        await index_all(resources)
        assert len(embedder.read) == 7


async def test_the_vectors_of_a_deleted_story_go_and_come_back_with_it(tmp_path: Path) -> None:
    store = FrailVectors()
    async with theatre(tmp_path, memory=Memory(store, WordEmbedder())) as resources:
        with resources.database.writing_now() as connection:
            conversation_id: ConversationId = create(connection).id
            plant(connection, conversation_id, story(6), leaf=EntryId("e0005"))
            order(connection, story_shelf(conversation_id))
        await index_all(resources)
        await resources.database.write(delete, conversation_id)
        await drop_deleted(resources, grace=600)
        assert len(store.kept) == 1, "somebody may still undo it"
        await drop_deleted(resources, grace=-1)
        assert store.kept == {}
        while not await embed(resources, story_shelf(conversation_id), most=50):
            pass
        assert len(store.kept) == 1
