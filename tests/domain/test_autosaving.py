"""When the story saves by itself, and which moments begin a chapter."""

from __future__ import annotations

import pytest

from liyuan.domain.autosaving import Autosaving, autosaving_of
from liyuan.domain.save_names import day_of, first_words, is_new_chapter, proposed_name
from liyuan.domain.world import WorldState


def test_it_is_off_until_it_is_chosen() -> None:
    assert not autosaving_of({}).is_on


@pytest.mark.parametrize(
    "nonsense", [{"autosave_every_turns": "3"}, {"autosave_every_turns": -1}, {"autosave_chapters": 1}]
)
def test_what_makes_no_sense_is_not_chosen(nonsense: dict[str, object]) -> None:
    assert not autosaving_of(nonsense).is_on


def test_every_so_many_turns_counted_from_the_save_above() -> None:
    wished = Autosaving(every=3)
    assert [wished.is_due(turns_since=turns, is_new_chapter=False) for turns in (0, 2, 3, 4)] == [
        False,
        False,
        True,
        True,
    ]


def test_a_chapter_is_saved_once_in_a_turn() -> None:
    wished = Autosaving(chapters=True)
    assert wished.is_due(turns_since=1, is_new_chapter=True)
    assert not wished.is_due(turns_since=0, is_new_chapter=True)
    assert not wished.is_due(turns_since=9, is_new_chapter=False)


@pytest.mark.parametrize(
    ("earlier", "later", "new"),
    [
        ("the third night, past ten", "the third night, towards dawn", False),
        ("the third night, past ten", "the fourth day, noon", True),
        ("第三夜，二更", "第三夜，三更", False),
        ("第三夜，二更", "第四日，清晨", True),
        ("腊月初八 傍晚", "腊月初九 清晨", True),
        ("2026-01-31 22:00", "2026-02-01 06:00", True),
        ("Monday evening", "Tuesday morning", True),
        ("evening", "night", False),
        ("", "the fourth day", False),
    ],
)
def test_another_day_begins_a_chapter_and_another_hour_does_not(earlier: str, later: str, new: bool) -> None:
    assert is_new_chapter(WorldState(time=earlier), WorldState(time=later)) is new


def test_another_place_begins_a_chapter_and_a_first_one_does_not() -> None:
    assert is_new_chapter(WorldState(location="the inn"), WorldState(location="the ferry"))
    assert not is_new_chapter(WorldState(location="the inn"), WorldState(location=" The Inn "))
    assert not is_new_chapter(WorldState(), WorldState(location="the ferry"))


def test_a_day_is_told_without_its_hour() -> None:
    assert day_of("Day 3, 9 pm") == "day 3"


def test_a_save_is_named_after_place_and_time() -> None:
    world = WorldState(location="渡口客栈", time="第三夜")
    assert proposed_name(world, "……", 4, "zh") == "渡口客栈 · 第三夜"
    assert proposed_name(WorldState(location="the inn"), "", 4, "en") == "the inn"


@pytest.mark.parametrize(
    ("reply", "name"),
    [
        ("*She looks up.* “You came.”", "She looks up."),
        ("“慢些说，”他把账本合上。“夜还长。”", "慢些说，”他把账本合上。"),
        ("……\n\n**Rain.** It falls.", "Rain."),
        ("***", ""),
    ],
)
def test_without_a_ledger_the_first_words_of_the_reply_name_it(reply: str, name: str) -> None:
    assert first_words(reply) == name


def test_where_nothing_was_said_the_turn_names_it() -> None:
    assert proposed_name(WorldState(), "", 4, "en") == "Turn 4"
    assert proposed_name(WorldState(), "", 0, "zh") == "第 0 回合"
