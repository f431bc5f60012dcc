"""The scripts of the pages: a module runs once on a page, and imports only what is there."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.house.repository import ROOT, files

SCRIPTS = ROOT / "static/js"
LAYOUT = (ROOT / "templates/layout.html").read_text(encoding="utf-8")
PAGES = files("templates/pages/*.html")

ENTRY = re.compile(r"static\('js/([\w-]+\.js)'\)")
IMPORT = re.compile(r"""^import\b[^"']*["']\./([\w-]+\.js)["']""", re.MULTILINE)


def imported(name: str) -> set[str]:
    """Everything that a script imports, and what that imports."""
    found: set[str] = set()
    waiting = [name]
    while waiting:
        more = set(IMPORT.findall((SCRIPTS / waiting.pop()).read_text(encoding="utf-8"))) - found
        found |= more
        waiting.extend(more)
    return found


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_no_script_of_a_page_is_imported_by_another(page: Path) -> None:
    """A page names a script with the hash of its content, an import without it: the browser would run both."""
    named = {*ENTRY.findall(LAYOUT), *ENTRY.findall(page.read_text(encoding="utf-8"))}
    assert named & {other for name in named for other in imported(name)} == set()


def test_every_script_is_used() -> None:
    named = {name for path in files("templates/*.html") for name in ENTRY.findall(path.read_text(encoding="utf-8"))}
    used = named | {other for name in named for other in imported(name)}
    assert {path.name for path in files("static/js/*.js")} - used == set()


def test_nothing_that_a_page_loads_runs_code_from_text() -> None:
    """The policy forbids it, and htmx attributes that hold script would fail without a word."""
    wanted = re.compile(
        r"""hx-on[:=]|hx-trigger="[^"]*\[|hx-vals=["']js:|\bonclick=|javascript:|<style\b|\bstyle=""", re.IGNORECASE
    )
    found = [path.name for path in files("templates/*.html") if wanted.search(path.read_text(encoding="utf-8"))]
    assert found == []
