"""A model's JSON is read tolerantly, and what was cut off is never guessed (semantics §3)."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from liyuan.domain.loose_json import DEEPEST, search

# Prose may hold braces and apostrophes, but begins no object of its own: a brace and a quoted key with a colon.
prose = st.text(alphabet="ab 好，。{}[]()!\n-*#'", max_size=30)
fences = st.sampled_from([("", ""), ("```json\n", "\n```"), ("```\n", "```"), ("<answer>", "</answer>")])
plain = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text()
objects: st.SearchStrategy[dict[str, Any]] = st.dictionaries(
    st.text(),
    st.recursive(
        plain,
        lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
        max_leaves=15,
    ),
    max_size=5,
)


def only(text: str) -> Any:
    (found,) = search(text).objects
    assert found.whole
    return found.value


def cut(text: str) -> Any:
    """What is kept of an answer that was cut off; None when nothing was begun."""
    found = search(text).objects
    assert not any(one.whole for one in found)
    return found[-1].value if found else None


@given(prose, fences, objects, st.sampled_from([None, 1, "\t"]), st.booleans(), prose)
def test_any_object_is_found_in_prose_fences_and_braces(
    before: str, fence: tuple[str, str], value: dict[str, Any], indent: Any, ascii_only: bool, after: str
) -> None:
    written = json.dumps(value, indent=indent, ensure_ascii=ascii_only)
    found = [one.value for one in search(f"{before}{fence[0]}{written}{fence[1]}{after}").objects if one.whole]
    assert value in found


@given(prose, objects, st.data())
def test_a_cut_answer_never_yields_what_was_not_complete(before: str, value: dict[str, Any], data: Any) -> None:
    written = json.dumps(value, ensure_ascii=data.draw(st.booleans()))
    end = data.draw(st.integers(0, len(written) - 1))
    for found in search(before + written[:end]).objects:
        if found.begun:
            assert is_part_of(found.value, value)


def is_part_of(part: Any, whole: Any) -> bool:
    """Objects may lack members; everything else is there as it was written, lists above all."""
    if isinstance(part, dict) and isinstance(whole, dict):
        return all(key in whole and is_part_of(inner, whole[key]) for key, inner in part.items())
    return type(part) is type(whole) and part == whole


@given(st.text(alphabet="{}[]\",:'“”/*\\ab1+-.e\n `tru", max_size=60))
def test_no_text_makes_it_fail(text: str) -> None:
    for found in search(text).objects:
        assert isinstance(found.value, dict)


@pytest.mark.parametrize(
    "text",
    [
        '{"time": "dusk", "flags": {"open": true, "lost": null}, "inventory": ["rope", "map"], "n": -3}',
        "{'time': 'dusk', 'flags': {'open': True, 'lost': None}, 'inventory': ['rope', 'map'], 'n': -3}",
        '{"time": "dusk", "flags": {"open": true, "lost": null,}, "inventory": ["rope", "map",], "n": -3,}',
        "{“time”： “dusk”， “flags”：{“open”: true, “lost”: null}， “inventory”: [“rope”， “map”], “n”: -3}",
        '{\n "time": "dusk"\n "flags": {"open": true\n "lost": null}\n "inventory": ["rope"\n "map"]\n "n": -3\n}',
        '{ // the end of the day\n"time": "dusk", "flags": {"open": true, "lost": null}, /* all of it */\n'
        '"inventory": ["rope", "map"], "n": -3}',
    ],
    ids=["json", "python", "commas", "chinese marks", "no commas", "comments"],
)
def test_slips_of_the_pen_are_forgiven(text: str) -> None:
    expected = {"time": "dusk", "flags": {"open": True, "lost": None}, "inventory": ["rope", "map"], "n": -3}
    assert only(text) == expected


def test_a_line_break_in_a_text_is_a_line_break() -> None:
    assert only('{"notes": "one\ntwo\\nthree \\u9752\\ud83d\\ude00 \\"so\\""}') == {
        "notes": 'one\ntwo\nthree 青😀 "so"'
    }


def test_a_step_without_quotes_stays_a_text() -> None:
    assert only('{"affinity": +5}') == {"affinity": "+5"}


def test_an_object_told_in_two_parts_is_laid_together() -> None:
    assert only('{"flags": {"a": 1}, "time": "x", "time": "y", "flags": {"b": 2}}') == {
        "flags": {"a": 1, "b": 2},
        "time": "y",
    }


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ('{"time": "dusk", "location": "the mi', {"time": "dusk"}),
        ('{"time": "dusk", "loca', {"time": "dusk"}),
        ('{"characters": {"A": {"affinity": 5, "status": "cal', {"characters": {"A": {"affinity": 5}}}),
        ('{"characters": {"A": {"affinity": 12', {}),
        ('{"characters": {"A": {"affinity": 12.', {}),
        ('{"characters": {"A": {"affinity": 5}, "B": {"affinity": -', {"characters": {"A": {"affinity": 5}}}),
        ('{"time": "dusk", "inventory": ["rope", "ma', {"time": "dusk"}),
        ('{"time": "dusk", "inventory": ["rope"', {"time": "dusk"}),
        ('{"relationships": [{"a": "A", "b": "B"}, {"a": "C"', {}),
        ('{"flags": {"open": tru', {}),
        ('{"flags": {"open": true', {"flags": {"open": True}}),
        ('{"time": "dusk"', {"time": "dusk"}),
        ('```json\n{"time": "dusk",\n```', {"time": "dusk"}),
        ('{"time": ', {}),
        ('{"notes": "a\\', {}),
        ('{"notes": "a\\u97', {}),
    ],
)
def test_of_a_cut_answer_the_complete_part_is_kept_and_half_lists_never(text: str, kept: Any) -> None:
    assert cut(text) == kept


@pytest.mark.parametrize(
    "text",
    [
        '{"time": dusk, "characters": {"A": {"affinity": 5}}}',
        '{"characters": {"A": {"affinity": 5}}, "status": "called "the fox", hungry"}',
        '{"roster": {"characters": {"A": "a miller"}}, "time": 12:30}',
    ],
)
def test_the_inside_of_what_makes_no_sense_is_no_answer(text: str) -> None:
    result = search(text)
    assert result.objects == []
    assert result.trouble is not None
    assert result.trouble.near in text


def test_an_example_in_the_prose_does_not_hide_the_answer() -> None:
    assert only('In the form {"time": ..., "flags": {…}} I write: {"time": "dusk"}') == {"time": "dusk"}


def test_there_is_an_end_to_depth() -> None:
    assert search('{"a":' * (DEEPEST + 5) + "1" + "}" * (DEEPEST + 5)).objects == []
    assert only('{"a":' * DEEPEST + "1" + "}" * DEEPEST)


def test_a_long_answer_of_nothing_but_braces_is_soon_given_up() -> None:
    assert search("{" * 200_000).objects == []
    assert search("{'" * 100_000).objects == []
