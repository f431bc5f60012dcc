"""Loading what the first turn needs, once the first page is out: the vocabulary, and the library of the usual model."""

from __future__ import annotations

import asyncio

from liyuan.domain.errors import LiyuanError
from liyuan.model.connect import ConnectedModel
from liyuan.model.tokenizer import warm
from liyuan.resources import Resources
from liyuan.store.library import default_connection

# Seconds after the start: the first page is served by then, and nobody has typed a whole message.
AFTER = 3.0


async def warm_up(resources: Resources) -> None:
    """Takes some seconds in threads of its own. What cannot be loaded is told by the first turn, not here."""
    await asyncio.sleep(AFTER)
    await asyncio.to_thread(warm)
    try:
        chosen = resources.models.choose(await resources.database.read(default_connection))
    except LiyuanError:
        return
    if isinstance(chosen.model, ConnectedModel):
        await chosen.model.load()
