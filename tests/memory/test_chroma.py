"""Vectors in Chroma: found among exactly the named ones, gone from disk when erased, anew when damaged."""

from __future__ import annotations

import random
import shutil
import struct
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from liyuan.memory.chroma import FILE, ChromaVectors
from liyuan.memory.in_memory import InMemoryVectors
from liyuan.memory.recall import StoreFailed, Vector, unit

DIMENSIONS = 24
# The library says at import that one of its own parts is old.
pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning")


def vectors(count: int, seed: int = 1) -> dict[int, Vector]:
    draw = random.Random(seed)
    return {number: _single(unit([draw.gauss(0, 1) for _ in range(DIMENSIONS)])) for number in range(1, count + 1)}


def _single(vector: Vector) -> Vector:
    """The numbers as 32 bits hold them, which is how they are stored."""
    return struct.unpack(f"{DIMENSIONS}f", struct.pack(f"{DIMENSIONS}f", *vector))


def on_disk(folder: Path, vector: Vector) -> list[str]:
    """The files that hold the vector, bit by bit."""
    pattern = struct.pack(f"{DIMENSIONS}f", *vector)
    return [str(file) for file in folder.rglob("*") if file.is_file() and pattern in file.read_bytes()]


@pytest.fixture
async def store(tmp_path: Path) -> AsyncIterator[ChromaVectors]:
    made = ChromaVectors(tmp_path / "vectors", short=20)
    yield made
    await made.close()


@pytest.mark.parametrize("allowed", [5, 200])
async def test_only_the_named_vectors_are_looked_at(store: ChromaVectors, allowed: int) -> None:
    """A short list is compared here, a long one by Chroma; both find what comparing one by one finds."""
    await finds_what_comparing_finds(store, allowed)


async def finds_what_comparing_finds(store: ChromaVectors, allowed: int) -> None:
    """Of 1,500 vectors so many may be seen; then all of them."""
    kept = vectors(1500)
    brute = InMemoryVectors()
    await store.add("story", kept)
    await brute.add("story", kept)
    names = [str(number) for number in random.Random(2).sample(sorted(kept), allowed)]
    for asked in vectors(5, seed=9).values():
        found = await store.nearest("story", asked, names, 4)
        wanted = await brute.nearest("story", asked, names, 4)
        assert [near.id for near in found] == [near.id for near in wanted]
        assert [near.likeness for near in found] == pytest.approx([near.likeness for near in wanted], abs=1e-4)
        about = await store.around("story", asked, 4)
        assert [near.id for near in about] == [near.id for near in await brute.around("story", asked, 4)]


async def test_a_shelf_that_is_not_there_is_empty(store: ChromaVectors) -> None:
    assert await store.count("story") == 0
    assert await store.held("story") == set()
    assert await store.nearest("story", vectors(1)[1], ["1"], 3) == []


async def test_shelves_do_not_see_each_other(store: ChromaVectors) -> None:
    await store.add("one", vectors(3))
    await store.add("two", {7: vectors(1)[1]})
    assert await store.held("one") == {1, 2, 3}
    assert await store.shelves() == {"one", "two"}


@pytest.mark.parametrize("count", [60, 2500])
async def test_what_is_erased_is_gone_from_disk(store: ChromaVectors, tmp_path: Path, count: int) -> None:
    kept = vectors(count)
    await store.add("story", kept)
    assert on_disk(tmp_path, kept[7])
    await store.erase("story", [7])
    assert on_disk(tmp_path, kept[7]) == []
    assert await store.held("story") == set(kept) - {7}
    assert (await store.nearest("story", kept[9], [str(9), str(10)], 1))[0].id == 9


async def test_a_dropped_shelf_is_gone_from_disk(store: ChromaVectors, tmp_path: Path) -> None:
    kept = vectors(1200)
    await store.add("story", kept)
    await store.add("other", {1: vectors(1, seed=5)[1]})
    await store.drop("story")
    assert [number for number in (1, 600, 1200) if on_disk(tmp_path, kept[number])] == []
    assert await store.shelves() == {"other"}


async def test_a_folder_taken_away_is_an_empty_store(store: ChromaVectors, tmp_path: Path) -> None:
    await store.add("story", vectors(3))
    shutil.rmtree(tmp_path / "vectors")
    assert await store.count("story") == 0
    await store.add("story", vectors(2))
    assert await store.held("story") == {1, 2}


async def test_a_damaged_store_is_told_and_mended(tmp_path: Path) -> None:
    folder = tmp_path / "vectors"
    folder.mkdir()
    (folder / FILE).write_bytes(b"this is no database" * 100)
    store = ChromaVectors(folder)
    with pytest.raises(StoreFailed):
        await store.count("story")
    assert await store.mend("story")
    assert await store.count("story") == 0
    assert not await store.mend("story")
    await store.close()


async def test_a_shelf_whose_index_is_damaged_is_dropped_and_the_others_stay(tmp_path: Path) -> None:
    folder = tmp_path / "vectors"
    first = ChromaVectors(folder)
    await first.add("story", vectors(1200))
    await first.add("other", vectors(3))
    await first.close()
    for file in folder.glob("*/*"):
        file.write_bytes(b"\xff" * 100)
    store = ChromaVectors(folder, short=5)
    names = [str(number) for number in range(1, 50)]
    with pytest.raises(StoreFailed):
        await store.nearest("story", vectors(1)[1], names, 3)
    assert await store.mend("story")
    assert not await store.mend("other")
    assert (await store.count("story"), await store.count("other")) == (0, 3)
    await store.close()
