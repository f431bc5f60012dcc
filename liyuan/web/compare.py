"""Two ways of a story beside each other, from where they part: what differs in the world, and what was said on each."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from fastapi import APIRouter, Request, Response
from sqlalchemy import Connection

from liyuan.domain.card_world import card_world
from liyuan.domain.entry import SAVE, ConversationId, EntryId
from liyuan.play.worldlines import Branch, load_branches
from liyuan.store.branch import active_leaf, load_shown
from liyuan.store.cast import load_story_card
from liyuan.store.conversations import load_conversation
from liyuan.store.saves import load_save
from liyuan.store.tree import load_entry
from liyuan.web.redraw import resources_of
from liyuan.web.render import View, render
from liyuan.web.shelf import plain
from liyuan.web.speech import language_of
from liyuan.web.story import address_of
from liyuan.web.told import Told, tell

router = APIRouter(prefix="/stories/{story_id}", include_in_schema=False)

#: Letters of the last message that both ways share.
SHOWN = 240


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    text: str
    lang: str
    is_reader: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Way:
    """One of two ways since they parted. `name` is that of the save it leads to; `more` messages are not drawn."""

    end: EntryId
    name: str
    turn: int
    is_here: bool
    lines: tuple[Line, ...]
    more: int
    turns: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Compared:
    """Both ways, what their worlds differ in (from the left to the right), and the last words that they share."""

    address: str
    title: str
    lang: str
    ways: tuple[Way, Way]
    changes: tuple[Told, ...]
    shared: Line | None
    turn: int


@dataclass(frozen=True)
class CompareView(View):
    """The page."""

    template: ClassVar[str] = "pages/compare.html"
    compared: Compared


@router.get("/compare")
async def compare(request: Request, story_id: ConversationId, one: EntryId, other: EntryId) -> Response:
    return render(request, CompareView(await resources_of(request).database.read(load_compared, story_id, one, other)))


def load_compared(connection: Connection, story_id: ConversationId, one: EntryId, other: EntryId) -> Compared:
    """Raises NotFound."""
    conversation = load_conversation(connection, story_id)
    card = load_story_card(connection, conversation.card_id)
    found = load_branches(connection, story_id, one, other)
    leaf = active_leaf(connection, story_id)
    left, right = (_way(connection, story_id, branch, leaf) for branch in (found.one, found.other))
    return Compared(
        address=address_of(story_id),
        title=conversation.title or card.name,
        lang=card.language,
        ways=(left, right),
        changes=tell(found.changes, card_world(card.extensions).fields),
        shared=_shared(connection, story_id, found.parted_at),
        turn=load_entry(connection, story_id, found.parted_at).place.turn if found.parted_at else 0,
    )


def _way(connection: Connection, story_id: ConversationId, branch: Branch, leaf: EntryId | None) -> Way:
    return Way(
        end=branch.end.id,
        name=load_save(connection, story_id, branch.end.id).name if branch.end.kind == SAVE else "",
        turn=branch.end.place.turn,
        is_here=branch.end.id == leaf,
        lines=tuple(
            Line(text=shown.text, lang=language_of(shown.text), is_reader=shown.entry.is_user) for shown in branch.lines
        ),
        more=branch.more,
        turns=branch.turns,
    )


def _shared(connection: Connection, story_id: ConversationId, parted_at: EntryId | None) -> Line | None:
    """The last message above the fork: other kinds of entries are walked over."""
    key = parted_at
    while key is not None:
        shown = load_shown(connection, story_id, key)
        if shown.text:
            text = plain(shown.text)
            text = text if len(text) <= SHOWN else "…" + text[-SHOWN:]
            return Line(text=text, lang=language_of(text), is_reader=shown.entry.is_user)
        key = shown.entry.parent_id
    return None
