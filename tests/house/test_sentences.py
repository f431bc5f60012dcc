"""A sentence kept in a constant is for people too: notes and errors take their words from there."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tests.house.repository import ROOT, files
from tests.house.test_words import missing


def test_every_sentence_in_a_constant_is_translated() -> None:
    assert missing(sentences()) == []


def sentences() -> Iterator[tuple[str, str]]:
    for path in files("liyuan/*.py"):
        for node in ast.parse(path.read_text(encoding="utf-8")).body:
            if isinstance(node, ast.Assign) and isinstance(node.value, ast.Constant):
                words = node.value.value
                if is_constant(node.targets[0]) and isinstance(words, str) and words.endswith("."):
                    yield f"{path.relative_to(ROOT)}:{node.lineno}", words


def is_constant(target: ast.expr) -> bool:
    return isinstance(target, ast.Name) and target.id.isupper() and not target.id.startswith("_")
