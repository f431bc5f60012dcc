"""What `pip install .` brings: the package and, inside it, everything its pages and its database need."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import zipfile
from collections.abc import Iterator
from pathlib import Path

import httpx
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


@pytest.fixture(scope="module")
def served(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a server that was installed from the wheel, with nothing of this checkout beside it."""
    there = tmp_path_factory.mktemp("served")
    site = there / "site"
    install = ["-m", "pip", "install", "--quiet", "--no-deps", "--target", str(site), str(wheel)]
    subprocess.run([sys.executable, *install], check=True, capture_output=True)
    settings = {"LIYUAN_DATA_DIR": str(there / "data"), "LIYUAN_PORT": "0", "PYTHONPATH": str(site)}
    serve = [sys.executable, "-m", "liyuan.cli", "serve"]
    with subprocess.Popen(serve, cwd=there, env=os.environ | settings, stdout=subprocess.PIPE, text=True) as server:
        assert server.stdout is not None
        told = (re.match(r"liyuan is at (\S+)", line) for line in server.stdout)
        address = next((found[1] for found in told if found), None)
        assert address, "the server ended before it could be reached"
        yield address
        server.terminate()


@pytest.mark.slow
@pytest.mark.parametrize("page", ["/", "/healthz", "/readyz", "/static/vendor/htmx.min.js", "/static/css/base.css"])
def test_an_installed_wheel_serves_its_pages_and_files(served: str, page: str) -> None:
    assert httpx.get(served + page, follow_redirects=True).status_code == 200
