"""Stories and characters as they stand on a shelf: what a page shows of each, and nothing that it does not."""

from __future__ import annotations

from dataclasses import dataclass

from liyuan.domain.entry import ConversationId
from liyuan.store.cast import card_of
from liyuan.store.conversations import LAST_LINE, Listed
from liyuan.store.excerpts import Excerpt
from liyuan.store.library import CardRow
from liyuan.web.media import picture_address
from liyuan.web.times import said_when

BLURB = 110


@dataclass(frozen=True, slots=True)
class StoryLine:
    """One story. `when` is `at` as people say it; `excerpt` is where a search found its words."""

    id: ConversationId
    title: str
    character: str
    image: str | None
    last_line: str
    excerpt: Excerpt | None
    turns: int
    at: str
    when: str
    is_performing: bool


@dataclass(frozen=True, slots=True)
class Poster:
    """One character. `has_choice` tells whether a story with it can begin in more than one way."""

    id: str
    name: str
    lang: str
    image: str | None
    blurb: str
    tags: tuple[str, ...]
    has_choice: bool


def story_line(listed: Listed, language: str, excerpt: Excerpt | None = None) -> StoryLine:
    story = listed.conversation
    return StoryLine(
        id=story.id,
        title=story.title or listed.card_name or "",
        character=listed.card_name or "",
        image=picture_address(listed.card_image_id),
        last_line=_cut(plain(listed.last_line)),
        excerpt=excerpt,
        turns=story.turns,
        at=story.updated_at,
        when=said_when(story.updated_at, language),
        is_performing=story.status == "generating",
    )


def poster(row: CardRow, language: str, personas: int) -> Poster:
    """A character as a person with so many personas finds it."""
    card = card_of(row)
    return Poster(
        id=row.id,
        name=card.name,
        lang=card.language,
        image=picture_address(row.image_id, "poster"),
        blurb=blurb(card.creator_notes_in(language) or card.description, card.char),
        tags=card.tags[:3],
        has_choice=len(card.greetings) > 1 or personas > 1,
    )


def blurb(text: str, char: str) -> str:
    """The first words of a text, on one line and without marks."""
    line = plain(text.replace("{{char}}", char).replace("{{user}}", "…"))
    return line if len(line) <= BLURB else line[: BLURB - 1].rstrip() + "…"


def _cut(line: str) -> str:
    return f"{line}…" if len(line) >= LAST_LINE - 8 else line


def plain(text: str) -> str:
    """A line without the marks of prose."""
    return " ".join(text.replace("*", "").replace("#", "").split())
