"""What each command of the composer does. A command is another way to an act, never an act of its own."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable, Mapping

from fastapi import Request, Response
from starlette.responses import RedirectResponse

from liyuan.domain.entry import ConversationId
from liyuan.domain.errors import Invalid
from liyuan.play.swipe import another
from liyuan.play.travel import rewind
from liyuan.play.turn import carry_on, hear, impersonate
from liyuan.store.conversations import keep_draft
from liyuan.web.line_orders import LINE_ORDERS
from liyuan.web.order import Order
from liyuan.web.panel import entitle
from liyuan.web.redraw import SAID, Toast, is_partial, moved, read_story, resources_of, to_story
from liyuan.web.story import address_of

NO_REPLY = "There is no reply yet that could be told another way."
NO_TITLE = "Write the new title behind the command, such as /title A night at the inn."


async def obey(order: Order) -> Response:
    """Raises as the acts behind the commands do; then what was typed stays."""
    response = await ORDERS[order.command.name](order)
    if order.command.name != "branch":
        await resources_of(order.request).database.write(keep_draft, order.story_id, "")
    return response


async def _continue(order: Order) -> Response:
    return await order.begins(await carry_on(resources_of(order.request), order.story_id, expected_leaf=order.leaf))


async def _regenerate(order: Order) -> Response:
    story = await read_story(order.request, order.story_id)
    if not story.speeches:
        raise Invalid(NO_REPLY)
    last = story.speeches[-1].id
    return await order.begins(
        await another(resources_of(order.request), order.story_id, last, expected_leaf=order.leaf)
    )


async def _impersonate(order: Order) -> Response:
    return await speak_for_me(order.request, order.story_id, order.shown)


async def speak_for_me(request: Request, story_id: ConversationId, shown: int) -> Response:
    """The model writes the reader's words into the composer; without a script they come as the draft."""
    resources = resources_of(request)
    performance = await impersonate(resources, story_id)
    if is_partial(request):
        return await moved(request, story_id, shown=shown, headers=SAID)
    ended = await performance.ended()
    await resources.database.write(keep_draft, story_id, ended.text)
    return to_story(story_id)


async def _rewind(order: Order) -> Response:
    turns = order.command.number
    await rewind(resources_of(order.request), order.story_id, turns, expected_leaf=order.leaf)
    undo = f"{address_of(order.story_id)}/undo"
    toast = Toast(kind="left", undo=undo, turns=turns)
    return await moved(order.request, order.story_id, shown=order.shown, toast=toast, headers=SAID)


async def _branch(order: Order) -> Response:
    """Back before the reader's last words: others are said in their place, or they come back to be reworded."""
    resources = resources_of(order.request)
    story = await read_story(order.request, order.story_id)
    old = next((speech.text for speech in reversed(story.speeches) if speech.who.is_reader), "")
    moved_to = await rewind(resources, order.story_id, 1, expected_leaf=order.leaf)
    if order.command.words:
        words = order.command.words
        return await order.begins(await hear(resources, order.story_id, words, expected_leaf=moved_to.leaf_id))
    await resources.database.write(keep_draft, order.story_id, old)
    headers = {"HX-Trigger": json.dumps({"words": {"text": old}})}
    return await moved(order.request, order.story_id, shown=order.shown, headers=headers)


async def _title(order: Order) -> Response:
    if not order.command.words:
        raise Invalid(NO_TITLE)
    return await entitle(order.request, order.story_id, order.command.words)


async def _export(order: Order) -> Response:
    address = f"/api/v1/conversations/{order.story_id}/export?format=jsonl"
    if is_partial(order.request):
        return Response(status_code=204, headers={"HX-Trigger": "said", "HX-Redirect": address})
    return RedirectResponse(address, 303)


async def _help(order: Order) -> Response:
    if is_partial(order.request):
        return Response(status_code=204, headers={"HX-Trigger": "said, help"})
    return to_story(order.story_id, "keys")


ORDERS: Mapping[str, Callable[[Order], Awaitable[Response]]] = {
    **LINE_ORDERS,
    "continue": _continue,
    "regenerate": _regenerate,
    "impersonate": _impersonate,
    "rewind": _rewind,
    "branch": _branch,
    "title": _title,
    "export": _export,
    "help": _help,
}
