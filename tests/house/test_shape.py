"""The shape of the code: modules say what they are, stay small, and leave `__init__.py` empty."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from tests.house.repository import ROOT, files

LONGEST_MODULE = 400
LONGEST_TEST = 600
LONGEST_FUNCTION = 60
FORBIDDEN_NAMES = ("get_", "handle_", "process_", "manage_", "do_")
FORBIDDEN_ENDS = ("Manager", "Service", "Helper", "Util", "Utils")
# What a library calls its own, and asks for by that name.
GIVEN_NAMES = {"get_response"}
FORBIDDEN_MODULES = {"utils", "util", "helpers", "helper", "common", "misc"}

MODULES = files("liyuan/*.py")
# A migration is one long list of steps, and the understudy's playbook is words, not code.
LISTS = {"versions", "playbook"}
CODE = [path for path in files("*.py") if path.name != "__init__.py" and path.parent.name not in LISTS]


def named(path: Path) -> str:
    return str(path.relative_to(ROOT))


def parsed(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))


@pytest.mark.parametrize("path", files("*__init__.py"), ids=named)
def test_init_files_are_empty(path: Path) -> None:
    assert path.read_text(encoding="utf-8").strip() == ""


@pytest.mark.parametrize("path", [path for path in MODULES if path.name != "__init__.py"], ids=named)
def test_a_module_opens_with_what_it_is(path: Path) -> None:
    assert ast.get_docstring(parsed(path))
    assert path.read_text(encoding="utf-8").startswith('"""')


@pytest.mark.parametrize("path", CODE, ids=named)
def test_a_module_is_no_longer_than_a_reader_can_hold(path: Path) -> None:
    longest = LONGEST_TEST if path.name.startswith("test_") else LONGEST_MODULE
    assert len(path.read_text(encoding="utf-8").splitlines()) <= longest


@pytest.mark.parametrize("path", CODE, ids=named)
def test_a_function_is_no_longer_than_a_screen(path: Path) -> None:
    lengths = {node.name: (node.end_lineno or 0) - node.lineno + 1 for node in functions(path)}
    assert {name: length for name, length in lengths.items() if length > LONGEST_FUNCTION} == {}


@pytest.mark.parametrize("path", MODULES, ids=named)
def test_names_say_what_is_done(path: Path) -> None:
    vague = [
        node.name
        for node in functions(path)
        if node.name.lstrip("_").startswith(FORBIDDEN_NAMES) and node.name not in GIVEN_NAMES
    ]
    vague += [
        node.name
        for node in ast.walk(parsed(path))
        if isinstance(node, ast.ClassDef) and node.name.endswith(FORBIDDEN_ENDS)
    ]
    assert vague == []
    assert path.stem not in FORBIDDEN_MODULES


def functions(path: Path) -> list[ast.FunctionDef | ast.AsyncFunctionDef]:
    return [node for node in ast.walk(parsed(path)) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)]
