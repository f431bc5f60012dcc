"""From what a server sends to what is spoken: whole characters only, and thinking kept apart. Pure."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from liyuan.model.chat import Delta, Reasoning

_OPENERS: Final = ("<think>", "<thinking>", "<thought>", "<reasoning>")


class WholeCharacters:
    """Joins the halves of a character that a server split over two pieces, and drops what is no text (NUL).

    JSON writes an emoji as two escapes (a surrogate pair); some servers cut between them.
    """

    def __init__(self) -> None:
        self._half = ""

    def feed(self, piece: str) -> str:
        if piece.isascii() and not self._half:
            return piece.replace("\0", "")
        piece = self._half + piece
        self._half = piece[-1] if "\ud800" <= piece[-1:] <= "\udbff" else ""
        return _sound(piece[: len(piece) - len(self._half)])

    def rest(self) -> str:
        """What is left when the server has ended: a lone half shows as the replacement character."""
        half, self._half = self._half, ""
        return _sound(half)


class ThoughtsApart:
    """Sorts text into Delta and Reasoning by a `<think>…</think>` at its very start, however it is cut."""

    def __init__(self) -> None:
        self._held = ""
        self._closer = ""
        self._begun = False
        self._trim = False

    def feed(self, piece: str) -> Iterator[Delta | Reasoning]:
        if self._begun:
            yield from self._plain(piece)
            return
        self._held += piece
        plain = not self._closer and self._opens_plainly()
        if self._closer:
            yield from self._think(self._closer)
        elif plain:
            self._begun = True
            yield from self._release()

    def rest(self) -> Iterator[Delta | Reasoning]:
        """What was held back, when no more is coming."""
        if self._held:
            yield Reasoning(self._held) if self._closer else Delta(self._held)
        self._held = ""

    def _opens_plainly(self) -> bool:
        """Looks for an opening tag; True when there can be none any more."""
        start = self._held.lstrip()
        for opener in _OPENERS:
            if start.startswith(opener):
                self._closer = f"</{opener[1:]}"
                self._held = start.removeprefix(opener)
                return False
        return bool(start) and not any(opener.startswith(start) for opener in _OPENERS)

    def _think(self, closer: str) -> Iterator[Delta | Reasoning]:
        thought, closed, after = self._held.partition(closer)
        if closed:
            self._begun = self._trim = True
            self._held = ""
            if thought.strip():
                yield Reasoning(thought)
            yield from self._plain(after)
            return
        keep = _overlap(thought, closer)
        self._held = thought[len(thought) - keep :]
        if said := thought[: len(thought) - keep]:
            yield Reasoning(said)

    def _release(self) -> Iterator[Delta]:
        held, self._held = self._held, ""
        yield from self._plain(held)

    def _plain(self, piece: str) -> Iterator[Delta]:
        if self._trim:
            piece = piece.lstrip()
            self._trim = not piece
        if piece:
            yield Delta(piece)


def _sound(text: str) -> str:
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace").replace("\0", "")


def _overlap(text: str, closer: str) -> int:
    """How many characters at the end of `text` may be the beginning of `closer`."""
    return next((n for n in range(min(len(closer) - 1, len(text)), 0, -1) if closer.startswith(text[-n:])), 0)
