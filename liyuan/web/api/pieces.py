"""Text that is made line by line, sent in pieces of a size that is worth a step from thread to thread."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

# Characters of a piece, at least.
SIZE = 64 * 1024


def in_pieces(lines: Iterable[str]) -> Iterator[str]:
    gathered: list[str] = []
    size = 0
    for line in lines:
        gathered.append(line)
        size += len(line)
        if size >= SIZE:
            yield "".join(gathered)
            gathered, size = [], 0
    if gathered:
        yield "".join(gathered)
