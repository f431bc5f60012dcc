"""However a server cuts its text: whole characters come out, and thinking is told from speech."""

from __future__ import annotations

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from liyuan.model.chat import Delta, Reasoning
from liyuan.model.speech import ThoughtsApart, WholeCharacters


def cut(text: str, places: list[int]) -> list[str]:
    edges = [0, *sorted(place % (len(text) + 1) for place in places), len(text)]
    return [text[start:end] for start, end in pairwise(edges)]


def heard(pieces: list[str]) -> tuple[str, str]:
    thoughts = ThoughtsApart()
    spoken = [said for piece in pieces for said in thoughts.feed(piece)] + list(thoughts.rest())
    return (
        "".join(said.text for said in spoken if isinstance(said, Reasoning)),
        "".join(said.text for said in spoken if isinstance(said, Delta)),
    )


places = st.lists(st.integers(min_value=0, max_value=60), max_size=8)


@given(places)
def test_thinking_at_the_start_is_kept_apart_however_it_is_cut(at: list[int]) -> None:
    assert heard(cut("\n<think>One < two.</think>\n\nYes, <b>two</b>.", at)) == ("One < two.", "Yes, <b>two</b>.")


@given(places)
def test_a_tag_further_on_is_part_of_the_text(at: list[int]) -> None:
    assert heard(cut("Well, <think>no</think>.", at)) == ("", "Well, <think>no</think>.")


@given(places, st.sampled_from(["<thi", "<", "<thinking", " ", "<b>x", "Hello", ""]))
def test_what_only_looks_like_a_tag_is_not_lost(at: list[int], text: str) -> None:
    assert heard(cut(text, at)) == ("", text)


@given(places)
def test_thinking_that_never_ends_is_thinking(at: list[int]) -> None:
    assert heard(cut("<thinking>Round and round </thin", at)) == ("Round and round </thin", "")


@given(st.text(max_size=20))
def test_halves_of_characters_are_joined(text: str) -> None:
    data = text.encode("utf-16-le")
    halves = [data[n : n + 2].decode("utf-16-le", "surrogatepass") for n in range(0, len(data), 2)]
    whole = WholeCharacters()
    assert "".join(whole.feed(half) for half in halves) + whole.rest() == text.replace("\0", "")


def test_half_a_character_alone_shows_as_a_replacement() -> None:
    whole = WholeCharacters()
    assert whole.feed("a\ud83c") + whole.feed("b") + whole.rest() == "a\ufffdb"
    assert whole.feed("\ud83c") + whole.rest() == "\ufffd"


def test_nul_is_no_text() -> None:
    assert WholeCharacters().feed("a\0b") == "ab"
