"""How recalled pieces are told to the model, in the story's language: each says from where it comes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

from liyuan.domain.recall import Hit, in_order

Language: TypeAlias = Literal["zh", "en"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Phrases:
    memories: str
    knowledge: str
    turn: str
    opening: str
    document: str


PHRASES: Final[Mapping[Language, Phrases]] = {
    "en": Phrases(
        memories="[Remembered from earlier in this story, word for word. It has happened; do not tell it again.]",
        knowledge="[From the notes kept for this story]",
        turn="(turn {turn})",
        opening="(the opening)",
        document="({title})",
    ),
    "zh": Phrases(
        memories="【这个故事里先前的原话，供你记起。这些事已经发生过，不要再讲一遍。】",
        knowledge="【为这个故事备下的资料】",
        turn="（第 {turn} 回合）",
        opening="（开场）",
        document="（{title}）",
    ),
}


def memories_text(hits: Iterable[Hit], language: Language) -> str:
    """The part of the prompt with what was recalled of the story; empty when nothing was."""
    words = PHRASES[language]
    told = [
        f"{words.turn.format(turn=hit.memory.turn) if hit.memory.turn else words.opening} {hit.memory.text}"
        for hit in in_order(hits)
    ]
    return "\n\n".join([words.memories, *told]) if told else ""


def knowledge_text(hits: Iterable[Hit], language: Language) -> str:
    """The part of the prompt with what was found in documents; empty when nothing was."""
    words = PHRASES[language]
    told = [f"{words.document.format(title=hit.memory.title)} {hit.memory.text}" for hit in hits]
    return "\n\n".join([words.knowledge, *told]) if told else ""
