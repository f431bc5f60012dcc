"""The built-in performer: no network, no model, a book of sentences and an ear for what was said. It claims no more.

Seeded by the messages and the take: the same request gets the same reply, the next swipe another one.
"""

from __future__ import annotations

import asyncio
import hashlib
import re
from collections.abc import AsyncGenerator, Iterator
from random import Random
from typing import Final

from liyuan.model.chat import ChatModel, Delta, Finish, Request, Spoken
from liyuan.model.playbook.bookkeeping import patch_of
from liyuan.model.playbook.reading import Reading, read
from liyuan.model.playbook.scene import Scene
from liyuan.model.playbook.script import script_of
from liyuan.model.playbook.summing_up import summary_of

# Tokens are counted by the length of their characters, roughly as a real tokenizer would.
_CHARACTERS_PER_TOKEN: Final = {"en": 4.0, "zh": 1.4}
_PIECE: Final = {"en": re.compile(r"\s*(?:\S+\s*){1,2}"), "zh": re.compile(r"\s*\S{1,3}\s*")}
_STOPS: Final = re.compile(r"[.!?…。！？\n]\W*$")


class Understudy:
    """A ChatModel that needs nothing. `pause` is the time between two pieces, in seconds; 0 for tests."""

    def __init__(self, *, pause: float = 0.03) -> None:
        self._pause = pause

    @property
    def name(self) -> str:
        return "understudy"

    async def stream(self, request: Request) -> AsyncGenerator[Spoken, None]:
        reading = read(request)
        # A whole story to read takes a tenth of a second, which other streams need not wait for.
        composed = await asyncio.to_thread(_composed, request, reading)
        text, cut = _limited(composed, request, reading)
        for piece in _pieces(text, reading, _seed(request)):
            yield Delta(piece)
            if self._pause:
                await asyncio.sleep(self._pause * (3 if _STOPS.search(piece) else 1))
        yield Finish(reason="length" if cut else "stop", model=self.name)


def _composed(request: Request, reading: Reading) -> str:
    scene = Scene(reading, _seed(request), request.take)
    match request.purpose:
        case "scribe":
            return patch_of(script_of(request))
        case "summary":
            return summary_of(script_of(request))
        case "continue":
            return scene.carry_on()
        case "impersonate":
            return scene.as_the_reader()
        case _:
            return scene.play()


def _seed(request: Request) -> str:
    """The messages, not the take: a swipe goes on from where the one before it stood in the pools."""
    said = "\x1e".join(f"{message.role}\x1f{message.text}" for message in request.messages)
    return hashlib.sha256(f"{request.purpose}\x1e{said}".encode()).hexdigest()


def _limited(text: str, request: Request, reading: Reading) -> tuple[str, bool]:
    ends = [text.find(stop) for stop in request.sampling.stop if stop and stop in text]
    text = text[: min(ends)] if ends else text
    most = request.sampling.max_tokens
    length = int(most * _CHARACTERS_PER_TOKEN[reading.tongue]) if most else len(text)
    return text[:length], length < len(text)


def _pieces(text: str, reading: Reading, seed: str) -> Iterator[str]:
    """The text in pieces as they would come over a line: a word or two, a few characters."""
    rng = Random(seed)
    piece = _PIECE[reading.tongue]
    start = 0
    while start < len(text):
        found = piece.match(text, start)
        end = found.end() if found else len(text)
        if reading.tongue == "zh" and end - start > 2 and rng.random() < 0.4:
            end -= 1
        yield text[start:end]
        start = end


def _conforms(model: Understudy) -> ChatModel:
    return model
