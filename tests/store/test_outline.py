"""The shape of a tree, run by run, without what was deleted."""

from __future__ import annotations

import pytest

from liyuan.domain.conversation_file import Cut
from liyuan.domain.entry import ConversationId, EntryId
from liyuan.domain.errors import NotFound
from liyuan.store.conversations import create
from liyuan.store.database import Database
from liyuan.store.outline import Outline, load_outline
from liyuan.store.planting import plant
from tests.conversation_files import AT, message, reply

TREE = (
    reply("g", None),
    message("u", "g"),
    reply("a", "u"),
    message("v", "a"),
    reply("b", "u"),
    message("w", "b"),
    reply("c", "w"),
    message("x", "c"),
    reply("g2", None),
)


def outline(database: Database, *cuts: str) -> Outline:
    with database.writing_now() as connection:
        tale = create(connection).id
        pruned = [Cut(entry_id=EntryId(cut), at=AT) for cut in cuts]
        plant(connection, tale, TREE, leaf=EntryId("g"), cuts=pruned)
        return load_outline(connection, tale)


def shape(found: Outline) -> list[tuple[str | None, str, str, int]]:
    return [(run.parent_entry_id, run.first_id, run.last_id, run.length) for run in found.runs]


def test_every_run_tells_where_it_grew_from(database: Database) -> None:
    found = outline(database)
    assert shape(found) == [(None, "g", "x", 6), (None, "g2", "g2", 1), ("u", "a", "v", 2)]
    assert found.leaf_id == "g"


def test_a_run_ends_above_what_was_deleted(database: Database) -> None:
    assert shape(outline(database, "w", "x")) == [(None, "g", "b", 3), (None, "g2", "g2", 1), ("u", "a", "v", 2)]


@pytest.mark.parametrize(
    ("cuts", "left"),
    [
        (["u"], [(None, "g", "g", 1), (None, "g2", "g2", 1)]),
        (["a", "g2"], [(None, "g", "x", 6)]),
        (["g"], [(None, "g2", "g2", 1)]),
    ],
)
def test_what_hangs_on_a_deleted_entry_is_out_of_sight(database: Database, cuts: list[str], left: list[object]) -> None:
    assert shape(outline(database, *cuts)) == left


def test_an_empty_story_has_no_runs(database: Database) -> None:
    with database.writing_now() as connection:
        assert load_outline(connection, create(connection).id) == Outline((), None)
        with pytest.raises(NotFound):
            load_outline(connection, ConversationId("nobody"))
