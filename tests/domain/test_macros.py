"""Macros: inside out, once, and never more time than the text is long."""

from __future__ import annotations

import string
import sys
from collections import Counter
from dataclasses import replace
from datetime import datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from liyuan.domain.card import parse_card
from liyuan.domain.macros import DEEPEST, LONGEST, Scope, expand, scope_of, unknown_macros
from liyuan.domain.persona import Persona

SCOPE = Scope(
    char="青梧",
    user="旅人",
    persona="A walker.",
    description="Keeper of an inn.",
    personality="Patient.",
    scenario="Rain.",
    original="Play well.",
    last_message="Who is there?",
    last_user_message="Me.",
    last_char_message="Who is there?",
    input="I knock",
    model="understudy",
    seed="entry-1",
    now=datetime(2026, 1, 31, 15, 5),
)


@pytest.mark.parametrize(
    ("text", "becomes"),
    [
        ("{{char}} and {{user}}", "青梧 and 旅人"),
        ("{{Char}} {{USER}} {{ user }}", "青梧 旅人 旅人"),
        ("<USER> <BOT> <CHAR> <user>", "旅人 青梧 青梧 旅人"),
        ("{{persona}} {{description}} {{personality}} {{scenario}}", "A walker. Keeper of an inn. Patient. Rain."),
        ("{{original}} Always.", "Play well. Always."),
        ("{{lastMessage}}|{{lastUserMessage}}|{{lastCharMessage}}", "Who is there?|Me.|Who is there?"),
        ("{{input}} {{model}}", "I knock understudy"),
        ("a{{newline}}b{{newline::2}}c", "a\nb\n\nc"),
        ("a{{noop}}b{{// a note, {{user}} }}c{{comment: d}}", "abc"),
        ("a\r\n\n{{trim}}\n\nb", "ab"),
        ("a\n{{trim}}{{trim}}\n{{user}}", "a旅人"),
        ("a{{newline}}{{trim}}{{newline}}b", "ab"),
        ("{{reverse:olleh}}", "hello"),
        ("{{time}}, {{date}}, {{weekday}}, {{isodate}}", "3:05 PM, January 31, 2026, Saturday, 2026-01-31"),
    ],
)
def test_a_known_macro_becomes_what_it_stands_for(text: str, becomes: str) -> None:
    assert expand(text, SCOPE) == becomes


def test_dates_are_told_in_the_language_of_the_card() -> None:
    chinese = replace(SCOPE, language="zh")
    assert expand("{{date}} {{weekday}} {{time}}", chinese) == "2026年1月31日 星期六 15:05"


@pytest.mark.parametrize(
    "text",
    [
        "{{getvar::gold}}",
        "{{setvar::gold::3}}",
        "{{user's}}",
        "{{}}",
        "{{ }}",
        "{{char::x}}",
        "{{char",
        "char}}",
        "{{random}}",
        "{{roll:lots}}",
        "{{roll:0d6}}",
        "{{newline::many}}",
        "{ {char} }",
        "\\{x\\}",
    ],
)
def test_what_is_no_known_macro_stays_as_it_is_written(text: str) -> None:
    assert expand(text, SCOPE) == text


def test_a_value_that_is_not_known_at_this_place_stays_too() -> None:
    bare = Scope(char="A", user="B")
    assert expand("{{persona}} {{time}} {{description}}", bare) == "{{persona}} {{time}} {{description}}"


def test_an_unknown_macro_around_a_known_one_keeps_its_braces() -> None:
    assert expand("{{greet::{{user}}}}", SCOPE) == "{{greet::旅人}}"
    assert expand("{{ unclosed {{user}}", SCOPE) == "{{ unclosed 旅人"
    assert expand("{{{user}}}", SCOPE) == "{旅人}"


def test_escaped_braces_are_literal() -> None:
    assert expand(r"\{\{user\}\} is {{user}}", SCOPE) == "{{user}} is 旅人"


def test_text_that_came_out_of_a_macro_is_not_expanded_again() -> None:
    sly = replace(SCOPE, user="{{char}}", char="<USER>")
    assert expand("{{user}} {{char}}", sly) == "{{char}} <USER>"


def test_a_nested_choice_is_chosen_whole() -> None:
    """A name that holds `::` or a comma is one option, never two."""
    names = replace(SCOPE, char="Anne::Marie", user="Lee, the elder")
    for seed in map(str, range(40)):
        seeded = replace(names, seed=seed)
        assert expand("{{random::{{char}}::{{user}}}}", seeded) in {"Anne::Marie", "Lee, the elder"}
        assert expand("{{random:{{user}},b}}", seeded) in {"Lee, the elder", "b"}
        assert expand("{{random::a::{{random::b::c}}}}", seeded) in {"a", "b", "c"}


def test_both_ways_of_writing_a_choice_work_in_one_text() -> None:
    for seed in map(str, range(20)):
        first, second, third = expand(
            r"{{random:a,b\,c}}|{{random::d::e, f}}|{{pick::g,h}}", replace(SCOPE, seed=seed)
        ).split("|")
        assert first in {"a", "b,c"}
        assert second in {"d", "e, f"}
        assert third in {"g", "h"}


def test_chance_is_the_same_on_every_reading_of_one_entry() -> None:
    text = "{{random::a::b::c}} {{pick::a::b::c}} {{roll:1000}}"
    assert expand(text, SCOPE) == expand(text, SCOPE)
    assert len({expand(text, replace(SCOPE, seed=str(seed))) for seed in range(20)}) > 10


def test_chance_differs_from_place_to_place() -> None:
    assert len(set(expand("{{random::a::b::c::d}}" * 40, SCOPE))) > 1


def test_a_pick_holds_through_the_whole_story_while_random_does_not() -> None:
    told = [
        expand("{{pick::a::b::c::d}} {{random::a::b::c::d}}", replace(SCOPE, seed=str(seed), pick_seed="story"))
        for seed in range(30)
    ]
    assert len({line.split()[0] for line in told}) == 1
    assert len({line.split()[1] for line in told}) > 1


def test_every_option_has_about_the_same_chance() -> None:
    counted = Counter(expand("{{random::a::b::c}}", replace(SCOPE, seed=str(seed))) for seed in range(3000))
    assert all(900 < count < 1100 for count in counted.values())


@pytest.mark.parametrize(
    ("dice", "lowest", "highest"), [("6", 1, 6), ("d6", 1, 6), ("2d6", 2, 12), ("2D6+3", 5, 15), ("d4 - 1", 0, 3)]
)
def test_dice_fall_between_their_lowest_and_highest(dice: str, lowest: int, highest: int) -> None:
    seeds = range(400)
    rolled = {int(expand(f"{{{{roll:{dice}}}}}", replace(SCOPE, seed=str(seed)))) for seed in seeds}
    assert (min(rolled), max(rolled)) == (lowest, highest)


def test_the_legacy_spelling_with_a_space_is_a_roll_too() -> None:
    assert expand("{{roll d1}}", SCOPE) == "1"


def test_the_scope_of_a_card_holds_its_texts_expanded() -> None:
    card, _ = parse_card(
        {
            "name": "Ada Lovelace",
            "data": {"name": "Ada Lovelace", "nickname": "Ada", "description": "{{char}} knows {{user}}."},
        }
    )
    scope = scope_of(card, Persona(id="p", name="Lin", description="{{user}} is {{char}}'s friend."), seed="s")
    assert expand("{{description}} {{persona}}", scope) == "Ada knows Lin. Lin is Ada's friend."


def test_a_card_that_describes_itself_by_itself_comes_to_an_end() -> None:
    card, _ = parse_card({"name": "A", "description": "{{description}}!", "scenario": "{{description}}?"})
    scope = scope_of(card, Persona(id="p", name="B"), seed="s")
    assert expand("{{description}}", scope) == "{{description}}!"


def test_unknown_macros_are_named_once_each() -> None:
    text = "{{getvar::a}} {{user}} {{time}} {{getvar::b}} {{mood}} {{persona}}"
    assert unknown_macros(text) == ("getvar", "mood")


def test_what_macros_bring_in_is_limited() -> None:
    """A card of 100 kB that names itself a thousand times must not fill the memory."""
    long = replace(SCOPE, description="x" * 100_000)
    expanded = expand("{{description}}" * 1000, long)
    assert expanded.count("x") == LONGEST
    assert expanded.endswith("{{description}}")


@given(st.text(st.sampled_from("{}\\<>:/, \nachruserandomtrimpickroll0123456789d"), max_size=400))
def test_no_text_makes_it_fail(text: str) -> None:
    expand(text, SCOPE)
    unknown_macros(text)


@given(st.text(max_size=200).filter(lambda text: not set("{}<\\") & set(text)))
def test_text_without_braces_stays_as_it_is(text: str) -> None:
    assert expand(text, SCOPE) == text


@given(st.lists(st.sampled_from(["{{", "}}", "{{user}}", "a", "::", "{{trim}}", "\\{\\{", "{{// x}}"]), max_size=60))
def test_a_second_walk_over_a_first_one_without_left_over_braces_changes_nothing(parts: list[str]) -> None:
    once = expand("".join(parts), SCOPE)
    if "{" not in once and "}" not in once:
        assert expand(once, SCOPE) == once


@pytest.mark.parametrize(
    "hostile",
    [
        "{{",
        "{{ ",
        "}}",
        "{{a",
        "{{random::",
        "{{//",
        "{{trim}}\n",
        "\\{\\{",
        "<USER",
        "{{roll:99d6}}",
        "{{random::{{user}},",
    ],
)
def test_the_work_grows_with_the_text_and_not_with_its_square(hostile: str) -> None:
    """Counted in steps of the interpreter, since a clock on a busy machine tells little."""
    few, many = (_steps(hostile * times + "}}" * times) for times in (200, 1600))
    assert many < few * 8 * 1.6


def _steps(text: str) -> int:
    counted = 0

    def count(*_: object) -> None:
        nonlocal counted
        counted += 1

    before = sys.getprofile()
    sys.setprofile(count)
    try:
        expand(text, SCOPE)
    finally:
        sys.setprofile(before)
    return counted


def test_a_hundred_thousand_open_braces_come_back_as_they_are() -> None:
    text = "{{" * 100_000
    assert expand(text, SCOPE) == text
    spaced = "{{ " * 100_000 + string.ascii_letters
    assert expand(spaced, SCOPE) == spaced


def test_macros_nested_deeper_than_anyone_needs_are_left_as_text() -> None:
    assert expand("{{reverse:" * (DEEPEST + 1) + "x" + "}}" * (DEEPEST + 1), SCOPE).count("{{") == 1
