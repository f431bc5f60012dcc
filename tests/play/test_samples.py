"""The characters everyone begins with are whole, play by the house's own rules, and look right everywhere."""

from __future__ import annotations

import json
import re
from io import BytesIO
from xml.etree import ElementTree

import pytest
from PIL import Image

from liyuan.domain.card import Card, card_to_json, parse_card
from liyuan.domain.macros import expand, scope_of, unknown_macros
from liyuan.domain.persona import Persona
from liyuan.play.card_files import read_card_file, write_card_png
from liyuan.play.samples import FOLDER, KEYS, sample_cards

CARDS = [pytest.param(card, id=key) for key, card, _, _ in sample_cards()]
SVG = "{http://www.w3.org/2000/svg}"


def test_there_is_one_of_each_language() -> None:
    assert [(key, card.name, card.language) for key, card, _, _ in sample_cards()] == [
        ("qingwu", "青梧", "zh"),
        ("ottoline", "Ottoline Pell", "en"),
    ]


@pytest.mark.parametrize("key", KEYS)
def test_a_sample_is_a_strict_card_without_a_remark(key: str) -> None:
    raw = json.loads((FOLDER / f"{key}.json").read_bytes())
    card, notes = parse_card(raw)
    assert notes == []
    assert card_to_json(card, "v3") == raw


@pytest.mark.parametrize("card", CARDS)
def test_a_sample_has_all_that_a_story_needs(card: Card) -> None:
    texts = (card.description, card.personality, card.scenario, card.creator_notes)
    assert all(len(text) > 40 for text in texts)
    assert len(card.greetings) == 3
    assert len(set(card.greetings)) == 3
    assert len(card.example_messages) == 2
    assert (card.system_prompt, card.post_history_instructions) == ("", "")
    assert card.creator_notes_in("zh") != card.creator_notes_in("en")


@pytest.mark.parametrize("card", CARDS)
def test_every_greeting_holds_action_and_speech(card: Card) -> None:
    spoken = "“[^”]+”" if card.language == "zh" else '"[^"]+"'
    for greeting in card.greetings:
        assert re.search(spoken, greeting)
        assert greeting.count("*") % 2 == 0
        assert greeting.startswith("*")


@pytest.mark.parametrize("card", CARDS)
def test_every_macro_of_a_sample_is_known(card: Card) -> None:
    scope = scope_of(card, Persona(id="p", name="Lin"), seed="entry")
    for text in (card.description, card.personality, card.scenario, card.example_dialogue, *card.greetings):
        assert unknown_macros(text) == ()
        assert "{{" not in expand(text, scope)


@pytest.mark.parametrize(("key", "card", "svg", "png"), sample_cards(), ids=KEYS)
def test_portraits_are_drawn_in_one_shape_and_carry_nothing_active(
    key: str, card: Card, svg: bytes, png: bytes
) -> None:
    drawing = ElementTree.fromstring(svg)
    assert drawing.get("viewBox") == "0 0 512 768"
    assert drawing.get("aria-label") == card.name
    names = {element.tag.removeprefix(SVG) for element in drawing.iter()}
    assert not names & {"script", "foreignObject", "image", "a", "style"}
    assert not any(name.startswith("on") for element in drawing.iter() for name in element.attrib)
    assert Image.open(BytesIO(png)).size == (512, 768)


@pytest.mark.parametrize(("key", "card", "svg", "png"), sample_cards(), ids=KEYS)
def test_a_sample_goes_out_as_a_picture_and_comes_back(key: str, card: Card, svg: bytes, png: bytes) -> None:
    again, image, notes = read_card_file(write_card_png(card, png))
    assert (again, notes) == (card, [])
    assert image is not None
