"""Finds the story in a request that asks about one: sections under headings, speakers, the ledger. Pure."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from liyuan.model.chat import Request
from liyuan.model.tongue import Tongue, tongue_of

_HEADING = re.compile(
    r"^[ \t]*(?:\[([^\]\n]{1,60})\]|【([^】\n]{1,40})】|#+[ \t]+(\S[^\n]{0,60}))[ \t]*$", re.MULTILINE
)
_EARLIER = re.compile(r"so far|earlier|summary|前情|此前|摘要|梗概", re.IGNORECASE)
_ASKS_FOR_JSON = re.compile(r"\bJSON\b")


@dataclass(frozen=True)
class Script:
    """What a scribe's or a summary's request is about."""

    text: str
    char: str
    user: str
    told: tuple[tuple[str, str], ...] = ()
    """Messages of the story that came as messages: (speaker, text)."""

    @cached_property
    def sections(self) -> list[tuple[str, str]]:
        """(heading, text), in order; what comes before the first heading is not among them."""
        pieces = _HEADING.split(self.text)
        heads = ("".join(filter(None, pieces[n : n + 3])) for n in range(1, len(pieces), 4))
        return list(zip(heads, (piece.strip() for piece in pieces[4::4]), strict=True))

    @cached_property
    def lines(self) -> tuple[tuple[str, str], ...]:
        """(speaker, text) of the story, the speaker empty where none is named."""
        if self.told:
            return self.told
        story = self.sections[-1][1] if self.sections else self.text
        paragraphs = [text for text in story.split("\n\n") if text.strip() and not _ASKS_FOR_JSON.search(text)]
        return tuple(_spoken(paragraphs, (self.char, self.user)))

    @cached_property
    def earlier(self) -> str:
        """A summary that the new one has to take up."""
        return next((text for head, text in self.sections[:-1] if _EARLIER.search(head)), "")

    @cached_property
    def ledger(self) -> dict[str, Any]:
        """The last JSON object that stands at the beginning of a line; empty when there is none."""
        for start in reversed([found.start() for found in re.finditer(r"^\{", self.text, re.MULTILINE)]):
            try:
                value, _ = json.JSONDecoder().raw_decode(self.text, start)
            except ValueError:
                continue
            if isinstance(value, dict):
                return value
        return {}

    @cached_property
    def tongue(self) -> Tongue:
        return tongue_of("\n".join(text for _, text in self.lines), self.text)


def script_of(request: Request) -> Script:
    """From a request whose last message holds everything, or whose messages are the story themselves."""
    story = [said for said in request.messages if said.role != "system" and said.text.strip()]
    text = "\n\n".join(said.text for said in request.messages if said.role == "system" or len(story) <= 3)
    if len(story) <= 3:
        return Script(text, request.char, request.user)
    names = {"assistant": request.char, "user": request.user}
    return Script(text, request.char, request.user, tuple((names[said.role], said.text) for said in story))


def _spoken(paragraphs: list[str], names: tuple[str, str]) -> list[tuple[str, str]]:
    known = "|".join(re.escape(name) for name in names if name)
    begins = re.compile(rf"^({known})\s*[:：]\s*") if known else None
    spoken: list[tuple[str, str]] = []
    for paragraph in paragraphs:
        found = begins.match(paragraph) if begins else None
        if found:
            spoken.append((found[1], paragraph[found.end() :]))
        elif spoken:
            spoken[-1] = (spoken[-1][0], f"{spoken[-1][1]}\n\n{paragraph}")
        else:
            spoken.append(("", paragraph))
    return spoken
