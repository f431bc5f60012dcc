"""Brings a database to the newest schema. Alembic, slow to import, is loaded only when there is work."""

from __future__ import annotations

import re
from importlib import import_module

from sqlalchemy import Connection, inspect, text

from liyuan.assets import migrations_dir
from liyuan.store.database import Database

_REVISION = re.compile(r'^revision = "(\w+)"$', re.MULTILINE)
_DOWN = re.compile(r'^down_revision = (?:"(\w+)"|None)$', re.MULTILINE)


def migrate(database: Database) -> bool:
    """Runs what is missing, in one transaction. Tells whether there was anything to run."""
    if is_current(database):
        return False
    with database.writing_now() as connection:
        config = import_module("alembic.config").Config()
        config.set_main_option("script_location", str(migrations_dir()))
        config.set_main_option("path_separator", "os")
        config.attributes["connection"] = connection
        import_module("alembic.command").upgrade(config, "head")
    return True


def is_current(database: Database) -> bool:
    """Whether the schema is the newest. Changes nothing."""
    with database.reading_now() as connection:
        return _version(connection) == newest()


def newest() -> str:
    """The revision that no other one builds on, read from the files without running them."""
    sources = [path.read_text(encoding="utf-8") for path in (migrations_dir() / "versions").glob("*.py")]
    revisions = {match[1] for source in sources if (match := _REVISION.search(source))}
    built_on = {match[1] for source in sources if (match := _DOWN.search(source))}
    (last,) = revisions - built_on
    return last


def _version(connection: Connection) -> str | None:
    if not inspect(connection).has_table("alembic_version"):
        return None
    found: str | None = connection.execute(text("SELECT version_num FROM alembic_version")).scalar_one_or_none()
    return found
