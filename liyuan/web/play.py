"""The play page: a story, whole, or the run above what is shown. What changes it stands in files of its own."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar

from fastapi import APIRouter, Request, Response
from sqlalchemy import Connection

from liyuan.domain.entry import ConversationId, EntryId
from liyuan.play.connections import understudy_plays
from liyuan.store.branch import PAGE
from liyuan.store.conversations import Listed, list_conversations, load_conversation
from liyuan.web.more import More, load_more
from liyuan.web.panels import Tabbed, tabbed_at
from liyuan.web.recap import Away, load_away
from liyuan.web.redraw import Note, is_partial, moved, resources_of
from liyuan.web.render import View, render
from liyuan.web.shelf import StoryLine, story_line
from liyuan.web.story import Helm, Story, load_story
from liyuan.web.visitor import visitor_of

router = APIRouter(prefix="/stories/{story_id}", include_in_schema=False)

#: Stories on the shelf beside the story.
STORIES = 16
#: After so many turns nobody needs to be told who the understudy is.
NEW = 3
FOLDED = "folded"


@dataclass(frozen=True, slots=True)
class Folds:
    """Which columns beside the story are folded away; the browser remembers it in cookies."""

    side: str
    panel: str


@dataclass(frozen=True)
class PlayView(View):
    """The whole page. `draft` is what the reader has typed and not sent; `more` the message whose menu is open."""

    template: ClassVar[str] = "pages/play.html"
    story: Story
    helm: Helm
    stories: tuple[StoryLine, ...]
    tabbed: Tabbed
    folds: Folds
    draft: str
    note: Note | None
    understudy_plays: bool
    more: More | None
    away: Away | None


@dataclass(frozen=True)
class AboveView(View):
    """The run of the story above the one that is shown."""

    template: ClassVar[str] = "play/_above.html"
    story: Story
    helm: Helm


@dataclass(frozen=True)
class ConflictView(View):
    """The choice where the story has moved on under words that were being written."""

    template: ClassVar[str] = "play/_note.html"
    note: Note


@dataclass(frozen=True, slots=True)
class Look:
    """What one look into the database tells of the page."""

    story: Story
    draft: str
    listed: list[Listed]
    away: Away | None


@router.get("")
async def play(
    request: Request,
    story_id: ConversationId,
    before: EntryId | None = None,
    edit: EntryId | None = None,
    more: EntryId | None = None,
) -> Response:
    """The last messages of the active branch. Without a script, `before` shows the run above an entry, `edit` opens an
    editor and `more` a menu."""
    return await page(request, story_id, before=before, editing=edit, more=more)


async def page(
    request: Request,
    story_id: ConversationId,
    *,
    before: EntryId | None = None,
    editing: EntryId | None = None,
    more: EntryId | None = None,
    draft: str | None = None,
    note: Note | None = None,
    panel: View | None = None,
    status: int = 200,
) -> Response:
    """The whole page; `panel` takes the place of the World panel as it would be drawn."""
    resources = resources_of(request)
    look = await resources.database.read(_look, story_id, before, editing)
    language = visitor_of(request).language
    view = PlayView(
        story=look.story,
        helm=look.story.helm,
        stories=tuple(story_line(one, language) for one in look.listed),
        tabbed=await tabbed_at(request, story_id, look.story.leaf, "world" if panel else None, panel),
        folds=Folds(side=request.cookies.get("side", ""), panel=request.cookies.get("panel", "")),
        draft=look.draft if draft is None else draft,
        note=note,
        understudy_plays=look.story.turns < NEW and await understudy_plays(resources),
        away=look.away,
        more=await resources.database.read(load_more, story_id, more, language) if more else None,
    )
    return render(request, view, status=status)


def _look(connection: Connection, story_id: ConversationId, before: EntryId | None, editing: EntryId | None) -> Look:
    conversation = load_conversation(connection, story_id)
    return Look(
        story=load_story(connection, story_id, before=before, editing=editing),
        draft=conversation.draft,
        listed=list_conversations(connection, limit=STORIES)[0],
        away=load_away(connection, story_id, conversation.updated_at),
    )


@router.get("/now")
async def now(request: Request, story_id: ConversationId, shown: int = PAGE) -> Response:
    """The parts of the page as they are now, for a page that has heard that they changed."""
    return await moved(request, story_id, shown=shown)


@router.get("/earlier")
async def earlier(
    request: Request, story_id: ConversationId, before: EntryId, leaf: EntryId, shown: int = PAGE
) -> Response:
    """The run above `before` on the branch of `leaf`; the page shows `shown` entries already."""
    story = await resources_of(request).database.read(load_story, story_id, before=before, leaf=leaf)
    both = replace(story, leaf=leaf, shown=story.shown + shown)
    return render(request, AboveView(both, both.helm))


async def conflict(request: Request, story_id: ConversationId, leaf: EntryId | None, text: str) -> Response:
    """409 with the choice: said here anyway, or first a look at the new end. The words stay where they are."""
    note = Note(kind="conflict", address=f"/stories/{story_id}", leaf=leaf)
    if is_partial(request):
        return render(request, ConflictView(note), status=409)
    return await page(request, story_id, draft=text, note=note, status=409)
