"""A card of any version is read with every meaning a person could have had, and told about."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from liyuan.domain import card as said
from liyuan.domain import card_layout, card_name, tolerant
from liyuan.domain.card import Card, DepthNote, card_to_json, parse_card, revise
from liyuan.domain.errors import Invalid

FLAT: dict[str, Any] = {
    "name": "Mira",
    "description": "Keeps bees.",
    "personality": "Calm.",
    "scenario": "A hill.",
    "first_mes": "Hello.",
    "mes_example": "<START>\n{{user}}: Hi\n{{char}}: Hello\n<start>\n{{char}}: Bees!",
}
DATA: dict[str, Any] = {
    **FLAT,
    "creator_notes": "Be kind.",
    "system_prompt": "{{original}} Be brief.",
    "post_history_instructions": "No lists.",
    "alternate_greetings": ["Good evening.", "Mind the hive."],
    "tags": ["bees", "calm"],
    "creator": "me",
    "character_version": "2",
    "extensions": {"other/program": {"kept": [1, None]}},
}
V2: dict[str, Any] = {"spec": "chara_card_v2", "spec_version": "2.0", "data": DATA}
V3: dict[str, Any] = {
    "spec": "chara_card_v3",
    "spec_version": "3.0",
    "data": {**DATA, "nickname": "Mi", "group_only_greetings": [], "assets": [], "creation_date": 1700000000},
}


def read(raw: dict[str, Any]) -> Card:
    return parse_card(raw)[0]


def told(raw: dict[str, Any]) -> set[str]:
    return {note.template for note in parse_card(raw)[1]}


def inside(**fields: object) -> dict[str, Any]:
    return {**V2, "data": {**DATA, **fields}}


@pytest.mark.parametrize(("raw", "version"), [(FLAT, "v1"), (V2, "v2"), (V3, "v3")])
def test_each_version_is_read_without_a_remark(raw: dict[str, Any], version: str) -> None:
    card, notes = parse_card(raw)
    assert notes == []
    assert card.version == version
    assert (card.name, card.description, card.first_message) == ("Mira", "Keeps bees.", "Hello.")


def test_the_fields_of_version_2_are_read() -> None:
    card = read(V2)
    assert card.greetings == ("Hello.", "Good evening.", "Mind the hive.")
    assert (card.system_prompt, card.post_history_instructions) == ("{{original}} Be brief.", "No lists.")
    assert (card.creator, card.creator_notes, card.character_version) == ("me", "Be kind.", "2")
    assert card.tags == ("bees", "calm")
    assert card.extensions == {"other/program": {"kept": [1, None]}}


def test_examples_are_split_at_start_in_any_case() -> None:
    assert read(V2).example_messages == ("{{user}}: Hi\n{{char}}: Hello", "{{char}}: Bees!")


def test_the_nickname_is_what_char_becomes() -> None:
    assert read(V3).char == "Mi"
    assert read(V2).char == "Mira"
    assert read(inside(nickname=" \u200b")).char == "Mira"


def test_blank_greetings_are_no_greetings() -> None:
    card, notes = parse_card(inside(first_mes=" ", alternate_greetings=["", "Hm.", "\n"]))
    assert card.greetings == ("Hm.",)
    assert notes == []
    assert said.NO_GREETING in told(inside(first_mes="", alternate_greetings=None))


@pytest.mark.parametrize(
    ("odd", "greetings"),
    [
        ("Good evening.", ("Hello.", "Good evening.")),
        (None, ("Hello.",)),
        ("", ("Hello.",)),
        ([None, "A", 7, {"x": 1}], ("Hello.", "A", "7")),
        ({"0": "A", "1": "B"}, ("Hello.", "A", "B")),
        (True, ("Hello.",)),
    ],
)
def test_alternate_greetings_of_any_shape_are_read(odd: object, greetings: tuple[str, ...]) -> None:
    assert read(inside(alternate_greetings=odd)).greetings == greetings


def test_a_lone_greeting_is_told_about() -> None:
    _, notes = parse_card(inside(alternate_greetings="Good evening."))
    assert [str(note) for note in notes] == [tolerant.LIST_OF_ONE.format(field="alternate_greetings")]


def test_tags_in_one_line_are_split() -> None:
    assert read(inside(tags="bees, calm，山")).tags == ("bees", "calm", "山")


def test_numbers_where_text_belongs_are_read_as_text() -> None:
    card, notes = parse_card(inside(character_version=1.0, name=42, description=["One.", "Two."]))
    assert (card.character_version, card.name, card.description) == ("1", "42", "One.\nTwo.")
    assert {note.fields["field"] for note in notes} == {"character_version", "name", "description"}


def test_what_cannot_be_text_is_left_aside_and_kept() -> None:
    raw = inside(personality={"trait": "calm"})
    assert read(raw).personality == ""
    assert tolerant.LEFT_ASIDE in told(raw)
    assert read(raw).raw["data"]["personality"] == {"trait": "calm"}


def test_missing_extensions_are_empty() -> None:
    bare = {key: value for key, value in DATA.items() if key != "extensions"}
    assert read({**V2, "data": bare}).extensions == {}
    assert said.NO_EXTENSIONS in told({**V2, "data": bare})
    assert read(inside(extensions="none")).extensions == {}


def test_a_talkativeness_in_words_is_kept_and_told() -> None:
    raw = inside(extensions={"talkativeness": "0.5"})
    assert said.TALKATIVENESS in told(raw)
    assert card_to_json(read(raw))["data"]["extensions"]["talkativeness"] == "0.5"


@pytest.mark.parametrize("depth", ["", None, "deep", -1, float("nan")])
def test_a_depth_that_is_no_number_is_four(depth: object) -> None:
    raw = inside(extensions={"depth_prompt": {"prompt": "Bees hum.", "depth": depth, "role": "narrator"}})
    assert read(raw).depth_note == DepthNote(text="Bees hum.", depth=4, role="system")
    assert said.NOTE_DEPTH in told(raw)


def test_a_depth_note_is_read() -> None:
    note = {"prompt": "Bees hum.", "depth": "2", "role": "user"}
    assert read(inside(extensions={"depth_prompt": note})).depth_note == DepthNote(
        text="Bees hum.", depth=2, role="user"
    )
    assert read(inside(extensions={"depth_prompt": {"prompt": " ", "depth": 2}})).depth_note is None


@pytest.mark.parametrize(
    ("written", "shown", "note"),
    [
        ("", "Nameless", card_name.NAMELESS),
        ("   ", "Nameless", card_name.NAMELESS),
        ("\u200b\u202e", "Nameless", card_name.NAMELESS),
        ("x" * 500, "x" * 119 + "…", card_name.NAME_CUT),
        ("../../x", "../../x", card_name.NAME_LIKE_A_PATH),
        ("C:\\Windows", "C:\\Windows", card_name.NAME_LIKE_A_PATH),
        ("Mi\nra\u202e", "Mi ra", card_name.NAME_CLEANED),
    ],
)
def test_an_odd_name_is_shown_safely_and_kept_whole(written: str, shown: str, note: str) -> None:
    card = read(inside(name=written))
    assert card.name == shown
    assert card.written_name == card.raw["data"]["name"] == written
    assert note in told(inside(name=written))


def test_a_nameless_chinese_card_is_called_in_chinese() -> None:
    assert read({"name": "", "description": "一座雨夜里的客栈。"}).name == "无名"


def test_family_emoji_and_joined_scripts_survive_in_a_name() -> None:
    assert read(inside(name="👩\u200d🌾 Mira")).name == "👩\u200d🌾 Mira"


def test_copies_beside_data_fill_what_is_empty_and_lose_where_they_differ() -> None:
    raw = {**V2, "description": "Old.", "data": {**DATA, "scenario": ""}, "scenario": "A hill."}
    card, notes = parse_card(raw)
    assert (card.description, card.scenario) == ("Keeps bees.", "A hill.")
    assert {(note.template, note.fields["field"]) for note in notes} == {
        (said.TOLD_TWICE, "description"),
        (said.BESIDE_DATA, "scenario"),
    }


def test_equal_copies_beside_data_are_nothing_odd() -> None:
    assert told({**FLAT, **V2, "creatorcomment": "Be kind."}) == set()


def test_older_names_of_fields_are_known() -> None:
    raw = {
        "char_name": "Mira",
        "char_persona": "Keeps bees.",
        "world_scenario": "A hill.",
        "char_greeting": "Hello.",
        "example_dialogue": "Hi",
    }
    card = read(raw)
    assert (card.name, card.description, card.scenario) == ("Mira", "Keeps bees.", "A hill.")
    assert (card.first_message, card.example_dialogue) == ("Hello.", "Hi")
    assert told(raw) == {said.OLDER_KEY}


@pytest.mark.parametrize("spec", ["tavern_ai", 7, ["x"]])
def test_an_unknown_spec_is_read_by_what_it_holds(spec: object) -> None:
    assert read({**V2, "spec": spec}).greetings == read(V2).greetings
    assert read({**FLAT, "spec": spec}).description == "Keeps bees."
    assert said.UNKNOWN_SPEC in told({**FLAT, "spec": spec})


def test_a_newer_version_is_read_with_a_remark() -> None:
    assert said.NEWER_VERSION in told({**V3, "spec_version": "3.1"})
    assert told({**V3, "spec_version": 3}) == set()


@pytest.mark.parametrize(
    ("raw", "message"),
    [
        ({}, card_layout.NO_CARD),
        ({"title": "x", "data": {"y": 1}}, card_layout.NO_CARD),
        ({"a": 1}, card_layout.NO_CARD),
        ({"entries": {}, "name": "World"}, card_layout.IS_LOREBOOK),
        ({"spec": "lorebook_v3", "data": {"entries": [], "description": "d"}}, card_layout.IS_LOREBOOK),
        ({"prompts": [], "temperature": 1}, card_layout.IS_PRESET),
        ({"name": "Alpaca", "input_sequence": "###", "system_prompt": "Write."}, card_layout.IS_PRESET),
        ({"user_name": "A", "character_name": "B", "chat_metadata": {}}, card_layout.IS_CHAT),
    ],
)
def test_other_files_are_told_apart(raw: dict[str, Any], message: str) -> None:
    with pytest.raises(Invalid) as error:
        parse_card(raw)
    assert error.value.template == message


def test_a_name_alone_is_a_character_to_begin_with() -> None:
    assert read({"name": "Mira"}).name == "Mira"


def test_a_lorebook_inside_is_kept_and_announced() -> None:
    book = {"entries": [{"keys": ["hive"], "content": "Loud.", "unknown": 1}]}
    raw = inside(character_book=book)
    assert told(raw) == {said.BOOK_WAITS}
    assert card_to_json(read(raw))["data"]["character_book"] == {"extensions": {}, **book}
    assert told(inside(character_book=None)) == set()
    assert said.BROKEN_BOOK in told(inside(character_book="gone"))


def test_zero_bytes_and_half_characters_are_taken_out() -> None:
    card, notes = parse_card(inside(description="a\x00b\ud83dc", extensions={"k\x00": float("inf")}))
    assert card.description == "abc"
    assert card.extensions == {"k": None}
    assert [note.fields for note in notes if note.template == tolerant.UNSTORABLE] == [{"count": 3}]


def test_endless_nesting_is_refused() -> None:
    deep: list[object] = []
    for _ in range(5000):
        deep = [deep]
    with pytest.raises(Invalid):
        parse_card(inside(extensions={"deep": deep}))


def test_the_given_object_is_never_changed() -> None:
    raw = inside(extensions={"deep": {"x": 1}})
    card = read(raw)
    card_to_json(revise(card, name="Other"))
    assert raw == inside(extensions={"deep": {"x": 1}})


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("她把怀表推过柜台。", "zh"),
        ("She slides the watch over the counter.", "en"),
        ("青梧 (Qingwu) 是客栈的主人，守着一盏灯。{{user}} 推门进来。", "zh"),
        ("Qingwu, 青梧, keeps an inn on the old post road, and a lamp.", "en"),
        ("彼女は時計をそっと差し出した。", "en"),
        ("", "en"),
    ],
)
def test_the_language_is_guessed_by_script(text: str, language: str) -> None:
    assert read({"name": "x", "description": text, "first_mes": ""}).language == language


def test_the_creators_words_come_in_the_readers_language() -> None:
    card = read(inside(creator_notes_multilingual={"zh": "请善待它们。", "fr": 3}))
    assert card.creator_notes_in("zh") == "请善待它们。"
    assert card.creator_notes_in("en") == card.creator_notes_in("fr") == "Be kind."


def test_cards_are_values() -> None:
    assert read(V2) == read(V2)
    assert len({read(V2), read(V2), read(V3)}) == 2


json_values = st.recursive(
    st.none() | st.booleans() | st.integers(-9, 10**12) | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=6,
)
known = st.sampled_from(
    [key for keys in card_layout.TEXT_KEYS.values() for key in keys]
    + [*card_layout.LIST_KEYS, *card_layout.OPTIONAL_SHAPES, "extensions", "spec", "spec_version", "x_unknown"]
)
loose = st.dictionaries(known, json_values | st.text(max_size=30), max_size=12)
wild_cards = st.builds(
    lambda flat, data, wrapped: {**flat, "first_mes": "Hi", **({"data": data} if wrapped else {})},
    loose,
    loose,
    st.booleans(),
)


@given(wild_cards)
def test_any_object_with_a_greeting_is_read(raw: dict[str, Any]) -> None:
    card, notes = parse_card(raw)
    assert card.name.strip()
    assert len(card.name) <= card_name.LONGEST_NAME
    assert all(str(note) for note in notes)
