"""An instruction a person can rewrite: what its text leaves out is told beneath it."""

from __future__ import annotations

from dataclasses import replace

import pytest

from liyuan.domain.card import Language
from liyuan.domain.entry import EntryId
from liyuan.domain.history import Line
from liyuan.domain.phrases import PHRASES
from liyuan.domain.placeholders import Cast, beneath, fill, named_in, told


def test_each_placeholder_is_filled_once_and_the_values_are_left_alone() -> None:
    assert fill("{{char}} and {{ USER }}", {"char": "{{user}}", "user": "Mo"}) == "{{user}} and Mo"


def test_unknown_placeholders_and_plain_braces_stay() -> None:
    assert fill('{{weather}} {"a": {"b": {}}}', {"char": "x"}) == '{{weather}} {"a": {"b": {}}}'


def test_what_an_instruction_does_not_place_itself_is_told_beneath() -> None:
    sections = (("world", "[World]", "{}"), ("story", "[Story]", "Once."), ("names", "[Names]", " "))
    assert beneath(sections, named_in("Look at {{World}}")) == "[Story]\nOnce."


def test_a_story_is_told_as_a_script() -> None:
    lines = [
        Line(entry_id=EntryId("1"), role="assistant", text=" Come in. ", turn=0),
        Line(entry_id=EntryId("2"), role="user", text="", turn=1),
        Line(entry_id=EntryId("3"), role="user", text="I sit.", turn=1),
    ]
    assert told(lines, Cast("青梧", "Mo")) == "青梧: Come in.\n\nMo: I sit."


@pytest.mark.parametrize("language", ["en", "zh"])
def test_what_was_left_on_another_branch_is_told_as_such_and_not_as_what_happened(language: Language) -> None:
    note = Line(entry_id=EntryId("1"), role="system", text="The cellar burned down.", turn=1)
    words = PHRASES[language]
    assert told([note], Cast("青梧", "Mo"), language) == f"{words.branch}\nThe cellar burned down."
    filed = f"{words.filed}\nThe cellar burned down."
    assert told([replace(note, is_filed=True)], Cast("青梧", "Mo"), language) == filed
    assert told([replace(note, text=" ")], Cast("青梧", "Mo"), language) == ""
