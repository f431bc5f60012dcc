"""The panels beside a story, as tabs. One line in PANELS is one panel; the one that was open last is open again."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import ClassVar

from fastapi import APIRouter, Request, Response
from markupsafe import Markup

from liyuan.domain.entry import ConversationId, EntryId
from liyuan.domain.errors import NotFound
from liyuan.store.conversations import load_conversation
from liyuan.web import lines, memory, panel, prompt, world
from liyuan.web.redraw import is_partial, resources_of
from liyuan.web.render import View, html_of, render
from liyuan.web.story import address_of

router = APIRouter(prefix="/stories/{story_id}", include_in_schema=False)

#: The cookie that remembers which panel was open.
COOKIE = "tab"
YEAR = 365 * 24 * 3600


@dataclass(frozen=True, slots=True)
class Panel:
    """One tab. `name` is its address, `title` a msgid, `draw` makes what stands below it at the active leaf."""

    name: str
    title: str
    draw: Callable[[Request, ConversationId], Awaitable[View]]


#: In the order of the tabs. A title stands in `locales/zh/world_page.po` too, or in the catalogue of its panel.
PANELS: tuple[Panel, ...] = (
    Panel("world", "World", world.draw),
    Panel("prompt", "Prompt", prompt.draw),
    Panel("lines", "Lines", lines.draw),
    Panel("memory", "Memory", memory.draw),
    Panel("story", "Story", panel.draw),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Tab:
    name: str
    title: str
    is_open: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Tabbed:
    """The tabs, and the open panel drawn. `leaf` is where the story was when it was drawn."""

    address: str
    tabs: tuple[Tab, ...]
    name: str
    leaf: EntryId | None
    drawn: Markup


@dataclass(frozen=True)
class TabbedView(View):
    """The tabs and the open panel."""

    template: ClassVar[str] = "play/_tabbed.html"
    tabbed: Tabbed


@router.get("/panels/{name}")
async def opened(request: Request, story_id: ConversationId, name: str) -> Response:
    """Opens a panel, or draws it anew; without a script on the whole page."""
    found = next((one for one in PANELS if one.name == name), None)
    if found is None:
        raise NotFound(what="panel", id=name)
    if not is_partial(request):
        response = Response(status_code=303, headers={"Location": f"{address_of(story_id)}#panel"})
    else:
        response = render(request, TabbedView(await tabbed(request, story_id, name)))
    response.set_cookie(COOKIE, name, max_age=YEAR, path="/stories", samesite="lax")
    return response


async def tabbed(
    request: Request, story_id: ConversationId, name: str | None = None, view: View | None = None
) -> Tabbed:
    """The panel of this name, else the one that was open last, drawn as the story is now, or as `view` has it."""
    story = await resources_of(request).database.read(load_conversation, story_id)
    return await tabbed_at(request, story_id, story.leaf_id, name, view)


async def tabbed_at(
    request: Request,
    story_id: ConversationId,
    leaf: EntryId | None,
    name: str | None = None,
    view: View | None = None,
) -> Tabbed:
    """As `tabbed`, for whoever has just read that the story is at this leaf."""
    wanted = name or request.cookies.get(COOKIE, "")
    found = next((one for one in PANELS if one.name == wanted), PANELS[0])
    return Tabbed(
        address=address_of(story_id),
        tabs=tuple(Tab(name=one.name, title=one.title, is_open=one is found) for one in PANELS),
        name=found.name,
        leaf=leaf,
        drawn=Markup(html_of(request, view or await found.draw(request, story_id))),
    )
