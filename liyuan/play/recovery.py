"""Finding what a crash left behind: a half-written reply is kept, marked interrupted, and the stage is free again."""

from __future__ import annotations

import asyncio
import os
import socket
from datetime import UTC, datetime, timedelta

import structlog

from liyuan.domain.errors import LiyuanError
from liyuan.play.closing import Outcome, close
from liyuan.resources import Nobody, Resources
from liyuan.store.performances import Performing, end, load_performances

# Seconds without a sign of life after which a performance of another machine counts as dead.
SILENCE = 20.0
EVERY = 5.0

log = structlog.get_logger(__name__)


async def recover(resources: Resources) -> int:
    """Ends every performance whose process is gone. Answers how many there were."""
    performing = await resources.database.read(load_performances)
    lost = [one for one in performing if _is_lost(one, resources.stage.owner)]
    for one in lost:
        try:
            _entry, run = await resources.database.write(close, one, _said(one, resources))
            if run:
                await resources.worker.submit(run)
        except LiyuanError:  # Somebody moved on by other means; only the stage is left to clear.
            await resources.database.write(end, one.id)
        log.warning("a reply was cut off by a crash; what was said is kept", conversation_id=one.conversation_id)
    return len(lost)


async def keep_recovering(resources: Resources) -> None:
    """Looks for lost performances from time to time, for as long as this process lives."""
    while True:
        await asyncio.sleep(EVERY)
        await recover(resources)


def _said(one: Performing, resources: Resources) -> Outcome:
    is_booked = not isinstance(resources.worker, Nobody)
    return Outcome(text=one.text, reasoning=one.reasoning, is_whole=False, is_booked=is_booked)


def _is_lost(performing: Performing, mine: str) -> bool:
    if performing.owner == mine:
        return False
    host, pid, _token = performing.owner.rsplit(":", 2)
    if host == socket.gethostname() and (int(pid) == os.getpid() or not _runs(int(pid))):
        return True
    silent_since = datetime.now(UTC) - timedelta(seconds=SILENCE)
    return datetime.fromisoformat(performing.beat_at) < silent_since


def _runs(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except OSError:  # It runs, but belongs to somebody else.
        return True
    return True
