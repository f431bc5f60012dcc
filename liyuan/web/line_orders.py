"""The commands of saving and going about: /save /back /line /tag /log /checkout /undo /redo."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable, Mapping

from fastapi import Response
from sqlalchemy import Connection
from starlette.responses import RedirectResponse

from liyuan.domain.entry import ConversationId
from liyuan.domain.errors import Invalid
from liyuan.domain.names import fold
from liyuan.domain.saves import Save
from liyuan.play import context, saves
from liyuan.play.worldlines import load_picture
from liyuan.store.tags import load_tags
from liyuan.web.moves import make_again, take_back
from liyuan.web.order import Order
from liyuan.web.redraw import SAID, Toast, is_partial
from liyuan.web.saves import told

NO_SAVE = "There is no save to go back to. Write /save first."
NO_SUCH_SAVE = "There is no save called “{name}”. The panel Lines shows all of them."
NO_LINE = "You are on no worldline yet. Write /save, and one begins."
NO_TARGET = "Write a tag and a note behind the command, such as /checkout inn We tried the back door; it is locked."
NO_TAG = "Write a name for this place behind the command, such as /tag inn."


async def _save(order: Order) -> Response:
    saved = await saves.save(order.resources, order.story_id, order.command.words, expected_leaf=order.leaf)
    return await told(order.request, order.story_id, saved, order.shown, is_command=True)


async def _back(order: Order) -> Response:
    wanted = await order.resources.database.read(load_wanted, order.story_id, order.command.words)
    await saves.restore(order.resources, order.story_id, wanted.id, expected_leaf=order.leaf)
    return await order.moves(Toast(kind="left", undo=f"{order.address}/undo"))


def load_wanted(connection: Connection, story_id: ConversationId, name: str) -> Save:
    """The save of a name, else the last one whose name holds it; without a name the nearest above the reader.

    A reader who stands at a save goes to the one before. Raises Invalid where there is none.
    """
    picture = load_picture(connection, story_id)
    if not name:
        key = picture.current_save
        key = picture.stations[key].above_id if key and picture.at_save else key
        if key is None:
            raise Invalid(NO_SAVE)
        return picture.stations[key].save
    known = [one.save for one in picture.stations.values()][::-1]
    same = [save for save in known if fold(save.name) == fold(name)]
    alike = [save for save in known if fold(name) in fold(save.name)]
    for save in (*same, *alike):
        return save
    raise Invalid(NO_SUCH_SAVE, name=name)


async def _line(order: Order) -> Response:
    if not order.command.words:
        return _go_to(order, "/lines")
    picture = await order.resources.database.read(load_picture, order.story_id)
    if picture.current_save is None:
        raise Invalid(NO_LINE)
    line = picture.stations[picture.current_save].save.worldline_id
    name = await saves.rename_worldline(order.resources, order.story_id, line, order.command.words)
    return await order.moves(Toast(kind="named", undo="", name=name))


async def _tag(order: Order) -> Response:
    if not order.command.words:
        raise Invalid(NO_TAG)
    await context.tag(order.resources, order.story_id, order.command.words)
    return await order.moves(Toast(kind="tagged", undo="", name=order.command.words))


async def _log(order: Order) -> Response:
    return _go_to(order, "/log")


async def _checkout(order: Order) -> Response:
    tags = await order.resources.database.read(load_tags, order.story_id)
    target, message = parted(order.command.words, tags)
    if not message:
        raise Invalid(NO_TARGET)
    await context.checkout(order.resources, order.story_id, target, message, expected_leaf=order.leaf)
    return await order.moves(Toast(kind="left", undo=f"{order.address}/undo"))


def parted(words: str, tags: Iterable[str]) -> tuple[str, str]:
    """Where to, and with which note. A tag may have spaces: the longest that fits is meant, else the first word."""
    for tag in sorted(tags, key=len, reverse=True):
        if words.startswith(tag) and words[len(tag) :][:1].strip() == "":
            return tag, words[len(tag) :].strip()
    target, *message = words.split(maxsplit=1) or [""]
    return target, "".join(message)


async def _undo(order: Order) -> Response:
    return await take_back(order.request, order.story_id, order.leaf, order.shown, SAID)


async def _redo(order: Order) -> Response:
    return await make_again(order.request, order.story_id, order.leaf, order.shown, SAID)


def _go_to(order: Order, page: str) -> Response:
    if is_partial(order.request):
        return Response(status_code=204, headers={"HX-Trigger": "said", "HX-Redirect": order.address + page})
    return RedirectResponse(order.address + page, 303)


LINE_ORDERS: Mapping[str, Callable[[Order], Awaitable[Response]]] = {
    "save": _save,
    "back": _back,
    "line": _line,
    "tag": _tag,
    "log": _log,
    "checkout": _checkout,
    "undo": _undo,
    "redo": _redo,
}
