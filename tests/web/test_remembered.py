"""What was drawn once is not drawn again, until somebody asks to forget."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from markupsafe import Markup

from liyuan.web.remembered import MOST, Remembered, _made, forget_drawn
from tests.web.reader import Reader, texts


@pytest.fixture(autouse=True)
def nothing_remembered() -> Iterator[None]:
    forget_drawn()
    yield
    forget_drawn()


class Macro:
    """Counts how often it is asked to draw."""

    def __init__(self, name: str = "draw") -> None:
        self.name = name
        self.calls = 0

    def __call__(self, *values: object) -> Markup:
        self.calls += 1
        return Markup(f"{self.name} {values}")


def test_the_same_values_are_drawn_once() -> None:
    macro, remembered = Macro(), Remembered("en")
    assert remembered(macro, "a", 1) == remembered(macro, "a", 1)
    assert macro.calls == 1


def test_other_values_macros_and_languages_are_drawn_anew() -> None:
    macro = Macro()
    for language, one in (("en", macro), ("zh", macro), ("en", Macro("other"))):
        Remembered(language)(one, "a")
    Remembered("en")(macro, "b")
    assert macro.calls == 3


def test_the_oldest_makes_room() -> None:
    macro, remembered = Macro(), Remembered("en")
    for number in range(MOST + 1):
        remembered(macro, number)
    remembered(macro, MOST)
    assert macro.calls == MOST + 1
    remembered(macro, 0)
    assert macro.calls == MOST + 2


async def test_a_message_that_changes_is_drawn_as_it_is(reader: Reader) -> None:
    reply = await reader.tale.say("Hello?", reply="Yes?")
    assert texts(await reader.read())[-1] == "Yes?"
    await reader.tale.edit(reply, "No?", "in_place")
    assert texts(await reader.read())[-1] == "No?"
    await reader.tale.swipe(reply, reply="Well?")
    soup = await reader.read()
    assert soup.select(".count")[-1].get_text() == "2/2"


async def test_what_was_redacted_is_remembered_nowhere(reader: Reader) -> None:
    await reader.tale.say("A secret.", reply="Yes?")
    await reader.read()
    assert remembers("A secret.")
    words = (await reader.tale.items())[1].id
    await reader.act(f"entries/{words}/redact")
    assert not remembers("A secret.")


def remembers(words: str) -> bool:
    """Whether any page drawn so far is kept with these words."""
    return any(words in made or words in str(key) for key, made in _made.items())
