"""The promises of the container: not root, one volume, a health check, a password, and loopback only."""

from __future__ import annotations

import re
from typing import Any, TypeAlias

import pytest
import yaml

from tests.house.repository import ROOT

Stage: TypeAlias = list[tuple[str, str]]


@pytest.fixture(scope="module")
def image() -> Stage:
    """The Dockerfile as (instruction, words), in order, continued lines joined."""
    text = (ROOT / "Dockerfile").read_text(encoding="utf-8").replace("\\\n", " ")
    lines = [line.strip() for line in text.splitlines() if line.strip() and not line.startswith("#")]
    return [(line.split(None, 1)[0], line.split(None, 1)[1]) for line in lines]


@pytest.fixture(scope="module")
def shipped(image: Stage) -> Stage:
    """The last stage: what a person runs."""
    last = max(number for number, (instruction, _) in enumerate(image) if instruction == "FROM")
    return image[last:]


@pytest.fixture(scope="module")
def service() -> dict[str, Any]:
    composed = yaml.safe_load((ROOT / "docker-compose.yml").read_text(encoding="utf-8"))
    assert list(composed["services"]) == ["liyuan"]
    return dict(composed["services"]["liyuan"])


def words(stage: Stage, instruction: str) -> list[str]:
    return [rest for name, rest in stage if name == instruction]


def test_the_image_is_built_in_stages_and_ships_no_build_tools(image: Stage) -> None:
    bases = words(image, "FROM")
    assert len(bases) == 3
    assert bases[0].startswith("node:")
    assert all("slim" in base for base in bases)


def test_the_image_installs_the_lock_with_its_hashes(image: Stage) -> None:
    assert any("--require-hashes -r requirements.lock" in run for run in words(image, "RUN"))


def test_the_image_copies_only_what_exists_and_is_sent_to_the_build(image: Stage) -> None:
    ignored = (ROOT / ".dockerignore").read_text(encoding="utf-8").splitlines()
    assert ignored[1] == "*"
    for copied in words(image, "COPY"):
        if copied.startswith("--from"):
            continue
        *sources, _ = copied.split()
        for source in sources:
            assert (ROOT / source).exists(), source
            assert f"!{source}" in ignored, source


def test_the_image_runs_as_an_ordinary_user(shipped: Stage) -> None:
    assert words(shipped, "USER") == ["liyuan"]
    instructions = [name for name, _ in shipped]
    assert instructions.index("USER") < instructions.index("CMD")


def test_the_image_keeps_its_data_in_one_volume(shipped: Stage) -> None:
    assert words(shipped, "VOLUME") == ["/data"]
    assert "LIYUAN_DATA_DIR=/data" in words(shipped, "ENV")[0]


def test_the_image_tells_its_health(shipped: Stage) -> None:
    assert "/healthz" in words(shipped, "HEALTHCHECK")[0]


def test_the_image_listens_beyond_loopback_and_so_demands_a_password(shipped: Stage) -> None:
    settings = words(shipped, "ENV")[0]
    assert "LIYUAN_HOST=0.0.0.0" in settings
    assert "LIYUAN_PASSWORD" not in settings


def test_the_service_is_published_on_loopback_only(service: dict[str, Any]) -> None:
    assert service["ports"] == ["127.0.0.1:7620:7620"]


def test_the_service_refuses_to_start_without_a_password(service: dict[str, Any]) -> None:
    assert re.fullmatch(r"\$\{LIYUAN_PASSWORD:\?.+\}", service["environment"]["LIYUAN_PASSWORD"])


def test_the_service_is_not_root_and_may_not_become_it(service: dict[str, Any], image: Stage) -> None:
    user, group = service["user"].split(":")
    assert any(f"--gid {group} liyuan" in run and f"--uid {user} " in run for run in words(image, "RUN"))
    assert service["cap_drop"] == ["ALL"]
    assert service["security_opt"] == ["no-new-privileges:true"]
    assert service["read_only"] is True


def test_the_service_keeps_its_data_in_a_named_volume(service: dict[str, Any]) -> None:
    composed = yaml.safe_load((ROOT / "docker-compose.yml").read_text(encoding="utf-8"))
    assert service["volumes"] == ["stories:/data"]
    assert "stories" in composed["volumes"]
    assert service["environment"]["LIYUAN_DATA_DIR"] == "/data"


def test_the_service_is_watched(service: dict[str, Any]) -> None:
    assert "/healthz" in service["healthcheck"]["test"][-1]
    assert service["restart"] == "unless-stopped"
