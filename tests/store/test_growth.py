"""What an act costs does not grow with the story. Counted in SQLite's own steps, so no clock has a say in it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, TypeAlias

import pytest
from sqlalchemy import Connection, event

from benchmarks.workbench.forest import Story, grow, next_message, next_reply
from liyuan.domain.entry import Entry
from liyuan.store.branch import load_page, load_shown, load_variants
from liyuan.store.climb import is_above, parting
from liyuan.store.conversations import create, list_conversations, load_conversation
from liyuan.store.database import Database
from liyuan.store.journal import tip_below
from liyuan.store.migrate import migrate
from liyuan.store.moves import move
from liyuan.store.performances import begin, end
from liyuan.store.runs import finish, open_run, queue
from liyuan.store.tree import append, load_entry
from liyuan.store.worlds import snapshots_above

pytestmark = pytest.mark.slow

SHORT, LONG, FORKS = 104, 10_000, 300


class Steps:
    """Counts the steps of SQLite's virtual machine on every connection."""

    def __init__(self, database: Database) -> None:
        self.taken = 0
        event.listen(database.engine, "checkout", self._watch)

    def _watch(self, raw: Any, _record: object, _proxy: object) -> None:
        raw.set_progress_handler(self._count, 1)

    def _count(self) -> int:
        self.taken += 1
        return 0


@dataclass(frozen=True)
class Field:
    """A database with a short story, a long one, and one whose path has hundreds of forks; and many others beside."""

    database: Database
    steps: Steps
    short: Story
    long: Story
    forked: Story

    def cost(self, story: Story, act: Act) -> int:
        """The steps of an act, which is undone afterwards."""
        with self.database.writing_now() as connection:
            leaf = load_entry(connection, story.id, story.leaf)
            before = self.steps.taken
            act(connection, story, leaf)
            taken = self.steps.taken - before
            connection.rollback()
        return taken


Act: TypeAlias = Callable[[Connection, Story, Entry], object]


@pytest.fixture(scope="module")
def field(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Field]:
    database = Database(f"sqlite:///{tmp_path_factory.mktemp('growth') / 'liyuan.sqlite3'}")
    migrate(database)
    with database.writing_now() as connection:
        short = grow(connection, SHORT, forks=4, seed=1)
        for _ in range(300):
            create(connection, title="another")
        long = grow(connection, LONG, seed=2)
        forked = grow(connection, LONG, swipes=2, forks=FORKS, seed=3)
        for story in (short, long, forked):
            for reply in story.replies[-1000:]:
                finish(connection, queue(connection, story.id, reply).id, "done")
    yield Field(database, Steps(database), short, long, forked)
    database.close()


def say(connection: Connection, story: Story, leaf: Entry) -> None:
    append(connection, story.id, next_message(leaf.id), expected_leaf=leaf.id)


def play_a_turn(connection: Connection, story: Story, leaf: Entry) -> None:
    said = append(connection, story.id, next_message(leaf.id), expected_leaf=leaf.id)
    playing = begin(connection, story.id, "reply", parent_id=said.id, expected_leaf=said.id, owner="somebody")
    reply = next_reply(said.id)
    append(connection, story.id, reply, expected_leaf=said.id, performance_id=playing.id)
    queue(connection, story.id, reply.id)
    end(connection, playing.id)


def look_for_a_run(connection: Connection, story: Story, leaf: Entry) -> None:
    assert open_run(connection, story.id, [leaf.id]) is None


def turn_the_last_page(connection: Connection, story: Story, _leaf: Entry) -> None:
    assert len(load_page(connection, story.id).items) == 50


def turn_the_page_above(connection: Connection, story: Story, _leaf: Entry) -> None:
    assert load_page(connection, story.id, before=story.path[-51]).items


def turn_the_first_page(connection: Connection, story: Story, _leaf: Entry) -> None:
    assert load_page(connection, story.id, before=story.path[50]).prev is None


def show_one(connection: Connection, story: Story, _leaf: Entry) -> None:
    load_shown(connection, story.id, story.replies[1])


def open_the_story(connection: Connection, story: Story, _leaf: Entry) -> None:
    load_conversation(connection, story.id)


def read_the_world(connection: Connection, story: Story, leaf: Entry) -> None:
    next(snapshots_above(connection, story.id, leaf), None)


def look_along_the_shelf(connection: Connection, _story: Story, _leaf: Entry) -> None:
    list_conversations(connection, limit=10)


@pytest.mark.parametrize(
    "act",
    [
        say,
        play_a_turn,
        look_for_a_run,
        turn_the_last_page,
        turn_the_page_above,
        show_one,
        open_the_story,
        read_the_world,
        look_along_the_shelf,
    ],
)
@pytest.mark.parametrize("story", ["long", "forked"])
def test_it_takes_as_many_steps_in_a_long_story(field: Field, act: Act, story: str) -> None:
    short, long = field.cost(field.short, act), field.cost(getattr(field, story), act)
    assert long <= 1.1 * short


def ask_what_is_above(connection: Connection, story: Story, leaf: Entry) -> None:
    assert is_above(connection, load_entry(connection, story.id, story.path[0]), leaf)
    assert is_above(connection, load_entry(connection, story.id, story.path[len(story.path) // 2]), leaf)


def find_where_paths_part(connection: Connection, story: Story, leaf: Entry) -> None:
    assert parting(connection, leaf, a_variant(connection, story)).right is not None


def select_a_variant(connection: Connection, story: Story, leaf: Entry) -> None:
    variant = a_variant(connection, story)
    move(connection, story.id, tip_below(connection, variant, leaf), expected_leaf=leaf.id, cause="select")


def a_variant(connection: Connection, story: Story) -> Entry:
    """Another telling of a reply far up."""
    reply = load_entry(connection, story.id, story.replies[1])
    variants = load_variants(connection, story.id, [reply])[reply.id]
    return load_entry(connection, story.id, variants.ids[0])


@pytest.mark.parametrize("act", [ask_what_is_above, find_where_paths_part, select_a_variant])
@pytest.mark.parametrize("story", ["long", "forked"])
def test_climbing_takes_the_logarithm_of_the_depth(field: Field, act: Act, story: str) -> None:
    """A story a hundred times as long makes a climb about twice as long, and forks on the way no longer."""
    short, long = field.cost(field.short, act), field.cost(getattr(field, story), act)
    assert long <= 3 * short
