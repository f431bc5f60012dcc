"""Reading a conversation: its branch, one entry, its tree, and the prompt that would be sent. Nothing here writes."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query

from liyuan.domain.entry import ConversationId, EntryId
from liyuan.play.gather import gather
from liyuan.play.turn import LONGEST_MESSAGE
from liyuan.resources import Resources
from liyuan.store.branch import PAGE, active_leaf, load_page, load_shown
from liyuan.store.conversations import load_conversation
from liyuan.store.outline import load_outline
from liyuan.store.tree import load_entry
from liyuan.web.api.asked import AtEntry, InConversation, OfEntry, Open
from liyuan.web.api.problems import problems
from liyuan.web.api.schemas import Branch, Entry, Prompt, Tree
from liyuan.web.api.wishes import Plain

router = APIRouter(prefix="/conversations/{conversation_id}", tags=["reading"], responses=problems(404))

LONGEST_PAGE = 500


@router.get("/branch")
async def read_branch(
    resources: Open,
    conversation_id: InConversation,
    leaf: AtEntry = None,
    limit: Annotated[int, Query(ge=1, le=LONGEST_PAGE)] = PAGE,
    before: AtEntry = None,
) -> Branch:
    """The last `limit` entries of a branch, by default the active one; with `before=prev` the run above."""
    await resources.database.read(load_conversation, conversation_id)
    page = await resources.database.read(load_page, conversation_id, leaf, limit=limit, before=before)
    return Branch.of(page)


@router.get("/entries/{entry_id}")
async def read_entry(
    resources: Open, conversation_id: InConversation, entry_id: OfEntry, leaf: AtEntry = None
) -> Entry:
    """One entry as it is seen from `leaf`, by default from the active one."""
    await resources.database.read(load_conversation, conversation_id)
    return Entry.of(await resources.database.read(load_shown, conversation_id, entry_id, leaf))


@router.get("/tree")
async def read_tree(resources: Open, conversation_id: InConversation) -> Tree:
    """The shape of the whole tree, without bodies."""
    return Tree.of(await resources.database.read(load_outline, conversation_id))


@router.get("/prompt", responses=problems(404))
async def read_prompt(
    resources: Open,
    conversation_id: InConversation,
    leaf: AtEntry = None,
    text: Annotated[Plain, Query(max_length=LONGEST_MESSAGE)] = "",
) -> Prompt:
    """Exactly what the next request would send, part by part; `text` is what the reader would say first."""
    return Prompt.of(await gather(resources, conversation_id, await _at(resources, conversation_id, leaf), text=text))


async def _at(resources: Resources, conversation_id: ConversationId, leaf: EntryId | None) -> EntryId | None:
    here = await resources.database.read(active_leaf, conversation_id)
    return (await resources.database.read(load_entry, conversation_id, leaf)).id if leaf else here
