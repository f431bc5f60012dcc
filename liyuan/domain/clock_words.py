"""A given moment in the words of a language. The moment comes from the caller; nothing here looks at a clock."""

from __future__ import annotations

from datetime import datetime
from typing import Literal

_MONTHS = (
    *("January", "February", "March", "April", "May", "June"),
    *("July", "August", "September", "October", "November", "December"),
)
_DAYS = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"]


def date_in(moment: datetime, language: Literal["zh", "en"]) -> str:
    if language == "zh":
        return f"{moment.year}年{moment.month}月{moment.day}日"
    return f"{_MONTHS[moment.month - 1]} {moment.day}, {moment.year}"


def time_in(moment: datetime, language: Literal["zh", "en"]) -> str:
    if language == "zh":
        return f"{moment.hour:02}:{moment.minute:02}"
    return f"{moment.hour % 12 or 12}:{moment.minute:02} {'AM' if moment.hour < 12 else 'PM'}"


def weekday_in(moment: datetime, language: Literal["zh", "en"]) -> str:
    day = moment.weekday()
    return "星期" + "一二三四五六日"[day] if language == "zh" else _DAYS[day]
