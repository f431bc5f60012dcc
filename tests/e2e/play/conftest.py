"""A house where the test speaks the model's lines, and a page of a story in it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.e2e.conftest import Visit
from tests.e2e.evening import Evening, open_story
from tests.e2e.house import House, serving
from tests.e2e.prompter import Prompter


@pytest.fixture
def prompter() -> Prompter:
    return Prompter()


@pytest.fixture
def house(tmp_path: Path, prompter: Prompter) -> Iterator[House]:
    with serving(tmp_path / "data", prompter, settle_wait=0) as house:
        yield house


@pytest.fixture
def evening(visit: Visit, house: House) -> Evening:
    """A desktop page of a story that has just been opened."""
    story_id = open_story(house)
    return Evening(visit(f"/stories/{story_id}"), story_id)


@pytest.fixture
def phone(visit: Visit, house: House) -> Evening:
    """The same on a phone."""
    story_id = open_story(house)
    return Evening(visit(f"/stories/{story_id}", phone=True), story_id)
