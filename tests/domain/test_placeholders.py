"""An instruction a person can rewrite: what its text leaves out is told beneath it."""

from __future__ import annotations

from liyuan.domain.entry import EntryId
from liyuan.domain.history import Line
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
        Line(entry_id=EntryId("3"), role="system", text="(They had met before.)", turn=1),
        Line(entry_id=EntryId("4"), role="user", text="I sit.", turn=1),
    ]
    assert told(lines, Cast("青梧", "Mo")) == "青梧: Come in.\n\n(They had met before.)\n\nMo: I sit."
