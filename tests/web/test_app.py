"""The parts are joined: every route is served, and every form can be sent."""

from __future__ import annotations

import importlib
from pathlib import Path

import pytest
from bs4 import BeautifulSoup

from liyuan.app import ROUTERS
from liyuan.assets import templates_dir
from tests.house.repository import files, module_name

TEMPLATES = files("templates/*.html")
PAGES = [module_name(path) for path in files("liyuan/web/*.py") if path.parent.name == "web"]


@pytest.mark.parametrize("name", PAGES)
def test_every_router_of_a_page_is_joined(name: str) -> None:
    router = getattr(importlib.import_module(name), "router", None)
    assert router is None or any(router is one for one in ROUTERS)


@pytest.mark.parametrize("path", TEMPLATES, ids=lambda path: str(path.relative_to(templates_dir())))
def test_every_form_brings_its_token_first(path: Path) -> None:
    """First, because of a large upload only the beginning is read before it is let in."""
    for form in BeautifulSoup(path.read_text(encoding="utf-8"), "html.parser").find_all("form", method="post"):
        first = form.find(["input", "textarea", "select", "button"])
        assert (first.get("type"), first.get("name"), first.get("value")) == ("hidden", "csrf", "{{ csrf }}"), form[
            "action"
        ]
