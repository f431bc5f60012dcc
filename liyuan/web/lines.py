"""The worldlines of a story: the picture, the same as a list, and the panel beside the story. Nothing here writes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal

from fastapi import APIRouter, Request, Response
from sqlalchemy import Connection

from liyuan.domain.entry import ConversationId, EntryId
from liyuan.domain.saves import Save
from liyuan.play.worldlines import load_picture, load_preview
from liyuan.store.cast import load_story_card
from liyuan.store.chapters import load_moment
from liyuan.store.conversations import load_conversation
from liyuan.store.saves import load_plan
from liyuan.store.tree import load_entry
from liyuan.web.media import picture_address
from liyuan.web.metro import Drawing, Halt, drawing_of
from liyuan.web.redraw import is_partial, resources_of
from liyuan.web.render import View, render
from liyuan.web.speech import language_of
from liyuan.web.story import address_of
from liyuan.web.times import said_when
from liyuan.web.visitor import visitor_of

router = APIRouter(prefix="/stories/{story_id}", include_in_schema=False)

#: Saves that the panel shows before it leads to the picture.
LATEST = 12


@dataclass(frozen=True, slots=True, kw_only=True)
class Saving:
    """What a page needs to save where the reader is: the name it proposes, and what the save would become."""

    leaf: EntryId | None
    name: str
    plan: Literal["first", "sameLine", "fork"]
    line: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Said:
    """One of the last messages above a save."""

    name: str
    text: str
    lang: str
    is_reader: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Seen:
    """A save, looked at from outside. `halt` is its station; None for one that was deleted."""

    id: EntryId
    name: str
    line: str
    turn: int
    at: str
    when: str
    time: str
    location: str
    lines: tuple[Said, ...]
    character: str
    portrait: str | None
    halt: Halt | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Lines:
    """All worldlines of one story."""

    address: str
    title: str
    lang: str
    drawing: Drawing
    saving: Saving
    deleted: tuple[Save, ...]


@dataclass(frozen=True)
class LinesView(View):
    """The page: the picture or the list, and beside it the save that is looked at."""

    template: ClassVar[str] = "pages/lines.html"
    lines: Lines
    seen: Seen | None
    as_list: bool


@dataclass(frozen=True)
class SeenView(View):
    """The save that is looked at, by itself."""

    template: ClassVar[str] = "saves/_seen_alone.html"
    lines: Lines
    seen: Seen


@dataclass(frozen=True)
class LinesPanelView(View):
    """The panel: save here, the latest saves, and the way to the picture."""

    template: ClassVar[str] = "lines/_panel.html"
    lines: Lines
    latest: tuple[Halt, ...]


@router.get("/lines")
async def lines(
    request: Request,
    story_id: ConversationId,
    save: EntryId | None = None,
    view: Literal["picture", "list"] = "picture",
) -> Response:
    """The picture. With `save` that one is looked at, which is all that a script asks for."""
    language = visitor_of(request).language
    database = resources_of(request).database
    found = await database.read(load_lines, story_id, language)
    seen = await database.read(load_seen, story_id, save, found.drawing, language) if save else None
    if seen and is_partial(request):
        return render(request, SeenView(found, seen))
    return render(request, LinesView(found, seen, view == "list"))


async def draw(request: Request, story_id: ConversationId) -> LinesPanelView:
    """What stands below the tab."""
    found = await resources_of(request).database.read(load_lines, story_id, visitor_of(request).language)
    saves = sorted((halt for halt in found.drawing.halts if not halt.is_here), key=lambda halt: halt.at, reverse=True)
    return LinesPanelView(found, tuple(saves[:LATEST]))


def load_lines(connection: Connection, story_id: ConversationId, language: str) -> Lines:
    """Raises NotFound."""
    conversation = load_conversation(connection, story_id)
    card = load_story_card(connection, conversation.card_id)
    picture = load_picture(connection, story_id)
    leaf = load_entry(connection, story_id, picture.leaf_id) if picture.leaf_id else None
    plan = load_plan(connection, leaf)
    line = plan.prev.worldline_id if plan.prev else ""
    return Lines(
        address=address_of(story_id),
        title=conversation.title or card.name,
        lang=card.language,
        drawing=drawing_of(picture, language),
        saving=Saving(
            leaf=picture.leaf_id,
            name=load_moment(connection, story_id, picture.leaf_id).name,
            plan=plan.kind,
            line=next((one.name for one in picture.worldlines if one.id == line), ""),
        ),
        deleted=picture.deleted,
    )


def load_seen(
    connection: Connection, story_id: ConversationId, save_id: EntryId, drawing: Drawing, language: str
) -> Seen:
    """Raises NotFound for a save that never was; a deleted one is shown."""
    preview = load_preview(connection, story_id, save_id)
    return Seen(
        id=preview.save.id,
        name=preview.save.name,
        line=preview.worldline_name,
        turn=preview.turn,
        at=preview.created_at,
        when=said_when(preview.created_at, language),
        time=preview.time,
        location=preview.location,
        lines=tuple(
            Said(
                name="" if shown.entry.is_user else preview.character,
                text=shown.text,
                lang=language_of(shown.text),
                is_reader=shown.entry.is_user,
            )
            for shown in preview.lines
        ),
        character=preview.character,
        portrait=picture_address(preview.image_id),
        halt=next((halt for halt in drawing.halts if halt.id == save_id), None),
    )
