"""The opening state from the card, before the first word."""

from __future__ import annotations

from liyuan.domain.card_world import CardWorld, card_world


def test_a_card_opens_the_world() -> None:
    opened = card_world(
        {
            "liyuan": {
                "fields": [{"name": "hp", "type": "bar", "max": 20}],
                "world": {
                    "location": "渡口",
                    "hp": 20,
                    "characters": {"青梧": {"affinity": 10}},
                    "inventory": ["灯笼"],
                },
            }
        }
    )
    assert opened.opening.location == "渡口"
    assert opened.opening.custom == {"hp": 20}
    assert opened.opening.roster.items == {"灯笼": ""}
    assert opened.notes == ()


def test_what_is_odd_about_an_opening_is_noted_and_the_rest_is_taken() -> None:
    opened = card_world({"liyuan": {"world": {"location": "渡口", "weather": "rain"}}})
    assert opened.opening.location == "渡口"
    assert "weather" in str(opened.notes[0])


def test_a_card_without_a_world_opens_empty() -> None:
    assert card_world({"depth_prompt": {}}) == CardWorld()
