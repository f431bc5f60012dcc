"""Moments as people say them, in their language. Exact ones stand beside them in `datetime`."""

from __future__ import annotations

from datetime import UTC, datetime

from babel.dates import format_date, format_timedelta

WEEK = 7 * 24 * 3600


def said_when(at: str, language: str, *, now: datetime | None = None) -> str:
    """“3 hours ago” within a week, the date before that. `at` is ISO 8601 as the store writes it."""
    moment = datetime.fromisoformat(at)
    past = moment - (now or datetime.now(UTC))
    if past.total_seconds() > -60:
        return _JUST_NOW[language]
    if past.total_seconds() > -WEEK:
        return format_timedelta(past, add_direction=True, locale=language, threshold=1)
    return format_date(moment, "long", locale=language)


_JUST_NOW = {"en": "just now", "zh": "刚刚"}
