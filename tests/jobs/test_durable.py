"""Semantics §4, durable runs: a run outlives the process that began it, and two processes share the work."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from sqlalchemy import select

from liyuan.domain.entry import STATE
from liyuan.store.database import Database
from liyuan.store.tables import entries, runs
from liyuan.store.verify import verify

pytestmark = pytest.mark.slow
PROGRAM = Path(__file__).with_name("liyuan_process.py")
ROOT = PROGRAM.parents[2]


def process(folder: Path, port: int, act: str, seconds: float) -> subprocess.Popen[str]:
    command = [sys.executable, "-u", str(PROGRAM), str(folder), str(port), act, str(seconds)]
    environment = {"PYTHONPATH": str(ROOT), "PATH": ""}
    return subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment, cwd=ROOT)


def read_until(running: subprocess.Popen[str], word: str) -> list[str]:
    assert running.stdout is not None
    said = []
    for line in running.stdout:
        said.append(line.strip())
        if said[-1] == word:
            return said
    raise AssertionError(f"the process ended before it said {word!r}: {said}")


def booked(folder: Path) -> tuple[list[str], int, list[object]]:
    """States of the runs, number of snapshots, faults."""
    database = Database(f"sqlite:///{folder / 'liyuan.sqlite3'}")
    with database.reading_now() as connection:
        states = list(connection.execute(select(runs.c.state)).scalars())
        snapshots = connection.execute(select(entries.c.id).where(entries.c.kind == STATE)).all()
        faults: list[object] = list(verify(connection))
    database.close()
    return states, len(snapshots), faults


def test_a_run_is_carried_out_through_the_durable_queue(tmp_path: Path) -> None:
    with process(tmp_path, 7001, "play", 0.1) as playing:
        read_until(playing, "done")
    assert playing.returncode == 0
    assert booked(tmp_path) == (["done"], 1, [])


@pytest.mark.parametrize("word", ["asked", "said"], ids=["while the scribe writes", "before the queue is awake"])
def test_a_run_whose_process_was_killed_is_taken_up_after_the_restart(tmp_path: Path, word: str) -> None:
    with process(tmp_path, 7002, "play", 60) as playing:
        read_until(playing, word)
        playing.kill()
    assert booked(tmp_path)[0] == ["running" if word == "asked" else "queued"]
    with process(tmp_path, 7002, "work", 0.1) as again:
        read_until(again, "done")
    assert again.returncode == 0
    assert booked(tmp_path) == (["done"], 1, [])


def test_two_processes_on_one_database_book_every_turn_once(tmp_path: Path) -> None:
    with process(tmp_path, 7004, "play", 0.2) as first:
        read_until(first, "said")
        with process(tmp_path, 7005, "play", 0.2) as second:
            read_until(first, "done")
            read_until(second, "done")
    assert (first.returncode, second.returncode) == (0, 0)
    states, snapshots, faults = booked(tmp_path)
    assert (sorted(states), snapshots, faults) == (["done", "done"], 2, [])
