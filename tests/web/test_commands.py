"""What begins with a stroke and a name is a command; everything else is said as it is."""

from __future__ import annotations

import pytest

from liyuan.domain.errors import Invalid
from liyuan.web.commands import ALIASES, NAMES, WORDLESS, Command, parse_command
from liyuan.web.line_orders import parted
from liyuan.web.orders import ORDERS
from liyuan.web.render import environment


@pytest.mark.parametrize(
    ("text", "command"),
    [
        ("/continue", Command("continue", "")),
        ("/Continue ", Command("continue", "")),
        ("/rewind 3", Command("rewind", "3")),
        ("/title A night\nof rain", Command("title", "A night\nof rain")),
        ("/回退 2", Command("rewind", "2")),
        ("Hello /continue", None),
        (" /dance", None),
        ("//", None),
        ("/", None),
        ("/ no", None),
        ("1/2", None),
    ],
)
def test_a_text_is_read(text: str, command: Command | None) -> None:
    assert parse_command(text) == command


def test_a_name_that_is_none_is_refused_with_the_way_out() -> None:
    with pytest.raises(Invalid, match="There is no command /dance"):
        parse_command("/dance all night")


def test_words_that_a_command_would_drop_are_refused() -> None:
    with pytest.raises(Invalid, match="/继续 takes no words"):
        parse_command("/继续 and she opens the door")
    assert WORDLESS < NAMES


def test_a_number_may_be_left_out_but_not_be_something_else() -> None:
    assert Command("rewind", "").number == 1
    assert Command("rewind", "12").number == 12
    for words in ("two", "-1", "1.5"):
        with pytest.raises(Invalid):
            _ = Command("rewind", words).number


@pytest.mark.parametrize(
    ("words", "target", "note"),
    [
        ("inn It is locked.", "inn", "It is locked."),
        ("the inn It is locked.", "the inn", "It is locked."),
        ("the innkeeper left", "the", "innkeeper left"),
        ("attic\nNothing there.", "attic", "Nothing there."),
        ("the inn", "the inn", ""),
        ("", "", ""),
    ],
)
def test_a_checkout_finds_tags_with_spaces_in_them(words: str, target: str, note: str) -> None:
    assert parted(words, ["inn", "the inn"]) == (target, note)


def test_every_command_is_carried_out_and_shown_to_people() -> None:
    lists = environment("en").get_template("play/_lists.html").module
    shown = {name for name, _, _ in lists.commands}  # type: ignore[attr-defined]
    assert set(ORDERS) == NAMES == shown
    assert set(ALIASES.values()) == NAMES
