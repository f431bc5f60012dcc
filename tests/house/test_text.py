"""What stands in no file: where packages are fetched from, and where somebody's checkout lies."""

from __future__ import annotations

import json
import re

import pytest

from tests.house.repository import ROOT, files, texts

# Written in pieces, so that this file keeps its own rule.
REGISTRIES = re.compile(
    "|".join(
        re.escape(".".join(parts))
        for parts in (
            ("pypi", "org"),
            ("files", "pythonhosted", "org"),
            ("registry", "npmjs", "org"),
            ("registry", "yarnpkg", "com"),
            ("deb", "debian", "org"),
            ("crates", "io"),
            ("proxy", "golang", "org"),
        )
    )
)
PLACES = re.compile(r"(?<![\w.}~$*-])/(?:" + "|".join(("work", "root", "home", "tmp", "Users")) + r")/[\w.]")


def test_no_file_names_a_package_registry() -> None:
    assert found(REGISTRIES) == []


def test_no_file_names_a_place_on_one_machine() -> None:
    assert found(PLACES) == []


@pytest.mark.parametrize("name", ["requirements.lock", "requirements-dev.lock"])
def test_the_python_lock_names_versions_and_hashes_only(name: str) -> None:
    text = (ROOT / name).read_text(encoding="utf-8")
    assert "://" not in text
    assert "--index" not in text
    assert "--find-links" not in text
    pinned = re.findall(r"^[a-z0-9].*", text, re.MULTILINE)
    assert all("==" in line and line.endswith("\\") for line in pinned), "each pin is followed by its hashes"


def test_the_run_lock_and_the_test_lock_agree() -> None:
    run = pins((ROOT / "requirements.lock").read_text(encoding="utf-8"))
    dev = pins((ROOT / "requirements-dev.lock").read_text(encoding="utf-8"))
    assert run - dev == set()


def test_the_npm_lock_names_no_address() -> None:
    packages = json.loads((ROOT / "package-lock.json").read_text(encoding="utf-8"))["packages"]
    assert [name for name, entry in packages.items() if "resolved" in entry] == []
    assert [name for name, entry in packages.items() if name and "integrity" not in entry] == []


def test_nothing_set_up_is_committed() -> None:
    assert files("static/vendor", "node_modules", ".venv", "data") == []


def found(pattern: re.Pattern[str]) -> list[str]:
    return [
        f"{name}:{number}: {line.strip()}"
        for name, text in texts()
        for number, line in enumerate(text.splitlines(), start=1)
        if pattern.search(line)
    ]


def pins(text: str) -> set[str]:
    return set(re.findall(r"^([a-z0-9][^\s\\]*==[^\s\\]+)", text, re.MULTILINE))
