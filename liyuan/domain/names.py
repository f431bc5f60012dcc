"""When two names mean one person or thing: case and outer spaces do not count, and the first spelling stays."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache
from unicodedata import normalize

_UNSTORABLE = re.compile("[\x00\ud800-\udfff]")
_COUNT = re.compile(r"\s*(?:[x×*＊]\s*\d+|[(（]\s*[x×*＊]?\s*\d+\s*[)）])$", re.IGNORECASE)


def clean(text: str) -> str:
    """The text without outer spaces and without what no database holds (zero bytes, halves of characters)."""
    return _UNSTORABLE.sub("", text).strip()


def one_line(text: str) -> str:
    """The text on one line, runs of white space closed up."""
    return " ".join(clean(text).split())


@lru_cache(maxsize=4096)
def fold(name: str) -> str:
    """The form in which two spellings of one name are equal."""
    return normalize("NFC", clean(name)).casefold()


def spelling(name: str, known: Iterable[str]) -> str:
    """The first spelling of this name among those known, else the name itself, cleaned."""
    folded = fold(name)
    return next((other for other in known if fold(other) == folded), clean(name))


def without_count(item: str) -> str:
    """The thing itself: "silver needle ×3" is a silver needle, however many there are."""
    return _COUNT.sub("", item) or item
