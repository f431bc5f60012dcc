"""A branch in the forms other programs and people read: prose in Markdown, and a SillyTavern chat with its swipes."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from liyuan.domain.file_line import write_line


@dataclass(frozen=True, slots=True, kw_only=True)
class Saying:
    """One variant of a message: what it says, when, and by which model if any."""

    text: str
    at: str
    model: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """One message of the branch with its variants in order; `chosen` is the place of the one on the branch."""

    is_user: bool
    variants: tuple[Saying, ...]
    chosen: int = 0

    @property
    def saying(self) -> Saying:
        return self.variants[self.chosen]


@dataclass(frozen=True, slots=True, kw_only=True)
class Cast:
    """Who speaks, under which title, since when (ISO 8601)."""

    title: str
    character: str
    reader: str
    created_at: str = ""

    def speaker(self, line: Line) -> str:
        return self.reader if line.is_user else self.character


def markdown(cast: Cast, lines: Iterable[Line]) -> Iterator[str]:
    """The branch as prose: a title, then each speaker's name above what they say."""
    yield f"# {_one_line(cast.title) or _one_line(cast.character)}\n"
    for line in lines:
        yield f"\n**{_one_line(cast.speaker(line))}**\n\n{line.saying.text.strip()}\n"


_SIGNS = re.compile(r"([\\`*_\[\]<>#])")


def _one_line(name: str) -> str:
    """A name that is not taken for a mark of Markdown."""
    return _SIGNS.sub(r"\\\1", " ".join(name.split()))


def sillytavern(cast: Cast, lines: Iterable[Line]) -> Iterator[str]:
    """The branch as SillyTavern's chat file: a header, then a message a line, each with its variants as swipes."""
    yield write_line(
        {
            "user_name": cast.reader,
            "character_name": cast.character,
            "create_date": _create_date(cast.created_at),
            "chat_metadata": {},
        }
    )
    for line in lines:
        yield write_line(_message(cast, line))


def _message(cast: Cast, line: Line) -> dict[str, Any]:
    return {
        "name": cast.speaker(line),
        "is_user": line.is_user,
        "is_system": False,
        "send_date": line.saying.at,
        "mes": line.saying.text,
        "extra": _extra(line.saying),
        "swipe_id": line.chosen,
        "swipes": [saying.text for saying in line.variants],
        "swipe_info": [{"send_date": saying.at, "extra": _extra(saying)} for saying in line.variants],
    }


def _extra(saying: Saying) -> dict[str, str]:
    return {"model": saying.model} if saying.model else {}


def _create_date(stamp: str) -> str:
    """As SillyTavern names its files: 2026-01-31@12h00m00s."""
    moment = datetime.fromisoformat(stamp) if stamp else None
    return moment.strftime("%Y-%m-%d@%Hh%Mm%Ss") if moment else ""
