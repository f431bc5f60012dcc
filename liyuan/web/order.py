"""A command on its way to what obeys it, with what its sender believed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from fastapi import Request, Response

from liyuan.domain.entry import ConversationId, EntryId
from liyuan.resources import Resources
from liyuan.stage import Performance
from liyuan.web.commands import Command
from liyuan.web.redraw import SAID, Toast, begun, moved, resources_of
from liyuan.web.story import address_of


@dataclass(frozen=True, slots=True, kw_only=True)
class Order:
    """A command with what its sender believed: where the story is, and how many messages are shown."""

    request: Request
    story_id: ConversationId
    command: Command
    leaf: EntryId | None
    shown: int

    @property
    def resources(self) -> Resources:
        return resources_of(self.request)

    @property
    def address(self) -> str:
        return address_of(self.story_id)

    async def begins(self, performance: Performance) -> Response:
        """The answer when a performance has begun."""
        return await begun(self.request, self.story_id, performance, shown=self.shown, headers=SAID)

    async def moves(self, toast: Toast, headers: Mapping[str, str] = SAID) -> Response:
        """The answer when the story has moved."""
        return await moved(self.request, self.story_id, shown=self.shown, toast=toast, headers=headers)
