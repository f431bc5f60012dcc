"""Tokens are counted with a real tokenizer and corrected by what the provider reports."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from liyuan.domain.tokens import (
    CAUTION,
    HIGHEST,
    LOWEST,
    PER_MESSAGE,
    PER_REQUEST,
    TELLING,
    Correction,
    correction_data,
    parse_correction,
    request_tokens,
)

reports = st.lists(st.tuples(st.integers(0, 10**6), st.none() | st.integers(-5, 10**7)), max_size=20)


def test_a_model_that_has_not_reported_is_counted_with_caution() -> None:
    assert Correction().correct(1000) == round(1000 * CAUTION)


def test_the_first_report_replaces_the_guess() -> None:
    assert Correction().learn(1000, 1250).correct(2000) == 2500


def test_later_reports_move_the_ratio_slowly() -> None:
    known = Correction().learn(1000, 1000)
    moved = known.learn(1000, 2000)
    assert 1.0 < moved.ratio < 1.5
    assert moved.reports == 2


def test_a_steady_report_is_learnt_in_the_end() -> None:
    known = Correction().learn(1000, 2000)
    for _ in range(30):
        known = known.learn(1000, 800)
    assert known.ratio == pytest.approx(0.8, abs=0.01)


@pytest.mark.parametrize("report", [None, 0, -1])
def test_a_server_that_reports_nothing_teaches_nothing(report: int | None) -> None:
    assert Correction().learn(1000, report) == Correction()


def test_a_short_request_is_mostly_format_and_teaches_nothing() -> None:
    assert Correction().learn(TELLING - 1, 900) == Correction()


@given(reports)
def test_no_report_carries_the_ratio_away(pairs: list[tuple[int, int | None]]) -> None:
    known = Correction()
    for counted, reported in pairs:
        known = known.learn(counted, reported)
    assert LOWEST <= known.ratio <= HIGHEST


@given(reports)
def test_a_correction_comes_back_from_its_json(pairs: list[tuple[int, int | None]]) -> None:
    known = Correction()
    for counted, reported in pairs:
        known = known.learn(counted, reported)
    back = parse_correction(correction_data(known))
    assert back.reports == known.reports
    assert back.ratio == pytest.approx(known.ratio, abs=1e-4)


@pytest.mark.parametrize(
    "data", [None, [], "1", {}, {"ratio": "1"}, {"ratio": float("nan"), "reports": 3}, {"ratio": 99, "reports": 3}]
)
def test_a_broken_correction_is_as_if_nothing_had_been_reported(data: object) -> None:
    assert parse_correction(data) == Correction()


def test_a_request_costs_its_texts_and_its_format() -> None:
    assert request_tokens(["abc", "de"], len) == 5 + 2 * PER_MESSAGE + PER_REQUEST
