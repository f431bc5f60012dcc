"""A program at the API of a server of its own."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from liyuan.model.scripted import ScriptedModel
from tests.web.api.caller import Caller
from tests.web.browser import visiting
from tests.web.conftest import made


@pytest.fixture
async def api(tmp_path: Path, model: ScriptedModel) -> AsyncIterator[Caller]:
    app = made(tmp_path / "data", model)
    async with visiting(app) as client:
        yield Caller(client, app, model)
