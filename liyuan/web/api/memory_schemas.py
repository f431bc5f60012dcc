"""What the API says of memory and knowledge."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import BaseModel, ConfigDict

from liyuan.domain.recall import Hit
from liyuan.store.documents import Document as DocumentRow
from liyuan.store.indexing import Progress

HIT_EXAMPLE: dict[str, Any] = {
    "memory_id": 41,
    "entry_id": "019c13d2a1b07f3e5d2c4b6a",
    "text": "“The brass key hangs behind the saint,” she says.",
    "score": 0.97,
    "turn": 3,
    "likeness": 0.88,
    "words": ["brass", "key"],
    "mark": "",
}


class MemoryHit(BaseModel):
    """A memory on this path. `score` orders the hits of one question, from 1 down; 0 where nothing was asked.

    `entry_id` is the message it is from, also where a revision gave it its words. `likeness` is the cosine of meanings,
    `words` are the terms it shares with the question; in Chinese, pairs of characters.
    """

    model_config = ConfigDict(json_schema_extra={"examples": [HIT_EXAMPLE]})

    memory_id: int
    entry_id: str | None
    text: str
    score: float
    turn: int
    likeness: float | None
    words: list[str]
    mark: Literal["", "pinned", "hidden"]

    @classmethod
    def of(cls, hit: Hit) -> MemoryHit:
        memory = hit.memory
        return cls(
            memory_id=memory.id,
            entry_id=memory.subject_id,
            text=memory.text,
            score=hit.score,
            turn=memory.turn,
            likeness=hit.likeness,
            words=list(hit.words),
            mark=memory.mark,
        )


class Index(BaseModel):
    """How far the index of a story is: pieces on all its branches, and those that have their vector."""

    pieces: int
    embedded: int
    is_done: bool
    trouble: str

    @classmethod
    def of(cls, progress: Progress) -> Index:
        return cls(
            pieces=progress.total, embedded=progress.embedded, is_done=progress.is_done, trouble=progress.trouble
        )


class Memories(BaseModel):
    """The hits of a question, best first; without one, the latest memories on the path. `total` counts the path's.

    `trouble` says why meanings could not be compared; then the hits were found by their words alone.
    """

    items: list[MemoryHit]
    total: int
    trouble: str
    index: Index


class Marking(BaseModel):
    """ "pinned" lets a memory always come, "hidden" never, "" takes the mark away."""

    mark: Literal["", "pinned", "hidden"]


class Document(BaseModel):
    """A document that a story may look into."""

    id: str
    name: str
    scope: Literal["story", "character", "everywhere"]
    kind: str
    characters: int
    created_at: str

    @classmethod
    def of(cls, row: DocumentRow) -> Document:
        return cls.model_validate(row, from_attributes=True)


class Documents(BaseModel):
    """The documents of a story, latest first."""

    items: list[Document]


class Passage(BaseModel):
    """A piece of a document that answers a question."""

    document_id: str | None
    title: str
    text: str
    score: float
    likeness: float | None

    @classmethod
    def of(cls, hit: Hit) -> Passage:
        return cls(
            document_id=hit.memory.document_id,
            title=hit.memory.title,
            text=hit.memory.text,
            score=hit.score,
            likeness=hit.likeness,
        )


class Passages(BaseModel):
    """What was found in documents, best first."""

    items: list[Passage]
    trouble: str
