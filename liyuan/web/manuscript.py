"""A text that is still being written, cut where it will not change any more. What is settled is sent once.

Markdown is read in blocks, so a block is settled when a blank line has closed it and nothing that spans
blank lines (a fence, a list, a quotation) is open.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

_FENCE = re.compile(r"^ {0,3}(?:```|~~~)", re.MULTILINE)
# A block that begins so may go on after a blank line, or take what follows into itself.
_SPANNING = re.compile(r"^(?: {0,3}(?:[-+*] |\d{1,9}[.)] |>)| {4}|\t)")
_BLANK = re.compile(r"\n(?:[ \t]*\n)+")


@dataclass(slots=True)
class Manuscript:
    """Takes pieces as they come; `turn_over` gives the blocks that have settled since, `tail` is what may change."""

    tail: str = ""

    def write(self, piece: str) -> None:
        self.tail += piece

    def turn_over(self) -> str:
        cut = settled_length(self.tail)
        done, self.tail = self.tail[:cut], self.tail[cut:]
        return done


def settled_length(text: str) -> int:
    """How many characters from the start no further piece can change the look of."""
    settled = start = 0
    fenced = spanning = False
    for gap in _BLANK.finditer(text):
        block = text[start : gap.start()]
        fenced ^= len(_FENCE.findall(block)) % 2 == 1
        spanning = bool(_SPANNING.match(block)) or (spanning and block[:1] in (" ", "\t"))
        start = gap.end()
        # The next line must have begun: only then is it known that no more blank lines follow.
        if not fenced and not spanning and start < len(text):
            settled = start
    return settled
