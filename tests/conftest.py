"""What every test may ask for. Databases are real and thrown away; nothing is patched."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from liyuan.store.database import Database
from liyuan.store.migrate import migrate


@pytest.fixture
def database(tmp_path: Path) -> Iterator[Database]:
    """A migrated SQLite database of this test's own."""
    made = Database(f"sqlite:///{tmp_path / 'liyuan.sqlite3'}")
    migrate(made)
    yield made
    made.close()
