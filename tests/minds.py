"""Memories for tests: meanings made of words alone, the same at every run, and stores that fail when told to."""

from __future__ import annotations

import math
from collections.abc import Sequence
from hashlib import blake2b

from liyuan.domain.terms import terms
from liyuan.memory.in_memory import InMemoryVectors
from liyuan.memory.recall import Memory, MemoryFailed, Near, StoreFailed, Vector, unit

DIMENSIONS = 48


class WordEmbedder:
    """Texts that share words are near each other. Every term has a direction of its own."""

    def __init__(self, name: str = "words") -> None:
        self.name = name
        self.is_broken = False
        self.asked: list[str] = []

    async def query(self, text: str) -> Vector:
        self.asked.append(text)
        return self._vector(text)

    async def passages(self, texts: Sequence[str]) -> list[Vector]:
        return [self._vector(text) for text in texts]

    async def close(self) -> None:
        return None

    def _vector(self, text: str) -> Vector:
        if self.is_broken:
            raise MemoryFailed(reason="the model is not there")
        parts = [0.01] * DIMENSIONS
        for term in terms(text):
            for at, byte in enumerate(blake2b(f"{self.name}{term}".encode(), digest_size=DIMENSIONS).digest()):
                parts[at] += (byte - 127.5) / 128
        return unit(parts)


class FrailVectors(InMemoryVectors):
    """Fails every question while it `is_broken`."""

    def __init__(self) -> None:
        super().__init__()
        self.is_broken = False

    async def nearest(self, shelf: str, vector: Vector, ids: Sequence[str], k: int) -> list[Near]:
        if self.is_broken:
            raise StoreFailed(reason="the disk is full of moths")
        return await super().nearest(shelf, vector, ids, k)


def mind(name: str = "words") -> Memory:
    """A memory of its own, with nothing on disk."""
    return Memory(store=FrailVectors(), embedder=WordEmbedder(name))


def cosine(left: Vector, right: Vector) -> float:
    return math.fsum(a * b for a, b in zip(left, right, strict=True))
