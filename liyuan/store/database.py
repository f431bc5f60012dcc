"""The way to SQL: a unit of work is a plain function of a connection, run whole in one thread and one transaction.

Writers of SQLite stand in one line (one thread, BEGIN IMMEDIATE), so nobody meets a locked
database; readers have threads of their own. Measured in `benchmarks/`; see docs/decisions/0010-synchronous-store.md.
"""

from __future__ import annotations

import asyncio
import json
import secrets
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager, contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Concatenate, ParamSpec, TypeVar

from sqlalchemy import Connection, Engine, create_engine, event
from sqlalchemy.engine import make_url

P = ParamSpec("P")
T = TypeVar("T")

READERS = 4


def new_id() -> str:
    """A new id for anything: 24 hex digits, the first twelve milliseconds since 1970, so indexes grow at one end."""
    return f"{time.time_ns() // 1_000_000:012x}{secrets.token_hex(6)}"


def now() -> str:
    """The present moment as it is stored everywhere: ISO 8601 in UTC with milliseconds."""
    return datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


class Database:
    """One database and the threads that speak to it. `close` waits for the work at hand."""

    def __init__(self, url: str) -> None:
        self.url = url
        self.engine = _engine(url)
        self.is_sqlite = self.engine.dialect.name == "sqlite"
        self._readers = ThreadPoolExecutor(READERS, thread_name_prefix="read")
        self._writers = ThreadPoolExecutor(1 if self.is_sqlite else READERS, thread_name_prefix="write")

    async def read(self, work: Callable[Concatenate[Connection, P], T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Runs `work(connection, …)` in a reader's thread on one consistent view. Writes are refused by SQLite."""
        return await self._in(self._readers, self.reading_now, lambda connection: work(connection, *args, **kwargs))

    async def write(self, work: Callable[Concatenate[Connection, P], T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Runs `work(connection, …)` in the writer's thread; durable when this returns, undone whole when it raises."""
        return await self._in(self._writers, self.writing_now, lambda connection: work(connection, *args, **kwargs))

    async def _in(
        self,
        threads: ThreadPoolExecutor,
        transaction: Callable[[], AbstractContextManager[Connection]],
        work: Callable[[Connection], T],
    ) -> T:
        def whole() -> T:
            with transaction() as connection:
                return work(connection)

        return await asyncio.get_running_loop().run_in_executor(threads, whole)

    @contextmanager
    def reading_now(self) -> Iterator[Connection]:
        """A read-only transaction in the calling thread, for commands and tests."""
        with self.engine.connect() as connection:
            yield connection

    @contextmanager
    def writing_now(self) -> Iterator[Connection]:
        """A writing transaction in the calling thread, for commands and tests."""
        with self.engine.connect().execution_options(liyuan_writes=True) as connection, connection.begin():
            yield connection

    async def settle(self) -> None:
        """Lets nothing of what was overwritten linger in SQLite's write-ahead log. For redacting."""
        if self.is_sqlite:
            await asyncio.get_running_loop().run_in_executor(self._writers, self._checkpoint)

    def _checkpoint(self) -> None:
        with self.engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
            connection.exec_driver_sql("PRAGMA wal_checkpoint(TRUNCATE)")

    def close(self) -> None:
        self._writers.shutdown()
        self._readers.shutdown()
        self.engine.dispose()


def _engine(url: str) -> Engine:
    parsed = make_url(url)
    if parsed.get_backend_name() != "sqlite":
        return create_engine(parsed, pool_pre_ping=True, json_serializer=dumps, json_deserializer=_loads)
    if parsed.database:
        Path(parsed.database).parent.mkdir(parents=True, exist_ok=True)
    engine = create_engine(
        parsed,
        connect_args={"timeout": 30},
        json_serializer=dumps,
        json_deserializer=_loads,
        pool_size=READERS + 2,
    )
    event.listen(engine, "connect", _prepare_sqlite)
    event.listen(engine, "begin", _begin_sqlite)
    return engine


def dumps(value: object) -> str:
    """JSON as it is stored: UTF-8, no spaces, keys in the order they came."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def _loads(text: str) -> Any:
    """Most entries carry nothing, and reading a page of them should not parse a hundred empty objects."""
    return {} if text == "{}" else json.loads(text)


def _prepare_sqlite(raw: Any, _record: object) -> None:
    raw.isolation_level = None  # We say BEGIN ourselves; sqlite3's own way begins too late for a guard.
    for pragma in (
        "journal_mode=WAL",
        "synchronous=FULL",
        "foreign_keys=ON",
        "busy_timeout=30000",
        "temp_store=MEMORY",
        "secure_delete=ON",
    ):
        raw.execute(f"PRAGMA {pragma}")


def _begin_sqlite(connection: Connection) -> None:
    writes = connection.get_execution_options().get("liyuan_writes", False)
    connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")
