"""A story whose turns are accounted for by a scripted scribe and a scripted summary."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from liyuan.jobs.worker import Worker
from liyuan.model.scripted import ScriptedModel
from tests.tale import Tale, new_tale, theatre


@pytest.fixture
def worker() -> Worker:
    return Worker()


@pytest.fixture
async def booked(tmp_path: Path, model: ScriptedModel, worker: Worker) -> AsyncIterator[Tale]:
    """A story whose turns are booked by a scripted scribe."""
    async with theatre(tmp_path / "booked", model, worker=worker, settle_wait=10) as resources:
        await worker.open(resources)
        yield await new_tale(resources, model)
        await worker.close()
