"""The scribe's question and its answer (semantics §3): fenced, prosy, cut off or empty, it is read tolerantly."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from liyuan.domain.card import Language
from liyuan.domain.entry import EntryId
from liyuan.domain.history import Line
from liyuan.domain.patch import apply
from liyuan.domain.patch_schema import patch_schema
from liyuan.domain.placeholders import Cast, Messages, named_in
from liyuan.domain.scribe import (
    PLACEHOLDERS,
    Answer,
    UnreadableAnswer,
    default_instruction,
    parse_patch,
    portion,
    retry_prompt,
    scribe_prompt,
)
from liyuan.domain.world import EMPTY, parse_world
from tests.domain.worlds import DECLARED, plausible

CAST = Cast(char="青梧", user="Mo")
WORLD = parse_world(
    {
        "location": "渡口",
        "characters": {"青梧": {"affinity": 12}},
        "inventory": ["灯笼"],
        "roster": {"characters": {"老板娘": "客栈的主人"}, "items": {"灯笼": ""}, "events": {"失火": "粮仓烧毁"}},
        "custom": {"hp": 7},
        "weather": "rain",
    }
)
UNREAD = (
    Line(entry_id=EntryId("1"), role="user", text="我们走吧。", turn=1),
    Line(entry_id=EntryId("2"), role="assistant", text="她点点头。", turn=1),
)


def asked(**how: Any) -> tuple[str, str]:
    (system, instruction), (user, work) = scribe_prompt(how.pop("world", WORLD), UNREAD, cast=CAST, **how)
    assert (system, user) == ("system", "user")
    return instruction, work


# --- the question ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("language", ["en", "zh"])
def test_the_scribe_is_told_the_ledger_the_names_and_the_messages(language: Language) -> None:
    instruction, work = asked(language=language)
    assert "青梧" in instruction and "Mo" in instruction
    assert '"location": "渡口"' in work and '"hp": 7' in work
    assert "Mo: 我们走吧。" in work and "青梧: 她点点头。" in work
    assert "失火" in work
    assert "{{" not in instruction + work


def test_known_people_are_named_once_so_that_one_person_is_not_booked_twice() -> None:
    _, work = asked(world=apply(WORLD, {"characters": {"mo ": {}}}).world)
    names = work.split("[Known names]\n")[1].split("\n\n")[0].splitlines()
    assert names == ["- 青梧", "- mo", "- 老板娘: 客栈的主人"]


def test_fields_a_card_declares_are_explained() -> None:
    instruction, _ = asked(fields=DECLARED)
    assert '- "hp" (Health): a number from 0 to 20.' in instruction
    assert '- "心情": a text.' in instruction
    assert '- "hp" (Health)：一个数字，从 0 到 20。' in asked(fields=DECLARED, language="zh")[0]


def test_an_empty_ledger_is_told_as_empty() -> None:
    assert "[The ledger as it stands]\n{}" in asked(world=EMPTY)[1]


def test_a_person_may_rewrite_the_instruction_and_nothing_is_lost() -> None:
    instruction, work = asked(instruction="Only {{char}} matters. Now: {{world}}")
    assert instruction.startswith("Only 青梧 matters.")
    assert '"渡口"' in instruction and '"渡口"' not in work
    assert "Mo: 我们走吧。" in work


def test_a_blank_instruction_is_the_default() -> None:
    assert asked(instruction="  ") == asked() == asked(instruction=default_instruction("en"))


@pytest.mark.parametrize("language", ["en", "zh"])
def test_the_default_uses_only_the_placeholders_that_are_offered(language: Language) -> None:
    assert named_in(default_instruction(language)) <= set(PLACEHOLDERS)


def test_macros_in_the_story_are_not_filled() -> None:
    line = Line(entry_id=EntryId("1"), role="user", text="Say {{world}}!", turn=1)
    (_, work) = scribe_prompt(EMPTY, [line], cast=CAST)[1]
    assert "Say {{world}}!" in work


def test_a_long_story_is_accounted_for_piece_by_piece() -> None:
    assert portion(UNREAD, len, 5) == UNREAD[:1]
    assert portion(UNREAD, len, 10) == UNREAD
    assert portion(UNREAD, len, 0) == UNREAD[:1]
    assert portion((), len, 0) == ()


def test_the_schema_names_every_field_and_no_other() -> None:
    schema = patch_schema(DECLARED)
    assert set(schema["properties"]) == {
        *("time", "location", "characters", "inventory", "plot_threads", "flags", "relationships", "roster"),
        *("hp", "心情", "scars"),
    }
    assert schema["additionalProperties"] is False
    assert schema["properties"]["hp"] == {"type": "number", "minimum": 0, "maximum": 20, "description": "Health"}
    json.dumps(schema)


# --- the answer -----------------------------------------------------------------------------------------------------

DUSK = {"time": "dusk"}


@pytest.mark.parametrize(
    "answer",
    [
        '{"time": "dusk"}',
        '```json\n{"time": "dusk"}\n```',
        'Here {it} is, {as: asked}:\n{"time": "dusk"} Anything else?',
        '<think>Maybe {"time": "noon"}? No.</think>{"time": "dusk"}',
        'First {"time": "noon"}, no, rather:\n{"time": "dusk"}',
        '{"time": "dusk"} ({} would mean no change, {"a": 1} means nothing)',
        '{"patch": {"time": "dusk"}}',
        '{"time": "dusk",}',
        "{'time': 'dusk'}",
        '\ufeff\n{"time": "dusk"}',
        '[{"time": "dusk"}]',
    ],
)
def test_an_answer_is_found_in_fences_and_prose_with_braces(answer: str) -> None:
    assert parse_patch(answer) == Answer(DUSK)


def test_nothing_changed_is_an_answer() -> None:
    assert parse_patch("{}") == parse_patch("Nothing changed: {}") == Answer({})


def test_of_a_cut_answer_the_complete_part_is_read_and_it_says_so() -> None:
    assert parse_patch('{"time": "dusk", "inventory": ["rope", "m') == Answer(DUSK, whole=False)


def test_a_draft_does_not_stand_in_for_a_cut_answer() -> None:
    assert parse_patch('Draft: {"time": "noon"} Final: {"time": "dusk", "loc') == Answer(DUSK, whole=False)


def test_fields_of_the_card_make_an_object_an_answer() -> None:
    assert parse_patch('{"hp": 3} {"note": 1}', DECLARED) == Answer({"hp": 3})


@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        ("", "empty"),
        (" \n", "empty"),
        ('<think>{"time": "dusk"}', "empty"),
        ("Nothing happened.", "no-object"),
        ("{so it goes}", "no-object"),
        ('{"inventory": ["rope", {"a": 1', "cut-off"),
        ('{"characters": {"A": {"affinity": 1', "cut-off"),
        ('{"time": dusk}', "malformed"),
        ('{"roster": {"characters": {"A": "a miller"}}, "time": 12:30}', "malformed"),
    ],
)
def test_an_answer_of_which_nothing_can_be_read_is_told_apart(answer: str, reason: str) -> None:
    with pytest.raises(UnreadableAnswer) as raised:
        parse_patch(answer)
    assert raised.value.reason == reason
    assert "The story is whole" in str(raised.value)


@given(plausible, st.sampled_from(["", "Sure {thing}!\n```json\n", "<think>{}</think>"]))
def test_every_patch_is_read_as_it_was_written(patch: dict[str, Any], before: str) -> None:
    written = json.dumps(patch, ensure_ascii=False)
    assume("NaN" not in written and "Infinity" not in written)
    assert parse_patch(before + written, DECLARED).patch == json.loads(written.replace("\ud800", "\ufffd"))


@given(st.text(alphabet="{}[]\",:' \nabtime", max_size=80))
def test_every_answer_is_a_patch_or_unreadable_and_nothing_else(answer: str) -> None:
    try:
        patch = parse_patch(answer).patch
    except UnreadableAnswer:
        return
    apply(WORLD, patch)


# --- one retry that shows the model its error -------------------------------------------------------------------------


@pytest.mark.parametrize("language", ["en", "zh"])
def test_a_retry_shows_the_model_its_answer_and_its_error(language: Language) -> None:
    first: Messages = (("system", "s"), ("user", "u"))
    again = retry_prompt(first, '{"time": dusk}', UnreadableAnswer(reason="malformed", near="{dusk}"), language)
    assert again[:3] == (*first, ("assistant", '{"time": dusk}'))
    assert again[3][0] == "user"
    assert "{dusk}" in again[3][1]


def test_an_empty_answer_is_not_shown() -> None:
    again = retry_prompt((("user", "u"),), " ", UnreadableAnswer(reason="empty"))
    assert [role for role, _ in again] == ["user", "user"]
