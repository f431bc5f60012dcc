"""What the tree costs as a story grows: in the store, over HTTP, and beside peers, in one run.

python benchmarks/tree.py                  everything; some minutes
python benchmarks/tree.py --quick          without peers and without the longest stories
"""

from __future__ import annotations

import argparse
import itertools
import json
import sqlite3
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from statistics import median

from workbench.clock import Timed, timed
from workbench.forest import Story, grow, next_message, next_reply
from workbench.house import House, open_house
from workbench.peers import Missing, langgraph, pi
from workbench.player import Player, Turn, fetch
from workbench.prompter import prompting
from workbench.table import Table, machine, ms, ratio, verdict

from liyuan.domain.entry import EntryId
from liyuan.play.swipe import _choose
from liyuan.store.branch import active_leaf, load_page, load_variants
from liyuan.store.climb import is_above
from liyuan.store.conversations import load_conversation
from liyuan.store.database import Database
from liyuan.store.migrate import migrate
from liyuan.store.tree import append, load_entry
from liyuan.store.worlds import snapshots_above

FORKS = 1_000
TIMES = 200
TURNS, WARM = 23, 3
LANGGRAPH_TURNS = 1_000
PEER_COLUMNS = ("", "liyuan", "peer", "times", "target", "")
SILLYTAVERN = "SillyTavern 127–164 ms, with 3 swipes each 400 ms (numbers.md, as given there; not run here)"


@dataclass(frozen=True)
class Act:
    """Something timed. `target` is the most seconds it may take at any size, `growth` the most beside the smallest."""

    name: str
    make: Callable[[Database, Story], Callable[[], object]]
    target: float | None = None
    growth: float | None = None
    is_durable: bool = False


def say_and_hear(database: Database, story: Story) -> Callable[[], object]:
    """One entry appended, the reader's and the model's in turn."""
    with database.reading_now() as connection:
        leaf = active_leaf(connection, story.id)
    makers = itertools.cycle((next_message, next_reply))

    def act() -> None:
        nonlocal leaf
        assert leaf is not None
        with database.writing_now() as connection:
            leaf = append(connection, story.id, next(makers)(leaf), expected_leaf=leaf).id

    return act


def open_it(database: Database, story: Story) -> Callable[[], object]:
    def act() -> None:
        with database.reading_now() as connection:
            load_conversation(connection, story.id)
            assert load_page(connection, story.id).items

    return act


def page_above(database: Database, story: Story) -> Callable[[], object]:
    middle = story.path[len(story.path) // 2 + 26]

    def act() -> None:
        with database.reading_now() as connection:
            assert load_page(connection, story.id, before=middle).items

    return act


def select(database: Database, story: Story, at: float) -> Callable[[], object]:
    """Another telling of a reply, chosen as the page does it, each time another one."""
    reply = story.replies[int((len(story.replies) - 1) * at)]
    with database.reading_now() as connection:
        leaf: EntryId | None = story.leaf
        variants = load_variants(connection, story.id, [load_entry(connection, story.id, reply)])[reply].ids
    turns = itertools.cycle(variants)

    def act() -> None:
        nonlocal leaf
        with database.writing_now() as connection:
            leaf = _choose(connection, story.id, next(turns), leaf).leaf_id

    return act


def select_near(database: Database, story: Story) -> Callable[[], object]:
    trunk = max((len(story.replies) - 1 - FORKS) / (len(story.replies) - 1), 0.5)
    return select(database, story, trunk)


def select_far(database: Database, story: Story) -> Callable[[], object]:
    return select(database, story, 0.02)


def world(database: Database, story: Story) -> Callable[[], object]:
    def act() -> None:
        with database.reading_now() as connection:
            next(snapshots_above(connection, story.id, load_entry(connection, story.id, story.leaf)))

    return act


def above(database: Database, story: Story) -> Callable[[], object]:
    with database.reading_now() as connection:
        leaf, root = (load_entry(connection, story.id, key) for key in (story.leaf, story.path[0]))

    def act() -> None:
        with database.reading_now() as connection:
            assert is_above(connection, root, leaf)

    return act


STORE = (
    Act("open: last 50 with variants", open_it, growth=1.3),
    Act("50 entries from the middle", page_above, growth=1.3),
    Act("world at the leaf", world, 0.0015, 1.5),
    Act("is the opening above the leaf", above, 0.0015, 1.5),
    Act("select a variant near the end*", select_near, 0.0015, 1.5, is_durable=True),
    Act("select a variant at the beginning*", select_far, 0.0015, 1.5, is_durable=True),
    Act("append*", say_and_hear, is_durable=True),
)


def in_the_store(lengths: list[int], folder: Path) -> None:
    database = Database(f"sqlite:///{folder / 'store.sqlite3'}")
    migrate(database)
    stories = list(_stories(database, lengths))
    names = [f"{len(story.path):,}" + (f" +{forks:,} forks" if forks else "") for story, forks in stories]
    table = Table(
        "In the store, by entries on the path (each reply has 3 variants); wall (processor) in ms",
        ["act", *names, "largest / smallest", "target", ""],
    )
    for act in STORE:
        bare, *took = timed([bare_write(folder), *(act.make(database, story) for story, _ in stories)], TIMES)
        cells = (f"{ms(one.median)} ({ms(one.processor)})" for one in took)
        table.row(act.name, *cells, *_judged(act, took, bare.median if act.is_durable else 0))
    table.note(
        "* durable when it returns (WAL, synchronous=FULL, a real file). A bare write of one row by sqlite3 took"
    )
    table.note(
        f"  {ms(bare.median)} ms in the same turns; it is the disk's, and taken off before the target is looked at."
    )
    table.note(f"Entries in all: {', '.join(f'{story.entries:,}' for story, _ in stories)}.")
    table.show()
    database.close()


def _stories(database: Database, lengths: list[int]) -> Iterator[tuple[Story, int]]:
    seeds = itertools.count(1)
    for length in lengths:
        with database.writing_now() as connection:
            story = grow(connection, length, seed=next(seeds))
        yield story, 0
    with database.writing_now() as connection:
        story = grow(connection, lengths[-1], forks=FORKS, seed=next(seeds))
    yield story, FORKS


def bare_write(folder: Path) -> Callable[[], object]:
    """What the disk takes for any durable write, with no code of ours."""
    raw = sqlite3.connect(folder / "bare.sqlite3", isolation_level=None)
    for statement in ("PRAGMA journal_mode=WAL", "PRAGMA synchronous=FULL", "CREATE TABLE IF NOT EXISTS rows (n)"):
        raw.execute(statement)
    return lambda: raw.execute("INSERT INTO rows VALUES (1)")


def _judged(act: Act, took: list[Timed], disk: float) -> tuple[str, str, str]:
    """The growth by the processor's clock: what a disk or a neighbour adds to a wall clock is not ours."""
    smallest, largest = took[0].processor, max(one.processor for one in took[1:])
    wanted = [f"≤ {ms(act.target)} ms"] if act.target else []
    wanted += [f"×{act.growth}"] if act.growth else []
    fits = [verdict(max(one.median for one in took) - disk, act.target)] if act.target else []
    fits += [verdict(largest / smallest, act.growth)] if act.growth else []
    return ratio(largest, smallest), ", ".join(wanted), " ".join(fits)


# --- over HTTP -----------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Http:
    """What one story costs over HTTP, in seconds."""

    length: int
    json_page: float
    html_page: float
    packed_page: float
    words_safe: float
    turn: float


def over_http(lengths: list[int], folder: Path) -> list[Http]:
    database = Database(f"sqlite:///{folder / 'liyuan.sqlite3'}")
    migrate(database)
    stories = [story for story, forks in _stories(database, lengths) if not forks]
    database.close()
    with prompting() as model, open_house(folder, **model_settings(model, "story-0-1")) as house:
        figures = _measured(house, stories)
    table = Table(
        "Over HTTP on loopback, one caller, wall in ms",
        ["act", *(f"{one.length:,}" for one in figures), "largest / smallest", "target", ""],
    )
    rows: list[tuple[str, Callable[[Http], float], float | None, float | None]] = [
        ("page as JSON (last 50)", lambda one: one.json_page, None, None),
        ("page as HTML (last 50)", lambda one: one.html_page, 0.006, 1.3),
        ("page as HTML, gzip", lambda one: one.packed_page, None, None),
        ("words sent until they are safe*", lambda one: one.words_safe, 0.005, None),
        ("whole turn, instant model*", lambda one: one.turn, None, None),
    ]
    for name, of, most, growth in rows:
        took = [of(one) for one in figures]
        wanted = ([f"≤ {ms(most)} ms"] if most else []) + ([f"×{growth}"] if growth else [])
        largest, smallest = took[-1], took[0]
        fits = [verdict(max(took), most)] if most else []
        fits += [verdict(largest / smallest, growth)] if growth else []
        table.row(name, *map(ms, took), ratio(largest, smallest), ", ".join(wanted), " ".join(fits))
    table.note("* durable. 5 ms is 80 times less than the 400 ms of the comparison below.")
    table.note(f"Add one message at 10,000 messages: {SILLYTAVERN}.")
    table.show()
    return figures


def model_settings(url: str, name: str) -> dict[str, object]:
    """The prompter plays; nothing is summarised, so that a prompt stays as long as it is."""
    return {
        "model_base_url": url,
        "model_name": name,
        "scribe_model_name": "scribe",
        "summary_model_name": "scribe",
        "compact_every_turns": 0,
        "compact_at": 1,
        "settle_wait": 0,
    }


def _measured(house: House, stories: list[Story]) -> list[Http]:
    house.wait_until_quiet()
    caller, packed = house.caller(), {"accept-encoding": "gzip"}
    branches = [f"/api/v1/conversations/{story.id}/branch" for story in stories]
    pages = [f"/stories/{story.id}" for story in stories]
    ways = ([(path, None) for path in branches], [(path, None) for path in pages], [(path, packed) for path in pages])
    took = [timed([partial(fetch, caller, *ask) for ask in asks], 100) for asks in ways]
    players = [Player(house, story.id) for story in stories]
    turns: list[list[Turn]] = [[] for _ in stories]
    for _ in range(TURNS):
        for player, played in zip(players, turns, strict=True):
            played.append(player.turn("“Who else knows of this?”"))
            player.rest()
    return [
        Http(
            length=len(story.path),
            json_page=took[0][at].median,
            html_page=took[1][at].median,
            packed_page=took[2][at].median,
            words_safe=median(turn.safe for turn in turns[at][WARM:]),
            turn=median(turn.whole for turn in turns[at][WARM:]),
        )
        for at, story in enumerate(stories)
    ]


# --- beside peers --------------------------------------------------------------------------------------------------


def beside_langgraph(folder: Path) -> None:
    """A turn at the end of a thousand, by the store's own door, over HTTP, and by LangGraph."""
    ours = folder / "turns"
    with prompting() as model, open_house(ours, **model_settings(model, "story-0-1")) as house:
        player = Player(house, conversation_of(house))
        for _ in range(LANGGRAPH_TURNS):
            player.turn("“Who else knows of this?”")
        player.rest()
        turns = [player.turn("“Who else knows of this?”").whole for _ in range(15)]
    size = sum(path.stat().st_size for path in ours.glob("liyuan.sqlite3*"))
    table = Table(f"One turn after {LANGGRAPH_TURNS:,} turns, the model taking no time", PEER_COLUMNS)
    try:
        theirs = langgraph(LANGGRAPH_TURNS)
    except Missing as why:
        table.note(f"LangGraph could not be had here: {why}")
        table.row("a turn, whole, over HTTP (ms)", ms(median(turns)), "–", "–", "≥ ×40", "")
    else:
        faster, smaller = theirs["turn"] / median(turns), theirs["bytes"] / size
        both = (ms(median(turns)), ms(theirs["turn"]), f"×{faster:.0f}")
        table.row("a turn, whole, over HTTP (ms)", *both, "≥ ×40", verdict(faster, 40, at_least=True))
        sizes = (f"{size / 1e6:.1f}", f"{theirs['bytes'] / 1e6:.0f}", f"×{smaller:.0f}")
        table.row("on disk (MB)", *sizes, "≥ ×200", verdict(smaller, 200, at_least=True))
        table.note(
            f"LangGraph's first turns took {ms(theirs['first'])} ms; it opens the story in {ms(theirs['open'])}."
        )
        table.note("LangGraph is called in its own process; ours has HTTP, a model server and two commits in it.")
    table.show()


def beside_pi(pages: list[Http]) -> None:
    table = Table("Opening a story beside pi's session manager, in ms", PEER_COLUMNS)
    try:
        theirs = pi([page.length for page in pages])
    except Missing as why:
        table.note(f"pi could not be had here: {why}")
        theirs = {}
    for page in pages:
        took = theirs.get(str(page.length))
        if took is None:
            table.row(f"{page.length:,} entries", ms(page.html_page), "–", "–", "", "")
            continue
        faster = took / page.html_page
        wanted = ("≥ ×200", verdict(faster, 200, at_least=True)) if page.length == 100_000 else ("", "")
        table.row(f"{page.length:,} entries", ms(page.html_page), ms(took), f"×{faster:.1f}", *wanted)
    table.note(
        "Ours: the whole page as HTML over HTTP, with variants. pi: the file read, and the messages for the model."
    )
    table.show()


def conversation_of(house: House) -> str:
    """A new story without a character."""
    caller = house.caller()
    caller.request("POST", "/api/v1/conversations", "{}", {"content-type": "application/json"})
    made = json.loads(caller.getresponse().read())
    return str(made["id"])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true", help="no peers, no story of 100,000 entries")
    chosen = parser.parse_args()
    lengths = [100, 1_000, 10_000] + [100_000] * (not chosen.quick)
    print(machine())
    with tempfile.TemporaryDirectory() as folder:
        in_the_store(lengths, Path(folder))
        pages = over_http(lengths, Path(folder))
        if not chosen.quick:
            beside_pi(pages)
            beside_langgraph(Path(folder))


if __name__ == "__main__":
    main()
