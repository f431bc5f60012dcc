"""*Actions* and **weight** as role-play writes them: next to Chinese without spaces, and open until the paragraph ends.

CommonMark's rule (spec 0.31, "left-flanking") wants a space or a sign beside the mark, which Chinese does not have; and
it shows a bare star where the closing one is missing, as it always is for a moment while a text is being written.
"""

from __future__ import annotations

from markdown_it.common.utils import isMdAsciiPunct, isPunctChar, isWhiteSpace
from markdown_it.rules_inline.state_inline import Delimiter, StateInline

MARKS = "*_"


class _Mark(Delimiter):
    """A mark that, left open, may be closed for the writer: a star, and not one within a word, as in 2*3."""

    can_be_mended: bool = False


def emphasis(state: StateInline, silent: bool) -> bool:
    """Reads one run of marks and notes whether it may open or close."""
    mark = state.src[state.pos]
    if silent or mark not in MARKS:
        return False
    end = state.pos
    while end < state.posMax and state.src[end] == mark:
        end += 1
    before = _side(state.src, state.pos - 1)
    opens, closes = _flanks(before, _side(state.src, end), mark == "*")
    for _ in range(end - state.pos):
        token = state.push("text", "", 0)
        token.content = mark
        found = _Mark(ord(mark), end - state.pos, len(state.tokens) - 1, -1, opens, closes)
        found.can_be_mended = mark == "*" and before != "word"
        state.delimiters.append(found)
    state.pos = end
    return True


def mend(state: StateInline) -> None:
    """Closes at the end of the paragraph what was opened in it. Runs after the pairs have been found."""
    for mark in reversed(state.delimiters):
        if isinstance(mark, _Mark) and mark.can_be_mended and mark.open and mark.end < 0:
            token = state.push("text", "", 0)
            token.content = chr(mark.marker)
            mark.end = len(state.delimiters)
            state.delimiters.append(Delimiter(mark.marker, mark.length, len(state.tokens) - 1, -1, False, True))


def _flanks(before: str, after: str, splits_words: bool) -> tuple[bool, bool]:
    """Whether a run between two kinds of character ("space", "sign", "cjk", "word") may open, and may close."""
    left = after != "space" and (after != "sign" or before in ("space", "sign", "cjk"))
    right = before != "space" and (before != "sign" or after in ("space", "sign", "cjk"))
    if splits_words:
        return left, right
    return left and (not right or before == "sign"), right and (not left or after == "sign")


def _side(text: str, at: int) -> str:
    if not 0 <= at < len(text) or isWhiteSpace(ord(text[at])):
        return "space"
    if isMdAsciiPunct(ord(text[at])) or isPunctChar(text[at]):
        return "sign"
    return "cjk" if _is_cjk(text[at]) else "word"


def _is_cjk(character: str) -> bool:
    return "\u2e80" <= character <= "\u9fff" or "\uac00" <= character <= "\ud7af" or character >= "\U00020000"
