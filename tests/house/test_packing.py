"""What `pip install .` brings: the package and, inside it, everything its pages and its database need."""

from __future__ import annotations

import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from liyuan.assets import locales_dir, migrations_dir, static_dir, templates_dir
from tests.house.repository import ROOT, files


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    target = tmp_path_factory.mktemp("wheel")
    subprocess.run(
        [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(target)],
        cwd=ROOT,
        check=True,
        capture_output=True,
    )
    (made,) = target.glob("liyuan-*.whl")
    return made


@pytest.fixture(scope="module")
def packed(wheel: Path) -> set[str]:
    with zipfile.ZipFile(wheel) as archive:
        return set(archive.namelist())


def test_the_wheel_holds_every_file_of_the_package(packed: set[str]) -> None:
    ours = {str(path.relative_to(ROOT)) for path in files("liyuan")}
    assert ours - packed == set()


@pytest.mark.parametrize("folder", ["templates", "static", "migrations"])
def test_the_wheel_holds_what_lies_beside_the_package(packed: set[str], folder: str) -> None:
    ours = {f"liyuan/{path.relative_to(ROOT)}" for path in files(folder)}
    assert ours - packed == set()


def test_the_wheel_holds_the_browser_files_with_their_licence(packed: set[str]) -> None:
    vendor = {name.removeprefix("liyuan/static/vendor/") for name in packed if "static/vendor/" in name}
    assert vendor == {"htmx.min.js", "hx-sse.min.js", "htmx.LICENSE.txt"}


def test_the_wheel_holds_nothing_else(packed: set[str]) -> None:
    tops = {name.split("/")[0] for name in packed}
    assert {top for top in tops if not top.endswith(".dist-info")} == {"liyuan"}
    assert [name for name in packed if name.endswith((".pyc", ".stamp"))] == []


def test_a_checkout_finds_its_files_beside_the_package() -> None:
    assert templates_dir() == ROOT / "templates"
    assert static_dir() == ROOT / "static"
    assert migrations_dir() == ROOT / "migrations"
    assert locales_dir() == ROOT / "liyuan" / "locales"


def test_an_installed_wheel_finds_its_files_inside_the_package(wheel: Path, tmp_path: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(tmp_path)
    ask = (
        "from liyuan.assets import *; print(templates_dir(), static_dir(), migrations_dir(), locales_dir(), sep='\\n')"
    )
    told = subprocess.run(
        [sys.executable, "-c", ask], cwd=tmp_path, check=True, capture_output=True, text=True
    ).stdout.split()
    inside = tmp_path / "liyuan"
    assert told == [str(inside / name) for name in ("templates", "static", "migrations", "locales")]
    assert all(Path(place).is_dir() for place in told)
