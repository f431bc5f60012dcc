"""Which memories a turn is told: rankings fused, near-duplicates dropped, variety kept, cut to a budget. Pure.

Nothing here knows of branches: what comes in was found on the path and nowhere else.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final, Literal

from liyuan.domain.entry import EntryId
from liyuan.domain.terms import terms

# Reciprocal rank fusion (Cormack, Clarke and Büttcher, SIGIR 2009): how slowly a place loses its worth, and how much
# the meanings count beside the words. Both chosen by the question set of `benchmarks/memory.py`.
EVEN: Final = 5
MEANING: Final = 0.7
# Two pieces that share so much of the smaller one's terms say the same.
SAME: Final = 0.7
# How much a piece must bring of its own: 1 looks at its rank alone, 0 only at what is new in it.
BALANCE: Final = 0.7
# Characters of the reader's words, and of the end of the last reply, that a question is made of.
ASKED: Final = 600
HEARD: Final = 240


@dataclass(frozen=True, slots=True, kw_only=True)
class Memory:
    """One stored recollection. `subject_id` is the message it is from, also where a revision gave it its words.

    A passage of a document has no entry: `document_id` and `title` say where it is from. `turn` counts from 1; 0 is
    before the reader's first words, or no turn at all.
    """

    id: int
    text: str
    entry_id: EntryId | None = None
    subject_id: EntryId | None = None
    turn: int = 0
    depth: int = 0
    document_id: str | None = None
    title: str = ""
    mark: Literal["", "pinned", "hidden"] = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Hit:
    """A memory that was found, and why: `likeness` is the cosine of meanings, `words` the terms both hold.

    `score` orders the hits of one question, from 1 for one that leads every ranking; it is no measure beyond that.
    """

    memory: Memory
    score: float = 0.0
    likeness: float | None = None
    words: tuple[str, ...] = ()

    @property
    def is_pinned(self) -> bool:
        return self.memory.mark == "pinned"


def fuse(near: Sequence[int], worded: Sequence[int]) -> dict[int, float]:
    """One score for each id from its places among meanings and among words, best first. 1 would lead both.

    Where one of the rankings is empty, the other counts alone.
    """
    weight = MEANING if near and worded else 1.0 if near else 0.0
    scores: dict[int, float] = {}
    for ranking, share in ((near, weight), (worded, 1 - weight)):
        for place, key in enumerate(dict.fromkeys(ranking), start=1):
            scores[key] = scores.get(key, 0.0) + share * (EVEN + 1) / (EVEN + place)
    return dict(sorted(scores.items(), key=lambda pair: (-pair[1], pair[0])))


def choose(
    hits: Iterable[Hit],
    *,
    budget: int,
    most: int,
    count: Callable[[str], int],
    told: Collection[EntryId] = (),
) -> tuple[Hit, ...]:
    """The hits that a turn is told: pinned ones first, then by rank and variety, at most `most` and `budget` tokens.

    Left out are those whose message the prompt holds word for word (`told`), those that say what a chosen one says, and
    those longer than what is left of the budget, so one of them never takes more than all of it.
    """
    waiting = [hit for hit in hits if hit.memory.subject_id is None or hit.memory.subject_id not in told]
    waiting.sort(key=lambda hit: (not hit.is_pinned, -hit.score, hit.memory.id))
    said = {hit.memory.id: frozenset(terms(hit.memory.text)) for hit in waiting}
    chosen: list[Hit] = []
    while waiting and len(chosen) < most and budget > 0:
        best = max(waiting, key=lambda hit: (hit.is_pinned, _worth(hit, chosen, said)))
        waiting.remove(best)
        tokens = count(best.memory.text)
        if tokens <= budget and not _is_said(best, chosen, said):
            chosen.append(best)
            budget -= tokens
    return tuple(chosen)


def _worth(hit: Hit, chosen: Sequence[Hit], said: Mapping[int, frozenset[str]]) -> float:
    """Maximal marginal relevance (Carbonell and Goldstein, SIGIR 1998)."""
    nearest = max((alike(said[hit.memory.id], said[one.memory.id]) for one in chosen), default=0.0)
    return BALANCE * hit.score - (1 - BALANCE) * nearest


def _is_said(hit: Hit, chosen: Sequence[Hit], said: Mapping[int, frozenset[str]]) -> bool:
    return any(alike(said[hit.memory.id], said[one.memory.id]) >= SAME for one in chosen)


def alike(left: frozenset[str], right: frozenset[str]) -> float:
    """The share of the smaller one's terms that the other holds too; 0 where one has none."""
    smaller = min(len(left), len(right))
    return len(left & right) / smaller if smaller else 0.0


def question(words: str, reply: str) -> str:
    """What memory is asked before a turn: the reader's words, and the end of the last reply."""
    return "\n".join(filter(None, (words.strip()[:ASKED], reply.strip()[-HEARD:])))


def with_words(hit: Hit, asked: Collection[str]) -> Hit:
    """The hit with the terms that it shares with the question, in its order; not those that are part of others."""
    held = set(terms(hit.memory.text))
    shared = [term for term in dict.fromkeys(asked) if term in held]
    whole = (term for term in shared if not any(term != other and term in other for other in shared))
    return replace(hit, words=tuple(whole))


def in_order(hits: Iterable[Hit]) -> tuple[Hit, ...]:
    """As a story tells them: what came first, first."""
    return tuple(sorted(hits, key=lambda hit: (hit.memory.depth, hit.memory.id)))
