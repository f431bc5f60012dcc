"""The books by language."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from liyuan.model.playbook.book import Book
from liyuan.model.playbook.en import BOOK as EN
from liyuan.model.playbook.zh import BOOK as ZH
from liyuan.model.tongue import Tongue

BOOKS: Final[Mapping[Tongue, Book]] = {"en": EN, "zh": ZH}
