"""Moments are told as people tell them."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from liyuan.web.times import said_when

NOW = datetime(2026, 1, 31, 12, tzinfo=UTC)


@pytest.mark.parametrize(
    ("at", "english", "chinese"),
    [
        ("2026-01-31T12:00:30.000Z", "just now", "刚刚"),
        ("2026-01-31T11:59:30.000Z", "just now", "刚刚"),
        ("2026-01-31T11:50:00.000Z", "10 minutes ago", "10分钟前"),
        ("2026-01-29T11:50:00.000Z", "2 days ago", "2天前"),
        ("2025-12-29T11:50:00.000Z", "December 29, 2025", "2025年12月29日"),
    ],
)
def test_the_further_back_the_less_exact(at: str, english: str, chinese: str) -> None:
    assert said_when(at, "en", now=NOW) == english
    assert said_when(at, "zh", now=NOW) == chinese
