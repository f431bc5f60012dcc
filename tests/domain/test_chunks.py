"""A text is cut into whole sentences with a little carried over, and nothing of it is lost or reworded."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from liyuan.domain.chunks import SIZE, WIDE, chunks, weight

ENGLISH = "The rain came at dusk. She lit the lamp and waited. Nobody knocked. At ten a cart stopped below the window."
CHINESE = "雨又密了些，檐下的灯笼晃了一晃。她把怀表推过柜台。“客官，这东西不该在你手里。”他没有接话！"
texts = st.text(st.sampled_from("雨夜客栈怀表，。！？“”abc xyz.!?\n*　"), max_size=400)
sizes = st.integers(WIDE, 120)


def visible(text: str) -> str:
    return "".join(text.split())


def test_a_short_text_is_one_piece() -> None:
    assert chunks(ENGLISH) == (ENGLISH,)


def test_a_text_without_words_has_no_pieces() -> None:
    assert chunks(" \n\u3000\n") == ()


def test_english_is_cut_between_sentences() -> None:
    assert chunks(ENGLISH, size=48, overlap=0) == (
        "The rain came at dusk. She lit the lamp and waited.",
        "Nobody knocked. At ten a cart stopped below the window.",
    )


def test_chinese_is_cut_after_its_own_marks_and_closing_quotes() -> None:
    assert chunks(CHINESE, size=24 * WIDE, overlap=0) == (
        "雨又密了些，檐下的灯笼晃了一晃。",
        "她把怀表推过柜台。“客官，这东西不该在你手里。”",
        "他没有接话！",
    )


def test_the_last_sentence_of_a_piece_opens_the_next() -> None:
    pieces = chunks(ENGLISH, size=60, overlap=20)
    assert pieces[0].endswith("Nobody knocked.")
    assert pieces[1].startswith("Nobody knocked.")


def test_a_decimal_point_ends_no_sentence() -> None:
    assert chunks("It weighs 3.5 pounds. No more.", size=20, overlap=0) == ("It weighs 3.5 pounds.", "No more.")


def test_a_chinese_character_weighs_as_much_as_four_letters() -> None:
    assert weight("雨") == weight("rain")


def test_a_wide_space_weighs_nothing() -> None:
    assert weight("a\u3000b") == 2


@given(texts, sizes, st.integers(0, 40))
def test_no_piece_is_empty_or_too_heavy(text: str, size: int, overlap: int) -> None:
    for piece in chunks(text, size=size, overlap=overlap):
        assert piece.strip() == piece != ""
        assert weight(piece) <= size


@given(texts, sizes, st.integers(0, 40))
def test_every_piece_is_a_run_of_the_text_and_none_of_it_is_lost(text: str, size: int, overlap: int) -> None:
    at = reached = 0
    bare = visible(text)
    for piece in map(visible, chunks(text, size=size, overlap=overlap)):
        # The furthest place at which the piece can begin without leaving a gap.
        at = max(place for place in range(at, reached + 1) if bare.startswith(piece, place))
        reached = max(reached, at + len(piece))
    assert reached == len(bare)


@given(texts, sizes)
def test_without_overlap_the_pieces_are_the_text(text: str, size: int) -> None:
    assert visible("".join(chunks(text, size=size, overlap=0))) == visible(text)


def test_a_long_text_makes_pieces_of_about_the_usual_size() -> None:
    pieces = chunks(CHINESE * 30)
    assert all(SIZE // 2 < weight(piece) <= SIZE for piece in pieces[:-1])
