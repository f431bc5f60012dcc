"""What the calls of the API find in a request: the resources, ids in the path, and whether a stream is wanted."""

from __future__ import annotations

from typing import Annotated

from fastapi import Depends, Path, Query, Request

from liyuan.domain.entry import ConversationId, EntryId
from liyuan.resources import Resources
from liyuan.store.branch import active_leaf
from liyuan.web.api.wishes import MaybeGuard

ID = r"^[A-Za-z0-9_-]{1,64}$"


def _resources(request: Request) -> Resources:
    resources: Resources = request.app.state.resources
    return resources


Open = Annotated[Resources, Depends(_resources)]
InConversation = Annotated[ConversationId, Path(alias="conversation_id", pattern=ID)]
OfEntry = Annotated[EntryId, Path(alias="entry_id", pattern=ID)]
OfRow = Annotated[str, Path(pattern=ID)]
AtEntry = Annotated[EntryId | None, Query(pattern=ID)]


def wants_stream(request: Request) -> bool:
    """Whether the client would rather hear a turn while it is being told."""
    return "text/event-stream" in request.headers.get("accept", "")


async def leaf_of(resources: Resources, conversation_id: ConversationId, guard: MaybeGuard | None) -> EntryId | None:
    """The leaf the client believes in; where it names none, the one there is."""
    if guard is not None and guard.is_set:
        return EntryId(guard.expected_leaf) if guard.expected_leaf else None
    return await resources.database.read(active_leaf, conversation_id)
