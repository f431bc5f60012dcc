"""A story as a context store: tags, the log, checkout; and the recap for people who come back. Calls no model."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Path, Query
from starlette.responses import Response

from liyuan.domain.entry import EntryId
from liyuan.play import context
from liyuan.play.recap import load_recap
from liyuan.store.conversations import load_conversation
from liyuan.store.tags import load_tags
from liyuan.web.api.asked import AtEntry, InConversation, Open, leaf_of
from liyuan.web.api.context_schemas import Checkout, CheckoutDone, Log, NewTag, Recap, Tag, Tags
from liyuan.web.api.problems import problems

router = APIRouter(prefix="/conversations/{conversation_id}", tags=["context"], responses=problems(404))

From = Annotated[EntryId | None, Query(alias="from", pattern=r"^[A-Za-z0-9_-]{1,64}$")]
To = Annotated[EntryId | None, Query(alias="to", pattern=r"^[A-Za-z0-9_-]{1,64}$")]


@router.get("/tags")
async def list_tags(resources: Open, conversation_id: InConversation) -> Tags:
    """Every tag of the story, on all branches."""
    await resources.database.read(load_conversation, conversation_id)
    known = await resources.database.read(load_tags, conversation_id)
    return Tags(items=[Tag(name=name, entry_id=key) for name, key in known.items()])


@router.post("/tags", status_code=201)
async def tag_entry(resources: Open, conversation_id: InConversation, wish: NewTag) -> Tag:
    """Names an entry, by default the leaf. The tree is not touched."""
    entry_id = EntryId(wish.entry_id) if wish.entry_id else None
    await resources.database.read(load_conversation, conversation_id)
    tagged = await context.tag(resources, conversation_id, wish.name, entry_id, moves=wish.moves)
    return Tag(name=wish.name, entry_id=tagged)


@router.delete("/tags/{name:path}", status_code=204)
async def untag_entry(
    resources: Open, conversation_id: InConversation, name: Annotated[str, Path(pattern=r"^[^\x00]+$")]
) -> Response:
    """Takes a tag away; what it named stays."""
    await context.untag(resources, conversation_id, name)
    return Response(status_code=204)


@router.get("/log")
async def read_log(
    resources: Open,
    conversation_id: InConversation,
    limit: Annotated[int, Query(ge=1, le=context.MOST)] = context.LIMIT,
    first: From = None,
    last: To = None,
    leaf: AtEntry = None,
) -> Log:
    """The path as a skeleton with the dashboard. With `from` and `to` that stretch alone, every entry in full."""
    found = await context.log(resources, conversation_id, limit=limit, first=first, last=last, leaf_id=leaf)
    return Log.of(found)


@router.post("/checkout", status_code=201, responses=problems(409))
async def checkout_target(resources: Open, conversation_id: InConversation, wish: Checkout) -> CheckoutDone:
    """Goes to a tag, an entry or "root" and leaves a message there that names where one was. Nothing is lost by it."""
    leaf = await leaf_of(resources, conversation_id, wish)
    done = await context.checkout(
        resources, conversation_id, wish.target, wish.message, backup_tag=wish.backup_tag, expected_leaf=leaf
    )
    return CheckoutDone.of(done)


@router.get("/recap")
async def read_recap(resources: Open, conversation_id: InConversation, leaf: AtEntry = None) -> Recap:
    """Where was I: from the summary in force, the ledger, the saves on the way and the last lines."""
    return Recap.of(await resources.database.read(load_recap, conversation_id, leaf))
