"""Where the files that are not Python live: inside the package once installed, beside it in a checkout."""

from __future__ import annotations

from functools import cache
from pathlib import Path

PACKAGE = Path(__file__).resolve().parent


def templates_dir() -> Path:
    return _found("templates")


def static_dir() -> Path:
    return _found("static")


def migrations_dir() -> Path:
    return _found("migrations")


def locales_dir() -> Path:
    return PACKAGE / "locales"


@cache
def _found(name: str) -> Path:
    packed = PACKAGE / name
    return packed if packed.is_dir() else PACKAGE.parent / name
