"""Browsers that have signed in. Only a hash of what their cookie holds is stored, and it is the sign-in's id."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from sqlalchemy import Connection, Row, delete, insert, select, update

from liyuan.store.database import now
from liyuan.store.tables import sign_ins

LASTS = timedelta(days=30)
AGENT_LENGTH = 200


@dataclass(frozen=True, slots=True, kw_only=True)
class SignIn:
    """One browser. Times are ISO 8601 in UTC; it ends by itself when it has not been seen until `expires_at`."""

    id: str
    agent: str
    created_at: str
    seen_at: str
    expires_at: str


def keep_sign_in(connection: Connection, token_hash: str, agent: str) -> SignIn:
    """Lets a browser in; sign-ins that have run out are forgotten on the way."""
    connection.execute(delete(sign_ins).where(sign_ins.c.expires_at <= now()))
    row = {
        "token_hash": token_hash,
        "agent": agent[:AGENT_LENGTH],
        "created_at": now(),
        "seen_at": now(),
        "expires_at": _later(),
    }
    connection.execute(insert(sign_ins), row)
    return SignIn(id=token_hash, **{name: value for name, value in row.items() if name != "token_hash"})


def find_sign_in(connection: Connection, token_hash: str) -> SignIn | None:
    """The sign-in, while it is in force."""
    row = connection.execute(
        select(sign_ins).where(sign_ins.c.token_hash == token_hash, sign_ins.c.expires_at > now())
    ).one_or_none()
    return _made(row) if row else None


def see_sign_in(connection: Connection, sign_in_id: str) -> None:
    """The browser has come again: it stays signed in for another while."""
    connection.execute(
        update(sign_ins).where(sign_ins.c.token_hash == sign_in_id).values(seen_at=now(), expires_at=_later())
    )


def list_sign_ins(connection: Connection) -> tuple[SignIn, ...]:
    """All in force, the one seen last first."""
    rows = connection.execute(select(sign_ins).where(sign_ins.c.expires_at > now()).order_by(sign_ins.c.seen_at.desc()))
    return tuple(_made(row) for row in rows)


def end_sign_in(connection: Connection, sign_in_id: str) -> None:
    """That browser must sign in again with its next request. An unknown id is no error: it has ended already."""
    connection.execute(delete(sign_ins).where(sign_ins.c.token_hash == sign_in_id))


def end_other_sign_ins(connection: Connection, sign_in_id: str) -> None:
    """Every browser but this one must sign in again."""
    connection.execute(delete(sign_ins).where(sign_ins.c.token_hash != sign_in_id))


def _later() -> str:
    return (datetime.now(UTC) + LASTS).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def _made(row: Row[tuple[str, ...]]) -> SignIn:
    return SignIn(
        id=row.token_hash,
        agent=row.agent,
        created_at=row.created_at,
        seen_at=row.seen_at,
        expires_at=row.expires_at,
    )
