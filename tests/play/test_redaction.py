"""Words that were erased are gone from the disk: from SQL, from its log and its search, and from the vectors."""

from __future__ import annotations

import struct
from pathlib import Path

import pytest

from liyuan.jobs.indexing import index_all
from liyuan.memory.chroma import ChromaVectors
from liyuan.memory.recall import Memory, Vector
from liyuan.model.scripted import ScriptedModel
from liyuan.play import edits
from liyuan.play.knowledge import add_knowledge, remove_knowledge
from liyuan.store.indexing import order
from liyuan.store.memories import story_shelf
from tests.minds import WordEmbedder
from tests.tale import new_tale, theatre

pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning")
SECRET = "Theodolinda"


def holding(folder: Path, pattern: bytes) -> list[str]:
    return [
        str(file.relative_to(folder))
        for file in folder.rglob("*")
        if file.is_file() and pattern.lower() in file.read_bytes().lower()
    ]


def bits(vector: Vector) -> bytes:
    return struct.pack(f"{len(vector)}f", *vector)


async def test_a_redacted_message_leaves_no_word_and_no_vector_on_disk(tmp_path: Path) -> None:
    embedder = WordEmbedder()
    text = f"My true name is {SECRET}."
    memory = Memory(ChromaVectors(tmp_path / "data" / "vectors"), embedder)
    async with theatre(tmp_path / "data", ScriptedModel(), memory=memory) as resources:
        tale = await new_tale(resources, ScriptedModel())
        tale.model = resources.models._fixed  # type: ignore[assignment]
        secret = await tale.say("Your name?", reply=text)
        await tale.say("I see.", reply="Let us not speak of it.")
        await resources.database.write(order, story_shelf(tale.id))
        await index_all(resources)
        vector = bits(await embedder.query(text))
        assert holding(tmp_path, SECRET.encode()) and holding(tmp_path, vector)
        await edits.redact(resources, tale.id, secret)
        assert holding(tmp_path, SECRET.encode()) == []
        assert [name for name in holding(tmp_path, vector) if "vectors" in name] == []
    assert holding(tmp_path, SECRET.encode()) == []


async def test_a_removed_document_leaves_no_word_and_no_vector_on_disk(tmp_path: Path) -> None:
    embedder = WordEmbedder()
    text = f"The abbess is called {SECRET}."
    memory = Memory(ChromaVectors(tmp_path / "data" / "vectors"), embedder)
    async with theatre(tmp_path / "data", ScriptedModel(), memory=memory) as resources:
        tale = await new_tale(resources, ScriptedModel())
        added = await add_knowledge(resources, tale.id, "abbey.txt", text.encode(), "everywhere")
        await index_all(resources)
        vector = bits(await embedder.query(text))
        assert holding(tmp_path, SECRET.encode()) and holding(tmp_path, vector)
        await remove_knowledge(resources, tale.id, added.id)
        assert holding(tmp_path, SECRET.encode()) == []
        assert holding(tmp_path, vector) == []
