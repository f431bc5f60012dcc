"""The settings page of the reference and the settings themselves say the same."""

from __future__ import annotations

import re

import pytest
from pydantic_core import PydanticUndefined

from liyuan.settings import Settings
from tests.house.repository import ROOT

REFERENCE = (ROOT / "docs" / "reference" / "settings.md").read_text(encoding="utf-8")
ROWS = dict(re.findall(r"^\| `(LIYUAN_\w+)` \| (.+?) \|", REFERENCE, re.MULTILINE))
NAMES = {f"LIYUAN_{name.upper()}": field for name, field in Settings.model_fields.items()}


def told_as_it_is(name: str) -> bool:
    """Whether the default is a plain value; the others are told in words."""
    default = NAMES[name].default
    return name != "LIYUAN_DATA_DIR" and default is not PydanticUndefined and default not in (None, ())


def test_every_setting_is_described() -> None:
    assert sorted(NAMES.keys() - ROWS.keys()) == []


def test_nothing_is_described_that_is_no_setting() -> None:
    assert sorted(ROWS.keys() - NAMES.keys()) == []


@pytest.mark.parametrize("name", sorted(name for name in NAMES if told_as_it_is(name)))
def test_a_default_is_told_as_it_is(name: str) -> None:
    assert ROWS[name] == f"`{NAMES[name].default}`"
