"""Every call of the JSON API under its one address. What a call does is in `play`; here it is only translated."""

from __future__ import annotations

from fastapi import APIRouter

from liyuan.web.api import (
    cards,
    changes,
    context,
    conversations,
    files,
    memories,
    news,
    personas,
    reading,
    saves,
    turns,
    world,
)

router = APIRouter(prefix="/api/v1")
# `files` before `conversations`: it knows `/conversations/import`.
for part in (files, conversations, reading, turns, changes, world, saves, context, memories, news, cards, personas):
    router.include_router(part.router)
