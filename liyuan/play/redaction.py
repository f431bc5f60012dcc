"""Taking words out of memory for good: out of SQL with the entry itself, then the vectors off the disk.

What cannot be erased at once, because the store fails or is large, is asked for in SQL and done by the indexer.
"""

from __future__ import annotations

from collections.abc import Collection

import structlog

from liyuan.memory.recall import MemoryFailed
from liyuan.resources import Resources
from liyuan.store.indexing import Order, erased

# Vectors on a shelf up to which writing it anew is quick enough to wait for (about two seconds).
WAITED_FOR = 2000

log = structlog.get_logger(__name__)


async def erase_vectors(resources: Resources, ordered: Order, seqs: Collection[int]) -> None:
    """Erases vectors; their erasing stands ordered in SQL. Never raises: what is left undone stays ordered."""
    memory = resources.memory
    if memory.model is None:
        return
    try:
        if await memory.store.is_there() and await memory.store.count(memory.shelf(ordered.shelf)) <= WAITED_FOR:
            await memory.store.erase(memory.shelf(ordered.shelf), seqs)
            await resources.database.write(erased, ordered)
    except MemoryFailed as error:
        log.warning("vectors could not be erased yet", shelf=ordered.shelf, reason=str(error))
