"""Who speaks when: a request's messages in an order the server takes. Pure; no word of the story is lost."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from itertools import takewhile
from typing import Final, Literal

from liyuan.model.chat import Request, Said
from liyuan.model.tongue import Tongue, tongue_of

OPENING: Final[dict[Tongue, str]] = {"en": "(The scene opens.)", "zh": "（场景开始。）"}
BEGIN: Final[dict[Tongue, str]] = {"en": "Please begin.", "zh": "请开始。"}
GO_ON: Final[dict[Tongue, str]] = {"en": "(The story goes on.)", "zh": "（故事继续。）"}
CARRY_ON: Final[dict[Tongue, str]] = {
    "en": (
        "(Carry on with your last message from the very point where it stops, in the middle of the sentence if "
        "need be. Write only what comes next: no repetition, no comment.)"
    ),
    "zh": "（请从你上一条消息停下的地方接着写，哪怕停在半句。只写接下来的内容，不要重复前文，也不要解释。）",
}


@dataclass(frozen=True, slots=True)
class Turn:
    """What one side says in one go, in parts, so that a cache mark can stand between them."""

    role: Literal["user", "assistant"]
    parts: tuple[Said, ...]

    @property
    def text(self) -> str:
        return "\n\n".join(part.text for part in self.parts)


@dataclass(frozen=True, slots=True)
class Arranged:
    system: tuple[Said, ...]
    turns: tuple[Turn, ...]


def as_given(request: Request, *, prefill: bool) -> tuple[Said, ...]:
    """The messages as they are, for servers that take any order; blank ones left out, the end made sure of."""
    return _ended(request, prefill=prefill)


def in_turns(request: Request, *, prefill: bool) -> Arranged:
    """System texts in front, then user and assistant in turns, user first, for servers that take nothing else.

    A later system text becomes a `<note>` in the user's turn. With `prefill` a request with the purpose
    "continue" ends with the assistant's words; otherwise the last turn is always the user's.
    """
    said = _ended(request, prefill=prefill)
    system = tuple(takewhile(lambda message: message.role == "system", said))
    rest = [_as_note(message) for message in said[len(system) :]]
    tongue = _tongue(said)
    if not rest:
        rest = [Said(role="user", text=BEGIN[tongue])]
    elif rest[0].role == "assistant":
        rest.insert(0, Said(role="user", text=OPENING[tongue]))
    return Arranged(system, tuple(_joined(rest)))


def _ended(request: Request, *, prefill: bool) -> tuple[Said, ...]:
    said = tuple(message for message in request.messages if message.text.strip())
    carries_on = request.purpose == "continue"
    ends_in_reply = bool(said) and said[-1].role == "assistant"
    if carries_on and prefill and ends_in_reply:
        # Anthropic refuses a prefill that ends in white space; others make a new paragraph of it.
        return (*said[:-1], replace(said[-1], text=said[-1].text.rstrip()))
    if carries_on:
        return (*said, Said(role="user", text=CARRY_ON[_tongue(said)]))
    if ends_in_reply:
        return (*said, Said(role="user", text=GO_ON[_tongue(said)]))
    return said


def _tongue(said: tuple[Said, ...]) -> Tongue:
    return tongue_of(*(message.text for message in reversed(said)))


def _as_note(message: Said) -> Said:
    if message.role != "system":
        return message
    return replace(message, role="user", text=f"<note>\n{message.text}\n</note>")


def _joined(said: Iterable[Said]) -> Iterable[Turn]:
    role: Literal["user", "assistant"] | None = None
    parts: list[Said] = []
    for message in said:
        speaker: Literal["user", "assistant"] = "assistant" if message.role == "assistant" else "user"
        if role is not None and role != speaker:
            yield Turn(role, tuple(parts))
            parts = []
        role = speaker
        parts.append(message)
    if role is not None:
        yield Turn(role, tuple(parts))
