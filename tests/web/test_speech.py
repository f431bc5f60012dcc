"""A message as it is drawn: whose turn it opens, which tellings stand beside it, what it is set in."""

from __future__ import annotations

import pytest

from liyuan.domain.entry import Entry, EntryId, Place, Variants
from liyuan.store.branch import Shown
from liyuan.web.speech import Who, language_of, slot_of, speech_of, speeches_of

ASH = Who(name="Ash")
READER = Who(name="Wren", is_reader=True)


def message(
    key: str, role: str = "assistant", *, parent: str | None = "p", kind: str = "message", **more: object
) -> Shown:
    entry = Entry(
        id=EntryId(key),
        parent_id=EntryId(parent) if parent else None,
        kind=kind,
        role=role,
        text=key,
        place=Place(segment_id=1, depth=0, turn=0),
    )
    return Shown(entry=entry, text=key, status="complete", **more)  # type: ignore[arg-type]


def test_the_first_message_of_a_speakers_turn_opens_it() -> None:
    run = [message("a"), message("b"), message("c", "user"), message("d", "user"), message("e")]
    assert [one.opens for one in speeches_of(run, ASH, READER)] == [True, False, True, False, True]


def test_what_is_no_message_is_not_drawn_and_parts_no_turn() -> None:
    run = [message("a"), message("s", kind="rp-state"), message("b")]
    assert [(one.id, one.opens) for one in speeches_of(run, ASH, READER)] == [("a", True), ("b", False)]


def test_the_tellings_beside_a_message_are_known() -> None:
    ids = (EntryId("x"), EntryId("a"), EntryId("z"))
    speech = speech_of(message("a", variants=Variants(index=1, ids=ids)), ASH)
    assert (speech.index, speech.total, speech.before, speech.after) == (2, 3, "x", "z")


def test_a_message_alone_is_the_only_telling() -> None:
    speech = speech_of(message("a"), ASH)
    assert (speech.index, speech.total, speech.before, speech.after) == (1, 1, None, None)


def test_replies_can_be_retold_and_greetings_and_the_readers_words_cannot() -> None:
    assert speech_of(message("a"), ASH).can_be_retold
    assert not speech_of(message("a", parent=None), ASH).can_be_retold
    assert not speech_of(message("a", "user"), READER).can_be_retold


def test_all_tellings_of_a_place_share_its_name() -> None:
    assert speech_of(message("a"), ASH).slot == speech_of(message("b"), ASH).slot == slot_of(EntryId("p"))
    assert slot_of(None) != slot_of(EntryId("p"))


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("她把怀表推过柜台。", "zh"),
        ("“OK，”她说。", "zh"),
        ("She says 你好 to the whole of the house.", "en"),
        ("…", "en"),
        ("", "en"),
    ],
)
def test_a_text_is_set_as_its_language_asks(text: str, language: str) -> None:
    assert language_of(text) == language
