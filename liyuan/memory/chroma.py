"""Vectors in Chroma: in a folder of its own, or on a server. Only numbers and vectors are kept there, never a text.

Chroma is imported at the first use and spoken to in one thread. A vector that is deleted stays in Chroma's files, so
erasing for good writes a shelf anew without it.
"""

from __future__ import annotations

import asyncio
import shutil
import sqlite3
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, suppress
from importlib import import_module
from pathlib import Path
from typing import Any, TypeVar
from urllib.parse import urlsplit

import structlog

from liyuan.memory.recall import Near, StoreFailed, Vector

T = TypeVar("T")

FILE = "chroma.sqlite3"
# Up to so many ids it is quicker to read their vectors and compare them here (numbers.md, "Memory").
SHORT = 400
BATCH = 1000
# Characters that are told of one of Chroma's errors: some hold everything they were given.
TOLD = 160
# What is added to the name of a shelf while it is being written anew.
FRESH = ".fresh"
# The dot product, on vectors of length 1, is the cosine; and Chroma keeps them bit by bit as they came. A search looks
# at 400 on its way: that finds the nearest eight among 50,000 vectors like a model's (`benchmarks/memory.py`).
SPACE = {"hnsw": {"space": "ip", "ef_search": 400}}

DISTANCES = ["distances"]

log = structlog.get_logger(__name__)


class ChromaVectors:
    """Shelves are Chroma's collections. `folder` is for the embedded store; with `url`, a server keeps them."""

    def __init__(self, folder: Path, url: str | None = None, *, short: int = SHORT) -> None:
        self._folder = folder
        self._url = url
        self._short = short
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="vectors")
        self._open: Any = None
        self._collections: dict[str, Any] = {}

    async def add(self, shelf: str, vectors: Mapping[int, Vector]) -> None:
        await self._run(self._add, shelf, vectors)

    async def nearest(self, shelf: str, vector: Vector, ids: Sequence[str], k: int) -> list[Near]:
        return await self._run(self._nearest, shelf, vector, ids, k) if ids else []

    async def around(self, shelf: str, vector: Vector, most: int) -> list[Near]:
        return await self._run(self._around, shelf, vector, most)

    async def count(self, shelf: str) -> int:
        return await self._run(self._count, shelf)

    async def held(self, shelf: str) -> set[int]:
        return await self._run(self._held, shelf)

    async def erase(self, shelf: str, ids: Collection[int]) -> None:
        await self._run(self._erase, shelf, frozenset(map(str, ids)))

    async def drop(self, shelf: str) -> None:
        await self._run(self._drop, shelf)

    async def shelves(self) -> set[str]:
        return await self._run(lambda: {str(one.name) for one in self._client().list_collections()})

    async def is_there(self) -> bool:
        return bool(self._url) or self._is_on_disk()

    async def mend(self, shelf: str) -> bool:
        return await self._run(self._mend, shelf)

    async def close(self) -> None:
        if self._open is not None:
            await self._run(self._let_go)
        self._thread.shutdown()

    async def _run(self, work: Callable[..., T], *args: Any) -> T:
        """Runs in the store's thread. What is raised is told as StoreFailed: Chroma's errors are of no one family."""

        def whole() -> T:
            try:
                return work(*args)
            except StoreFailed:
                raise
            except Exception as error:
                self._collections.clear()
                raise StoreFailed(reason=f"Chroma: {str(error)[:TOLD]}") from error

        return await asyncio.get_running_loop().run_in_executor(self._thread, whole)

    # --- in the thread ---

    def _client(self) -> Any:
        if self._open is not None and not self._url and not self._is_on_disk():
            self._let_go()  # Somebody took the folder away: what is open is a ghost.
        if self._open is None:
            self._open = self._connect()
        return self._open

    def _connect(self) -> Any:
        chromadb = import_module("chromadb")
        quiet = import_module("chromadb.config").Settings(anonymized_telemetry=False)
        if self._url:
            at = urlsplit(self._url)
            ssl = at.scheme == "https"
            port = at.port or (443 if ssl else 8000)
            return chromadb.HttpClient(host=at.hostname, port=port, ssl=ssl, settings=quiet)
        self._folder.mkdir(parents=True, exist_ok=True)
        return chromadb.PersistentClient(str(self._folder), settings=quiet)

    def _let_go(self) -> None:
        self._collections.clear()
        gone, self._open = self._open, None
        if gone is not None:
            with suppress(Exception):  # A ghost may complain, and is gone all the same.
                gone.close()
        import_module("chromadb.api.shared_system_client").SharedSystemClient.clear_system_cache()

    def _collection(self, shelf: str, *, make: bool = False) -> Any:
        client = self._client()
        if shelf not in self._collections:
            if make:
                found = client.get_or_create_collection(shelf, embedding_function=None, configuration=SPACE)
            elif any(one.name == shelf for one in client.list_collections()):
                found = client.get_collection(shelf, embedding_function=None)
            else:
                return None
            self._collections[shelf] = found
        return self._collections[shelf]

    def _add(self, shelf: str, vectors: Mapping[int, Vector]) -> None:
        collection = self._collection(shelf, make=True)
        for some in _batches(list(vectors.items())):
            collection.upsert(ids=[str(key) for key, _ in some], embeddings=_array([vector for _, vector in some]))

    def _nearest(self, shelf: str, vector: Vector, ids: Sequence[str], k: int) -> list[Near]:
        collection = self._collection(shelf)
        if collection is None:
            return []
        if len(ids) <= self._short:
            return _rank(vector, collection.get(ids=list(ids), include=["embeddings"]), k)
        return _found(
            collection.query(query_embeddings=_array([vector]), ids=list(ids), n_results=k, include=DISTANCES)
        )

    def _around(self, shelf: str, vector: Vector, most: int) -> list[Near]:
        collection = self._collection(shelf)
        if collection is None:
            return []
        return _found(collection.query(query_embeddings=_array([vector]), n_results=most, include=DISTANCES))

    def _count(self, shelf: str) -> int:
        collection = self._collection(shelf)
        return int(collection.count()) if collection is not None else 0

    def _held(self, shelf: str) -> set[int]:
        collection = self._collection(shelf)
        return set(map(int, collection.get(include=[])["ids"])) if collection is not None else set()

    def _erase(self, shelf: str, ids: frozenset[str]) -> None:
        collection = self._collection(shelf)
        if collection is None:
            return
        gone = collection.get(ids=list(ids), include=["embeddings"]) if ids else None
        if gone and gone["ids"]:
            collection.delete(ids=gone["ids"])  # Out of reach at once, whatever becomes of the rest.
        if not self._url:
            self._write_anew(shelf, collection)
            self._sweep()
            self._let_go()  # What Chroma has in memory is not to be written again.
            _scrub(self._folder, _array(gone["embeddings"]) if gone and gone["ids"] else ())

    def _write_anew(self, shelf: str, old: Any) -> None:
        self._remove(shelf + FRESH)
        fresh = self._collection(shelf + FRESH, make=True)
        for some in _batches(old.get(include=[])["ids"]):
            kept = old.get(ids=list(some), include=["embeddings"])
            fresh.add(ids=kept["ids"], embeddings=kept["embeddings"])
        self._client().delete_collection(shelf)
        fresh.modify(name=shelf)
        self._collections.clear()

    def _drop(self, shelf: str) -> None:
        self._remove(shelf)
        if not self._url:
            self._sweep()

    def _remove(self, shelf: str) -> None:
        if self._collection(shelf) is not None:
            self._client().delete_collection(shelf)
            self._collections.pop(shelf, None)

    def _sweep(self) -> None:
        """Removes the files of shelves that are gone, and what their rows have left in the pages of the database."""
        with closing(sqlite3.connect(self._folder / FILE, timeout=30)) as connection:
            known = {row[0] for row in connection.execute("SELECT id FROM segments")}
            connection.execute("PRAGMA secure_delete=ON")
            connection.execute("VACUUM")
            connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        for folder in self._folder.iterdir():
            if folder.is_dir() and folder.name not in known:
                shutil.rmtree(folder, ignore_errors=True)

    def _is_on_disk(self) -> bool:
        return (self._folder / FILE).exists()

    def _mend(self, shelf: str) -> bool:
        if self._url:
            return False
        if _is_sound(self._folder / FILE):
            return self._mend_shelf(shelf)
        self._begin_anew()
        return True

    def _mend_shelf(self, shelf: str) -> bool:
        """Tries a shelf as a question would. One that cannot answer is dropped."""
        try:
            collection = self._collection(shelf)
            sample = collection.get(limit=1, include=["embeddings"]) if collection is not None else None
            if sample and sample["ids"]:
                collection.query(query_embeddings=sample["embeddings"], n_results=1, include=[])
            return False
        except Exception:  # As in `_run`.
            log.warning("a shelf of vectors cannot be read; it is made anew from the story", shelf=shelf)
        try:
            self._collections.clear()
            self._client().delete_collection(shelf)
            self._sweep()
        except Exception:  # Then nothing of it can be trusted.
            self._begin_anew()
        return True

    def _begin_anew(self) -> None:
        log.warning("the vectors on disk cannot be read; they are made anew from the stories")
        self._let_go()
        shutil.rmtree(self._folder, ignore_errors=True)


def _scrub(folder: Path, vectors: Any) -> None:
    """Zeroes vectors where an index still has them in its unused places.

    Chroma writes an index with room for more, and fills the room with whatever was in the memory it was given.
    """
    for vector in vectors:
        pattern = vector.tobytes()
        for file in folder.glob("*/*.bin"):
            found = file.read_bytes()
            if pattern in found:
                file.write_bytes(found.replace(pattern, bytes(len(pattern))))


def _is_sound(file: Path) -> bool:
    """Whether Chroma's database can be read. One that is not there is as sound as one can be."""
    if not file.exists():
        return True
    try:
        with closing(sqlite3.connect(f"{file.as_uri()}?mode=ro", uri=True, timeout=30)) as connection:
            return bool(connection.execute("PRAGMA quick_check(1)").fetchone() == ("ok",))
    except sqlite3.Error:
        return False


def _found(answer: Any) -> list[Near]:
    pairs = zip(answer["ids"][0], answer["distances"][0], strict=True)
    return [Near(int(key), 1.0 - distance) for key, distance in pairs]


def _rank(vector: Vector, found: Any, k: int) -> list[Near]:
    if not found["ids"]:
        return []
    likeness = _array(found["embeddings"]) @ _array(vector)
    keys = [int(key) for key in found["ids"]]
    best = sorted(range(len(keys)), key=lambda at: (-likeness[at], keys[at]))[:k]
    return [Near(keys[at], float(likeness[at])) for at in best]


def _array(numbers: Any) -> Any:
    """Numbers of whatever kind as Chroma takes them: it refuses lists of numpy's own."""
    return import_module("numpy").asarray(numbers, dtype="float32")


def _batches(rows: Sequence[T]) -> Iterator[Sequence[T]]:
    return (rows[at : at + BATCH] for at in range(0, len(rows), BATCH))
