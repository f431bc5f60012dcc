"""The news of one conversation as server-sent events."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from contextlib import aclosing
from typing import Annotated, Any

from fastapi import APIRouter, Header, Response

from liyuan.domain.entry import ConversationId
from liyuan.domain.errors import NotFound
from liyuan.play.events import watch
from liyuan.resources import Resources
from liyuan.store.conversations import load_conversation
from liyuan.web.api.asked import InConversation, Open
from liyuan.web.api.problems import problems
from liyuan.web.api.sse import described, event, stream

router = APIRouter(prefix="/conversations/{conversation_id}", tags=["turns"])

_EXAMPLE = 'event: leaf\ndata: {"leaf_id":"019c13d2a1b07f3e5d2c4b6a","cause":"append"}\nid: 17\n\n'
_ANSWER: dict[int | str, dict[str, Any]] = {
    200: {
        "description": (
            "`leaf` {leaf_id, cause}, with an id to resume from · `turn` {performance_id, act, parent_id, state: "
            "started|ended|failed, entry_id} · `delta` {performance_id, text} · `title` {title}"
        ),
        "content": described(_EXAMPLE, "leaf", "turn", "delta", "title"),
    }
}


@router.get("/events", response_class=Response, responses={**_ANSWER, **problems(404)})
async def follow(
    resources: Open,
    conversation_id: InConversation,
    last_event_id: Annotated[str | None, Header(alias="Last-Event-ID", max_length=40)] = None,
) -> Response:
    """Everything that happens here, whoever does it. With Last-Event-ID the moves missed since then come first."""
    await resources.database.read(load_conversation, conversation_id)
    return stream(_events(resources, conversation_id, last_event_id))


async def _events(
    resources: Resources, conversation_id: ConversationId, after: str | None
) -> AsyncGenerator[bytes, None]:
    try:
        async with aclosing(watch(resources, conversation_id, after)) as happenings:
            async for happening in happenings:
                yield event(happening.kind, happening.data, happening.id)
    except NotFound:  # It was deleted while somebody listened: there is no more news.
        return
