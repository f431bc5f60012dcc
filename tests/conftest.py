"""What every test may ask for. Databases are real and thrown away; nothing is patched."""

from __future__ import annotations

import os
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest
from hypothesis import settings

from liyuan.model.scripted import ScriptedModel
from liyuan.resources import Resources
from liyuan.store.database import Database
from liyuan.store.migrate import migrate
from tests.tale import Tale, new_tale, theatre

# No example is timed. In CI the same examples are drawn each time, so that a red run means a change.
settings.register_profile("house", deadline=None)
settings.load_profile("ci" if os.environ.get("CI") else "house")


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Browser tests are marked by where they lie, and come last: Playwright leaves no room for another event loop."""
    browser = Path(__file__).parent / "e2e"
    for item in items:
        if item.path.is_relative_to(browser):
            item.add_marker(pytest.mark.e2e)
    items.sort(key=lambda item: item.path.is_relative_to(browser))


@pytest.fixture
def database(tmp_path: Path) -> Iterator[Database]:
    """A migrated SQLite database of this test's own."""
    made = Database(f"sqlite:///{tmp_path / 'liyuan.sqlite3'}")
    migrate(made)
    yield made
    made.close()


@pytest.fixture
def model() -> ScriptedModel:
    """The model that plays in `tale`. Queue replies with `enqueue`."""
    return ScriptedModel()


@pytest.fixture
async def resources(tmp_path: Path, model: ScriptedModel) -> AsyncIterator[Resources]:
    """Everything open, on a folder of this test's own."""
    async with theatre(tmp_path / "data", model) as opened:
        yield opened


@pytest.fixture
async def tale(resources: Resources, model: ScriptedModel) -> Tale:
    """A story at its greeting, "Good evening."."""
    return await new_tale(resources, model)
