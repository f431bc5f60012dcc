"""Browsers that have signed in: listed, seen again, ended."""

from __future__ import annotations

from sqlalchemy import update

from liyuan.store.database import Database
from liyuan.store.sign_ins import (
    end_other_sign_ins,
    end_sign_in,
    find_sign_in,
    keep_sign_in,
    list_sign_ins,
    see_sign_in,
)
from liyuan.store.tables import sign_ins

PAST = "2020-01-31T12:00:00.000Z"


def test_a_sign_in_is_found_until_it_is_ended(database: Database) -> None:
    with database.writing_now() as connection:
        kept = keep_sign_in(connection, "hash", "Firefox")
        assert find_sign_in(connection, "hash") == kept
        end_sign_in(connection, kept.id)
        assert find_sign_in(connection, "hash") is None


def test_a_sign_in_that_has_run_out_is_none(database: Database) -> None:
    with database.writing_now() as connection:
        keep_sign_in(connection, "hash", "Firefox")
        connection.execute(update(sign_ins).values(expires_at=PAST))
        assert find_sign_in(connection, "hash") is None
        assert list_sign_ins(connection) == ()


def test_a_browser_that_comes_again_stays_signed_in_for_longer(database: Database) -> None:
    with database.writing_now() as connection:
        keep_sign_in(connection, "hash", "Firefox")
        connection.execute(update(sign_ins).values(seen_at=PAST, expires_at="2100-01-31T12:00:00.000Z"))
        see_sign_in(connection, "hash")
        seen = find_sign_in(connection, "hash")
    assert seen is not None
    assert seen.seen_at > PAST
    assert seen.expires_at < "2100"


def test_the_one_seen_last_is_listed_first(database: Database) -> None:
    with database.writing_now() as connection:
        for name in ("first", "second", "third"):
            keep_sign_in(connection, name, name)
        connection.execute(update(sign_ins).where(sign_ins.c.token_hash == "second").values(seen_at=PAST))
        assert [sign_in.agent for sign_in in list_sign_ins(connection)][-1] == "second"


def test_all_others_can_be_ended_at_once(database: Database) -> None:
    with database.writing_now() as connection:
        for name in ("mine", "lost phone", "library"):
            keep_sign_in(connection, name, name)
        end_other_sign_ins(connection, "mine")
        assert [sign_in.id for sign_in in list_sign_ins(connection)] == ["mine"]


def test_a_browser_that_talks_much_about_itself_is_cut_short(database: Database) -> None:
    with database.writing_now() as connection:
        assert len(keep_sign_in(connection, "hash", "x" * 10_000).agent) == 200
