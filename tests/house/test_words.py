"""Every word for people exists twice: English in the code, Chinese in the catalogues."""

from __future__ import annotations

import ast
import inspect
import string
from collections.abc import Iterator
from pathlib import Path

import pytest
from babel.messages.catalog import Message
from babel.messages.extract import extract_from_file
from babel.messages.pofile import read_po

from liyuan.domain.errors import LiyuanError
from tests.house.repository import ROOT, files, import_all

CATALOGUES = files("liyuan/locales/zh/*.po")
KEYWORDS = {"_": None, "gettext": None, "ngettext": (1, 2), "pgettext": ((1, "c"), 2)}


def test_every_word_in_the_templates_is_translated() -> None:
    assert missing(words_in_templates()) == []


def test_every_word_in_the_code_is_translated() -> None:
    assert missing(words_in_code()) == []


def test_every_error_is_translated() -> None:
    assert missing(words_of_errors()) == []


def test_every_error_raised_with_its_own_words_is_translated() -> None:
    assert missing(words_at_raises()) == []


@pytest.mark.parametrize("path", CATALOGUES, ids=lambda path: path.name)
def test_a_translation_fills_the_same_fields(path: Path) -> None:
    wrong = [
        (str(message.id), str(message.string))
        for message in entries(path)
        if fields(message.string) - fields(message.id) or fields(first(message.id)) - fields(message.string)
    ]
    assert wrong == []


@pytest.mark.parametrize("path", CATALOGUES, ids=lambda path: path.name)
def test_a_catalogue_holds_no_empty_or_fuzzy_translation(path: Path) -> None:
    assert [str(message.id) for message in entries(path) if message.fuzzy or not "".join(message.string)] == []


def test_two_catalogues_do_not_translate_one_word_differently() -> None:
    said: dict[object, set[object]] = {}
    for path in CATALOGUES:
        for message in entries(path):
            said.setdefault((message.context, message.id), set()).add(message.string)
    assert {key: strings for key, strings in said.items() if len(strings) > 1} == {}


def words_in_templates() -> Iterator[tuple[str, str]]:
    options = {"silent": "false", "trimmed": "true"}
    for path in files("templates/*.html", "templates/*.xml", "templates/*.txt"):
        yield from extracted("jinja2", path, options)


def words_in_code() -> Iterator[tuple[str, str]]:
    for path in files("liyuan/*.py"):
        yield from extracted("python", path, {})


def words_of_errors() -> Iterator[tuple[str, str]]:
    for kind in error_kinds():
        yield kind.__qualname__, kind.message
        yield kind.__qualname__, kind.title


def words_at_raises() -> Iterator[tuple[str, str]]:
    """`raise Invalid("Words of this one place: {what}")`, where the words stand as they are."""
    names = {kind.__name__ for kind in error_kinds()}
    for path in files("liyuan/*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and called(node) in names and node.args:
                words = node.args[0]
                if isinstance(words, ast.Constant) and isinstance(words.value, str):
                    yield f"{path.relative_to(ROOT)}:{node.lineno}", words.value


def extracted(method: str, path: Path, options: dict[str, str]) -> Iterator[tuple[str, str]]:
    for line, msgid, _, _ in extract_from_file(method, path, keywords=KEYWORDS, options=options):
        yield f"{path.relative_to(ROOT)}:{line}", first(msgid)


def error_kinds() -> list[type[LiyuanError]]:
    import_all("liyuan/*.py")
    kinds: list[type[LiyuanError]] = [LiyuanError]
    for kind in kinds:
        kinds.extend(kind.__subclasses__())
    return [kind for kind in dict.fromkeys(kinds) if inspect.getmodule(kind).__name__.startswith("liyuan.")]


def called(node: ast.Call) -> str:
    return node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")


def missing(words: Iterator[tuple[str, str]]) -> list[str]:
    known = {first(message.id) for path in CATALOGUES for message in entries(path) if message.string}
    return [f"{place}: {word!r}" for place, word in words if word and word not in known]


def entries(path: Path) -> list[Message]:
    with path.open("rb") as file:
        return [message for message in read_po(file) if message.id]


def first(msgid: str | list[str] | tuple[str, ...]) -> str:
    """The singular, which is what a catalogue is asked for."""
    return msgid if isinstance(msgid, str) else str(msgid[0])


def fields(text: str | list[str] | tuple[str, ...]) -> set[str]:
    """The named fields of `{name}` and `%(name)s`."""
    joined = text if isinstance(text, str) else " ".join(text)
    braces = {name for _, name, _, _ in string.Formatter().parse(joined) if name}
    return braces | {part.split(")")[0] for part in joined.split("%(")[1:]}
