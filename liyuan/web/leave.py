"""Going to another place in the story: first what stays behind is told and a word for it offered, then one goes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, ClassVar
from urllib.parse import urlsplit

from babel.lists import format_list
from fastapi import APIRouter, Form, Request, Response
from sqlalchemy import Connection

from liyuan.domain.entry import SAVE, ConversationId, Entry, EntryId
from liyuan.domain.left_behind import left_behind
from liyuan.play.leaving import Farewell
from liyuan.play.saves import restore
from liyuan.play.travel import move
from liyuan.resources import Nobody
from liyuan.store.branch import active_leaf
from liyuan.store.cast import load_story_card
from liyuan.store.climb import parting
from liyuan.store.conversations import load_conversation
from liyuan.store.saves import load_save
from liyuan.store.tree import load_entry
from liyuan.store.worlds import load_world
from liyuan.web.fields import plain_lines
from liyuan.web.i18n import words as words_in
from liyuan.web.redraw import Toast, is_partial, moved, resources_of
from liyuan.web.render import View, render
from liyuan.web.story import address_of
from liyuan.web.visitor import visitor_of

router = APIRouter(prefix="/stories/{story_id}", include_in_schema=False)

#: So many things are named at most; the rest is told as a number.
NAMED = 4


@dataclass(frozen=True, slots=True, kw_only=True)
class Leave:
    """A way that one may go. `turns` stay behind, and `things`, in words; `name` is that of a save.

    `can_tell` is true where there is something to tell of and somebody who writes it.
    """

    address: str
    title: str
    to: EntryId
    name: str
    turn: int
    turns: int
    things: str
    leaf: EntryId | None
    can_tell: bool


@dataclass(frozen=True)
class LeaveView(View):
    """The question before a jump."""

    template: ClassVar[str] = "lines/_leave.html"
    leave: Leave


@dataclass(frozen=True)
class LeavePageView(View):
    """The question as a page of its own, for a browser without scripts."""

    template: ClassVar[str] = "pages/leave.html"
    leave: Leave


@router.get("/leave")
async def ask(request: Request, story_id: ConversationId, to: EntryId) -> Response:
    resources = resources_of(request)
    is_written = not isinstance(resources.worker, Nobody)
    leave = await resources.database.read(load_leave, story_id, to, visitor_of(request).language, is_written)
    return render(request, LeaveView(leave) if is_partial(request) else LeavePageView(leave))


@router.post("/go")
async def go(
    request: Request,
    story_id: ConversationId,
    to: Annotated[EntryId, Form()],
    summary: Annotated[Farewell, Form()] = "none",
    words: Annotated[str, Form()] = "",
    expected_leaf: Annotated[EntryId | None, Form()] = None,
) -> Response:
    """Goes to a save or to any entry. The story's own page is drawn anew where it stands; another one leads there."""
    resources = resources_of(request)
    before = await resources.database.read(load_leave, story_id, to, visitor_of(request).language, False)
    goal = await resources.database.read(load_entry, story_id, to)
    there = restore if goal.kind == SAVE else move
    await there(resources, story_id, to, expected_leaf=expected_leaf, summary=summary, words=plain_lines(words).strip())
    address = address_of(story_id)
    if is_partial(request) and urlsplit(request.headers.get("hx-current-url", "")).path != address:
        return Response(status_code=204, headers={"HX-Redirect": f"{address}#composer"})
    toast = Toast(kind="left", undo=f"{address}/undo", turns=before.turns)
    return await moved(request, story_id, toast=toast)


def load_leave(connection: Connection, story_id: ConversationId, to: EntryId, language: str, is_written: bool) -> Leave:
    """What going to an entry leaves behind. Raises NotFound."""
    conversation = load_conversation(connection, story_id)
    card = load_story_card(connection, conversation.card_id)
    leaf_id = active_leaf(connection, story_id)
    here = load_entry(connection, story_id, leaf_id) if leaf_id else None
    there = load_entry(connection, story_id, to)
    turns = _turns_left(connection, story_id, here, there)
    worlds = [load_world(connection, story_id, end, card).snapshot.state for end in (here, there)]
    left = left_behind(*worlds)
    said = words_in(language)
    things = [*left.things, *left.people]
    for name, trust in left.trust:
        things.append(said.gettext("%(name)s’s trust of %(trust)s") % {"name": name, "trust": trust})
    return Leave(
        address=address_of(story_id),
        title=conversation.title or card.name,
        to=to,
        name=load_save(connection, story_id, to).name if there.kind == SAVE else "",
        turn=there.place.turn,
        turns=turns,
        things=_listed(things, turns, language),
        leaf=leaf_id,
        can_tell=turns > 0 and is_written,
    )


def _turns_left(connection: Connection, story_id: ConversationId, here: Entry | None, there: Entry) -> int:
    """How many of the reader's turns are on this way and not on the other."""
    if here is None:
        return 0
    first = parting(connection, here, there).left
    if first is None:
        return 0
    start = load_entry(connection, story_id, first)
    return here.place.turn - start.place.turn + start.is_user


def _listed(things: list[str], turns: int, language: str) -> str:
    """“12 turns, the watch and Qingwu’s trust of 34”; empty when nothing stays behind."""
    said = words_in(language)
    named = [said.ngettext("%(num)s turn", "%(num)s turns", turns) % {"num": turns}] if turns else []
    named += things[:NAMED]
    if more := len(things) - NAMED if len(things) > NAMED else 0:
        named.append(said.ngettext("%(num)s thing more", "%(num)s things more", more) % {"num": more})
    return format_list(named, locale=language) if named else ""
