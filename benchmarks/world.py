"""What is true at a leaf, and what it costs to be elsewhere: reading the world and switching branches as a story grows.

python benchmarks/world.py                 stories of 100, 10,000 and 100,000 entries, three tellings of each reply
"""

from __future__ import annotations

import itertools
import tempfile
from collections.abc import Callable
from pathlib import Path

from workbench.clock import timed
from workbench.forest import Story, grow
from workbench.table import Table, machine, ms, ratio, verdict

from liyuan.domain.entry import EntryId
from liyuan.play.swipe import _choose
from liyuan.play.world import load_ledger
from liyuan.store.branch import load_variants
from liyuan.store.database import Database
from liyuan.store.migrate import migrate
from liyuan.store.tree import load_entry
from liyuan.store.unread import load_unread
from liyuan.store.worlds import snapshots_above

SIZES = (100, 10_000, 100_000)
TIMES = 200
# Seconds, and the most a figure may grow from the shortest story to the longest (numbers.md).
TARGET, GROWTH = 0.0015, 1.5


def snapshot(database: Database, story: Story) -> Callable[[], object]:
    """The stored world nearest above the leaf, as JSON: by pointer, one indexed read."""

    def act() -> None:
        with database.reading_now() as connection:
            leaf = load_entry(connection, story.id, story.leaf)
            assert next(snapshots_above(connection, story.id, leaf)).data

    return act


def ledger(database: Database, story: Story) -> Callable[[], object]:
    """The whole ledger as the panel shows it: cast, card, world, all read and checked."""

    def act() -> None:
        with database.reading_now() as connection:
            assert load_ledger(connection, story.id).standing.entry_id

    return act


def unread(database: Database, story: Story) -> Callable[[], object]:
    """What the scribe would read now: the messages since the last snapshot."""

    def act() -> None:
        with database.reading_now() as connection:
            load_unread(connection, story.id, story.leaf)

    return act


def switch(database: Database, story: Story) -> Callable[[], object]:
    """Another telling in the middle of the story chosen, durably, and its world read: what a swipe back costs."""
    reply = story.replies[len(story.replies) // 2]
    with database.reading_now() as connection:
        variants = load_variants(connection, story.id, [load_entry(connection, story.id, reply)])[reply].ids
    turns = itertools.cycle(variants)
    leaf: EntryId | None = story.leaf

    def act() -> None:
        nonlocal leaf
        with database.writing_now() as connection:
            leaf = _choose(connection, story.id, next(turns), leaf).leaf_id
        with database.reading_now() as connection:
            load_ledger(connection, story.id)

    return act


ACTS = (
    ("the snapshot in force at the leaf", snapshot, TARGET),
    ("the ledger at the leaf, whole", ledger, None),
    ("what the scribe has not read", unread, None),
    ("switch to another telling, and its ledger", switch, None),
)


def main() -> None:
    print(machine())
    table = Table(
        "The world, in milliseconds (medians)", ("", *(f"{size:,}" for size in SIZES), "growth", "target", "")
    )
    with tempfile.TemporaryDirectory() as folder:
        database = Database(f"sqlite:///{Path(folder) / 'liyuan.sqlite3'}")
        migrate(database)
        with database.writing_now() as connection:
            stories = [grow(connection, size, seed=size) for size in SIZES]
        for name, make, target in ACTS:
            figures = [one.median for one in timed([make(database, story) for story in stories], TIMES)]
            grown = figures[-1] / figures[0]
            met = verdict(grown, GROWTH) if target is None else verdict(max(figures[-1] / target, grown / GROWTH), 1.0)
            wish = f"≤ {ms(target)}, growth ≤ {GROWTH}" if target else f"growth ≤ {GROWTH}"
            table.row(name, *map(ms, figures), ratio(figures[-1], figures[0]), wish, met)
        database.close()
    table.show()


if __name__ == "__main__":
    main()
