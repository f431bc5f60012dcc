"""A text that is being written is cut only where nothing that comes can change what stands before."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from liyuan.web.manuscript import Manuscript, settled_length
from liyuan.web.prose import growing_prose, prose


@pytest.mark.parametrize(
    ("text", "settled"),
    [
        ("", ""),
        ("She begins", ""),
        ("She begins.\n", ""),
        ("She begins.\n\n", ""),
        ("She begins.\n\nShe", "She begins.\n\n"),
        ("One.\n\nTwo.\n \nThr", "One.\n\nTwo.\n \n"),
        ("```\ncode\n\nmore", ""),
        ("```\ncode\n\nmore\n```\n\nAfter", "```\ncode\n\nmore\n```\n\n"),
        ("- one\n\n- two", ""),
        ("- one\n\nAfter.\n\nThen", "- one\n\nAfter.\n\n"),
        ("1. one\n\n   its own\n\nAfter.\n\nThen", "1. one\n\n   its own\n\nAfter.\n\n"),
        ("> said\n\n> more", ""),
    ],
)
def test_a_block_is_settled_when_nothing_can_join_it(text: str, settled: str) -> None:
    assert text[: settled_length(text)] == settled


def test_what_has_settled_is_given_once() -> None:
    manuscript = Manuscript()
    manuscript.write("One.\n\nTw")
    assert manuscript.turn_over() == "One.\n\n"
    assert manuscript.tail == "Tw"
    manuscript.write("o.")
    assert manuscript.turn_over() == ""
    assert manuscript.tail == "Two."


BLOCKS = st.sampled_from(
    [
        "She *turns*.",
        "“Yes?”",
        "- a\n- b",
        "- c\n\n  d",
        "1. e",
        "> f",
        "```\ng\n\nh\n```",
        "# i",
        "**j** k",
        "---",
        "雨停了。",
    ]
)


@given(st.lists(BLOCKS, min_size=1, max_size=6), st.lists(st.integers(1, 9), min_size=1))
def test_pieces_of_any_size_lead_to_the_page_that_the_whole_text_makes(blocks: list[str], sizes: list[int]) -> None:
    text = "\n\n".join(blocks)
    manuscript = Manuscript()
    shown = ""
    at = turn = 0
    while at < len(text):
        size = sizes[turn % len(sizes)]
        manuscript.write(text[at : at + size])
        shown += prose(manuscript.turn_over())
        growing_prose(manuscript.tail)
        at, turn = at + size, turn + 1
    assert shown + prose(manuscript.tail) == prose(text)
