"""What a data folder looks like before anything in it is opened. It looks, and changes nothing."""

from __future__ import annotations

import tempfile
from pathlib import Path

from sqlalchemy.engine import make_url

from liyuan.store.secrets import KEY_FILE

#: What liyuan leaves in a data folder beside its database.
TRACES = ("jobs.sqlite3", "vectors", KEY_FILE)


def require_writable(folder: Path) -> None:
    """Raises OSError where nothing can be written. Pictures and keys are kept here, whatever the database is."""
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryFile(dir=folder):
        pass


def has_lost_its_database(folder: Path, database_url: str) -> bool:
    """Whether liyuan has been in this folder before and its database is gone."""
    url = make_url(database_url)
    if url.get_backend_name() != "sqlite" or not url.database or url.database == ":memory:":
        return False
    file = Path(url.database)
    return file.parent == folder and not file.exists() and any((folder / trace).exists() for trace in TRACES)
