"""What planning a save costs depends neither on the story's length nor on the saves beside the path."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from liyuan.domain.entry import SAVE, ConversationId, Draft, EntryId
from liyuan.store.conversations import create
from liyuan.store.database import Database
from liyuan.store.planting import plant
from liyuan.store.saves import load_plan
from liyuan.store.tree import load_entry
from tests.conversation_files import message
from tests.store.test_growth import Steps


def story(length: int, beside: int, stem: str) -> Iterator[Draft]:
    """A path with one save near its top, and as many saves beside it, each after a message of its own."""
    parent = None
    for index in range(length):
        draft = message(f"{stem}{index}", parent) if index != 1 else saved(f"{stem}{index}", parent)
        yield draft
        parent = draft.id
    for index in range(beside):
        yield message(f"{stem}b{index}", f"{stem}1")
        yield saved(f"{stem}s{index}", f"{stem}b{index}")


def saved(key: str, parent: str | None) -> Draft:
    return Draft(id=EntryId(key), parent_id=EntryId(str(parent)), kind=SAVE)


def cost(database: Database, length: int, beside: int, stem: str) -> int:
    drafts = list(story(length, beside, stem))
    with database.writing_now() as connection:
        tale: ConversationId = create(connection).id
        plant(connection, tale, drafts, leaf=drafts[length - 1].id)
    steps = Steps(database)
    with database.writing_now() as connection:
        leaf = load_entry(connection, tale, drafts[length - 1].id)
        before = steps.taken
        assert load_plan(connection, leaf).kind == "fork"
        return steps.taken - before


@pytest.mark.slow
def test_planning_takes_as_many_steps_with_500_saves_off_the_branch(database: Database) -> None:
    small = cost(database, 20, 5, "a")
    assert cost(database, 5_000, 500, "c") <= 1.2 * small
