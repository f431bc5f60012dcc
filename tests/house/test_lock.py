"""The lock holds what `pyproject.toml` asks for, in a version it allows."""

from __future__ import annotations

import re
import tomllib

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from tests.house.repository import ROOT

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
RUN = PROJECT["project"]["dependencies"]
DEV = [asked for asked in PROJECT["dependency-groups"]["dev"] if isinstance(asked, str)]


def pinned(name: str) -> dict[str, list[str]]:
    """Package to its versions; there are several where Pythons or systems differ."""
    found: dict[str, list[str]] = {}
    for package, version in re.findall(r"^([^\s=]+)==([^\s;\\\\]+)", (ROOT / name).read_text("utf-8"), re.MULTILINE):
        found.setdefault(canonicalize_name(package.split("[")[0]), []).append(version)
    return found


@pytest.mark.parametrize(
    ("asked", "lock"),
    [(asked, "requirements.lock") for asked in RUN] + [(asked, "requirements-dev.lock") for asked in RUN + DEV],
)
def test_what_is_asked_for_is_locked(asked: str, lock: str) -> None:
    wanted = Requirement(asked)
    versions = pinned(lock).get(canonicalize_name(wanted.name), [])
    assert versions, "run `make lock`"
    assert all(wanted.specifier.contains(version) for version in versions)
