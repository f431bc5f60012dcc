"""Meanings as vectors: what a store of them and a maker of them must do. SQL is the truth; a store is only an index.

A shelf is one collection of vectors, made by one embedding model. Which of its vectors a search may see is told by
their ids, and `nearest` looks at no others (semantics §6).
"""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from typing import Protocol, TypeAlias

from liyuan.domain.errors import LiyuanError

# Of unit length, so that the dot product of two is the cosine between them.
Vector: TypeAlias = Sequence[float]


class MemoryFailed(LiyuanError):
    """The store or the embedding model could not be used. Costs the memory of a turn, never the turn."""

    type = "memory-failed"
    title = "The memory could not be asked"
    status_code = 503
    message = "The memory could not be asked: {reason}. The story itself is whole, and only words were searched for."


class StoreFailed(MemoryFailed):
    """The store of vectors failed, not the embedding model. It may need mending."""


@dataclass(frozen=True, slots=True)
class Near:
    """A vector that was found. `likeness` is the cosine, 1 for the same direction."""

    id: int
    likeness: float


class VectorStore(Protocol):
    """Keeps vectors by number on named shelves. Every method raises StoreFailed when the store cannot be used.

    A shelf that is not there is an empty one.
    """

    async def add(self, shelf: str, vectors: Mapping[int, Vector]) -> None:
        """Keeps vectors, taking the place of those with the same numbers."""

    async def nearest(self, shelf: str, vector: Vector, ids: Sequence[str], k: int) -> list[Near]:
        """The `k` nearest of exactly the vectors numbered in `ids` (as text), the nearest first."""

    async def around(self, shelf: str, vector: Vector, most: int) -> list[Near]:
        """The nearest of a whole shelf, at most `most`, the nearest first. Who asks must look which may be seen."""

    async def count(self, shelf: str) -> int: ...

    async def held(self, shelf: str) -> set[int]:
        """The numbers of all vectors on a shelf."""

    async def erase(self, shelf: str, ids: Collection[int]) -> None:
        """Takes vectors away for good: when this returns, an embedded store has no trace of them on disk."""

    async def drop(self, shelf: str) -> None:
        """Takes a whole shelf away for good."""

    async def shelves(self) -> set[str]: ...

    async def is_there(self) -> bool:
        """Whether anything was ever kept here; tells so without opening the store."""

    async def mend(self, shelf: str) -> bool:
        """Gives up what cannot be read: one shelf, or everything. Tells whether it had to. Never a server's vectors."""

    async def close(self) -> None: ...


class Embedder(Protocol):
    """Makes vectors of texts. `name` tells the model apart from every other one."""

    @property
    def name(self) -> str: ...

    async def query(self, text: str) -> Vector:
        """What is looked for. Raises MemoryFailed."""

    async def passages(self, texts: Sequence[str]) -> list[Vector]:
        """What is kept, one vector for each text. Raises MemoryFailed."""

    async def close(self) -> None: ...


@dataclass(slots=True)
class Memory:
    """The store and the model of this process. Without an embedder, memory goes by words alone.

    `proven` are the shelves that were compared with SQL since the start.
    """

    store: VectorStore
    embedder: Embedder | None = None
    proven: set[str] = field(default_factory=set)

    @property
    def model(self) -> str | None:
        return self.embedder.name if self.embedder else None

    def shelf(self, name: str) -> str:
        """What a shelf is called in the store: vectors of different models never stand together."""
        return shelf_of(name, self.model or "")

    async def close(self) -> None:
        if self.embedder:
            await self.embedder.close()
        await self.store.close()


def shelf_of(name: str, model: str) -> str:
    return f"{name}.{sha256(model.encode()).hexdigest()[:8]}"


def unit(vector: Vector) -> Vector:
    """The vector at length 1; one without length as it is."""
    length = math.sqrt(sum(float(part) * float(part) for part in vector))
    return [float(part) / length for part in vector] if length else vector
