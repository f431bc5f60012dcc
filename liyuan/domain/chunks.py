"""Cutting a text into the pieces that memory keeps: whole sentences, a little of the last piece carried over. Pure.

A piece is always a run of the text as it was said, so what is recalled is never reworded.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final

# Sizes count quarters of a token, roughly: a Chinese character is a token, four other letters are one.
WIDE: Final = 4
SIZE: Final = 200 * WIDE
OVERLAP: Final = 40 * WIDE

# The ideographic space is wide to look at and weighs nothing, like every space.
_WIDE = re.compile(r"[\u2e80-\u2fff\u3001-\u9fff\uac00-\ud7af\uf900-\ufaff\uff00-\uffef\U00020000-\U0003ffff]")
_CLOSING = r"[”’」』》）)\]\"'*_]*"
# Chinese ends a sentence with its mark alone; a Latin full stop must be followed by a space. A new line ends one, too.
_SENTENCE = re.compile(rf"[。！？；…]+{_CLOSING}|[.!?]+{_CLOSING}(?=\s|$)|\n+")
_CLAUSE = re.compile(r"[，、：,:;—]+|\s+")

Span = tuple[int, int]


def chunks(text: str, *, size: int = SIZE, overlap: int = OVERLAP) -> tuple[str, ...]:
    """The pieces of a text in order, none heavier than `size` (see `weight`), none empty.

    Every visible character is in a piece. A piece begins with the last sentences of the one before it, as many as
    weigh at most `overlap`, where the next sentence still fits.
    """
    sentences = [span for span in _sentences(text, size) if text[slice(*span)].strip()]
    weights = [weight(text[slice(*span)]) for span in sentences]
    runs = _runs(weights, size, overlap)
    return tuple(text[sentences[first][0] : sentences[end - 1][1]].strip() for first, end in runs)


def weight(text: str) -> int:
    """How much a text weighs: 4 for each wide character (Chinese, Japanese, Korean), 1 for every other visible one."""
    wide = len(_WIDE.findall(text))
    return WIDE * wide + sum(not letter.isspace() for letter in text) - wide


def _runs(weights: Sequence[int], size: int, overlap: int) -> Iterator[Span]:
    """Runs of sentences (first, one past the last), each as long as fits."""
    first = end = 0
    while end < len(weights):
        held = sum(weights[first:end])
        if held + weights[end] > size:
            first, held = end, 0
        while end < len(weights) and (first == end or held + weights[end] <= size):
            held += weights[end]
            end += 1
        yield first, end
        first = _carried(weights, first, end, overlap)


def _carried(weights: Sequence[int], first: int, end: int, overlap: int) -> int:
    """Where the next run begins: with the last sentences of this one that weigh no more than `overlap`."""
    start, held = end, 0
    while start - 1 > first and held + weights[start - 1] <= overlap:
        start -= 1
        held += weights[start]
    return start


def _sentences(text: str, size: int) -> Iterator[Span]:
    for span in _cut(text, (0, len(text)), _SENTENCE):
        yield from _no_heavier(text, span, size)


def _no_heavier(text: str, span: Span, size: int) -> Iterator[Span]:
    """A sentence that is too long, by its clauses; a clause that is too long, by its letters."""
    if weight(text[slice(*span)]) <= size:
        yield span
        return
    for clause in _cut(text, span, _CLAUSE):
        if weight(text[slice(*clause)]) <= size:
            yield clause
        else:
            step = max(1, size // WIDE)
            yield from ((at, min(at + step, clause[1])) for at in range(clause[0], clause[1], step))


def _cut(text: str, span: Span, ending: re.Pattern[str]) -> Iterator[Span]:
    start, stop = span
    for match in ending.finditer(text, start, stop):
        yield start, match.end()
        start = match.end()
    if start < stop:
        yield start, stop
