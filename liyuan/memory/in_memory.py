"""Vectors in a dictionary, compared one by one. For tests: nothing to open, nothing approximate."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from liyuan.memory.recall import Near, Vector


class InMemoryVectors:
    """Forgets everything when it goes."""

    def __init__(self) -> None:
        self.kept: dict[str, dict[int, Vector]] = {}

    async def add(self, shelf: str, vectors: Mapping[int, Vector]) -> None:
        self.kept.setdefault(shelf, {}).update(vectors)

    async def nearest(self, shelf: str, vector: Vector, ids: Sequence[str], k: int) -> list[Near]:
        kept = self.kept.get(shelf, {})
        return _ranked(vector, {int(key): kept[int(key)] for key in ids if int(key) in kept}, k)

    async def around(self, shelf: str, vector: Vector, most: int) -> list[Near]:
        return _ranked(vector, self.kept.get(shelf, {}), most)

    async def count(self, shelf: str) -> int:
        return len(self.kept.get(shelf, {}))

    async def held(self, shelf: str) -> set[int]:
        return set(self.kept.get(shelf, {}))

    async def erase(self, shelf: str, ids: Collection[int]) -> None:
        for key in ids:
            self.kept.get(shelf, {}).pop(key, None)

    async def drop(self, shelf: str) -> None:
        self.kept.pop(shelf, None)

    async def shelves(self) -> set[str]:
        return set(self.kept)

    async def is_there(self) -> bool:
        return bool(self.kept)

    async def mend(self, shelf: str) -> bool:
        return False

    async def close(self) -> None:
        return None


def _ranked(vector: Vector, kept: Mapping[int, Vector], k: int) -> list[Near]:
    found = [Near(key, dot(vector, one)) for key, one in kept.items()]
    return sorted(found, key=lambda near: (-near.likeness, near.id))[:k]


def dot(left: Vector, right: Vector) -> float:
    return sum(a * b for a, b in zip(left, right, strict=True))
