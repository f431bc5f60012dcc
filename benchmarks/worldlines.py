"""What do saves cost in a long story: planning one, going back to one, and the data of the picture?

A story of 100,000 entries on one path with 10, 100 and 1,000 saves, half of them along the path and half on branches
that leave from the first one. SQLite, in this process: medians of the thread's own time, so that a busy machine does
not count; going back is durable and told by the clock. Planning must stay under a millisecond.
"""

from __future__ import annotations

import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from statistics import median
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from sqlalchemy import update  # noqa: E402

from liyuan.domain.entry import ASSISTANT, SAVE, USER, ConversationId, Draft, EntryId  # noqa: E402
from liyuan.domain.saves import Plan, save_data  # noqa: E402
from liyuan.play.worldlines import load_comparison, load_picture, load_preview  # noqa: E402
from liyuan.store.conversations import create  # noqa: E402
from liyuan.store.database import Database, now  # noqa: E402
from liyuan.store.migrate import migrate  # noqa: E402
from liyuan.store.moves import move  # noqa: E402
from liyuan.store.planting import plant  # noqa: E402
from liyuan.store.saves import load_plan  # noqa: E402
from liyuan.store.tables import saves  # noqa: E402
from liyuan.store.tree import load_entry  # noqa: E402

LENGTH = 100_000
SAVES = (10, 100, 1_000)
TIMES = 60
AT = "2026-01-31T12:00:00.000Z"
NONE = Plan("first", None)


def grown(number: int, stem: str) -> Iterator[Draft]:
    """A path of `LENGTH` entries with half of the saves on it, then as many branches that each end in a save."""
    along = number // 2
    every = LENGTH // along
    first = parent = None
    for index in range(LENGTH):
        key = EntryId(f"{stem}-{index:06d}")
        if index % every == every - 1 or index == 1:
            yield saved(key, parent, f"{stem}-main")
            first = first or key
        else:
            yield Draft(id=key, parent_id=parent, role=(ASSISTANT, USER)[index % 2], text="words", created_at=AT)
        parent = key
    for index in range(number - along):
        key = EntryId(f"{stem}-b{index:04d}")
        yield Draft(id=key, parent_id=first, role=USER, text="another way", created_at=AT)
        yield saved(EntryId(f"{key}-s"), key, f"{stem}-line-{index}")


def saved(key: EntryId, parent: EntryId | None, line: str) -> Draft:
    data = save_data(save_id=key, name=key, worldline_id=line, worldline_name=line, made=NONE)
    return Draft(id=key, parent_id=parent, kind=SAVE, data=data, created_at=AT)


def took(work: Callable[[], Any], times: int = TIMES, clock: Callable[[], float] = time.thread_time) -> float:
    """Milliseconds, the median."""
    spent = []
    for _ in range(times):
        start = clock()
        work()
        spent.append((clock() - start) * 1000)
    return median(spent)


class Measured:
    """One grown story, open."""

    def __init__(self, database: Database, number: int) -> None:
        self.database = database
        stem = f"n{number}"
        drafts = list(grown(number, stem))
        with database.writing_now() as connection:
            self.id: ConversationId = create(connection, title=stem).id
            self.leaf = EntryId(f"{stem}-{LENGTH - 1:06d}")
            plant(connection, self.id, drafts, leaf=self.leaf)
        self.first = EntryId(f"{stem}-000001")
        self.beside = EntryId(f"{stem}-b0000-s")

    def plan_at(self, key: EntryId) -> tuple[float, str]:
        with self.database.reading_now() as connection:
            leaf = load_entry(connection, self.id, key)
            return took(lambda: load_plan(connection, leaf)), load_plan(connection, leaf).kind

    def restores(self) -> float:
        """There and back, each move durable."""
        here, there = self.leaf, self.beside

        def both() -> None:
            for start, goal in ((here, there), (there, here)):
                with self.database.writing_now() as connection:
                    move(connection, self.id, goal, expected_leaf=start, cause="load")

        return took(both, TIMES // 3, time.perf_counter) / 2

    def reads(self, work: Callable[..., Any], *more: Any) -> float:
        with self.database.reading_now() as connection:
            return took(lambda: work(connection, self.id, *more), TIMES // 3)

    def delete_all_but_the_first(self) -> None:
        """The worst there is: every save must be passed to find that none lives."""
        others = (saves.c.conversation_id == self.id) & (saves.c.entry_id != self.first)
        with self.database.writing_now() as connection:
            connection.execute(update(saves).where(others).values(deleted_at=now()))


def main() -> None:
    print(f"{LENGTH:,} entries on the path; milliseconds\n")
    heads = ("saves", "plan: end", "plan: first", "all deleted", "restore", "picture", "preview", "compare")
    print(" ".join(f"{head:>12}" for head in heads))
    worst = 0.0
    for number in SAVES:
        with tempfile.TemporaryDirectory() as folder:
            database = Database(f"sqlite:///{folder}/liyuan.sqlite3")
            migrate(database)
            story = Measured(database, number)
            end, at_end = story.plan_at(story.leaf)
            first, at_first = story.plan_at(story.first)
            assert (at_end, at_first) == ("sameLine", "fork"), (at_end, at_first)
            restore = story.restores()
            picture = story.reads(load_picture)
            preview = story.reads(load_preview, story.beside)
            compare = story.reads(load_comparison, story.first, story.beside)
            story.delete_all_but_the_first()
            deleted, kind = story.plan_at(story.leaf)
            assert kind == "sameLine", kind
            database.close()
        figures = (end, first, deleted, restore, picture, preview, compare)
        print(f"{number:>12,} " + " ".join(f"{figure:>12.2f}" for figure in figures))
        worst = max(worst, end, first)
    print(f"\nplanning, the slowest: {worst:.2f} ms (target < 1 ms); “all deleted” passes every save that ever was")


if __name__ == "__main__":
    main()
