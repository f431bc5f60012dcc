"""Every sentence the ledger can say to a person exists in Chinese too, with the same fields."""

from __future__ import annotations

from string import Formatter
from types import ModuleType

import pytest
from babel.messages.pofile import read_po

from liyuan.domain import booking, fields, patch, scribe, snapshot, values
from tests.house.repository import ROOT

MODULES = (booking, fields, patch, scribe, snapshot, values)


def sentences(module: ModuleType) -> list[str]:
    """The module's constants that end like a sentence."""
    found = (value for name, value in vars(module).items() if name.isupper() and not name.startswith("_"))
    return [value for value in found if isinstance(value, str) and value.endswith(".")]


def named(sentence: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(sentence) if name}


def translations() -> dict[str, str]:
    with (ROOT / "liyuan/locales/zh/world.po").open("rb") as file:
        return {str(message.id): str(message.string) for message in read_po(file)}


@pytest.mark.parametrize("module", MODULES, ids=lambda module: module.__name__.split(".")[-1])
def test_every_sentence_is_translated_with_its_fields(module: ModuleType) -> None:
    known = translations()
    assert sentences(module) != []
    assert [sentence for sentence in sentences(module) if not known.get(sentence)] == []
    assert [sentence for sentence in sentences(module) if named(sentence) != named(known[sentence])] == []
