"""`verify` derives what is known of saves anew, and names what differs."""

from __future__ import annotations

from typing import Any

import pytest
from sqlalchemy import Connection, delete, update

from liyuan.play import context, saves
from liyuan.store.tables import saves as rows
from liyuan.store.tables import tags, worldlines
from tests.tale import Tale


def break_above(connection: Connection) -> None:
    connection.execute(update(rows).values(above_id=None))


def break_line(connection: Connection) -> None:
    connection.execute(update(rows).values(worldline_id="one"))
    connection.execute(worldlines.insert().values(conversation_id=_story(connection), id="one", name="one"))


def lose_row(connection: Connection) -> None:
    connection.execute(delete(rows).where(rows.c.name == "two"))


def lose_line(connection: Connection) -> None:
    connection.execute(delete(worldlines))


def dangle(connection: Connection) -> None:
    connection.execute(update(tags).values(entry_id="nothing"))


def _story(connection: Connection) -> Any:
    return connection.execute(rows.select()).first().conversation_id  # type: ignore[union-attr]


@pytest.mark.parametrize(
    ("break_it", "told"),
    [
        (break_above, "the save above it is None and should be"),
        (break_line, "it lies beside its worldline"),
        (lose_row, "a save is not listed"),
        (lose_line, "its worldline is not there"),
        (dangle, "the tag 'here' names it but it was never there"),
    ],
)
async def test_what_differs_is_named(tale: Tale, break_it: Any, told: str) -> None:
    one = await saves.save(tale.resources, tale.id, "one", expected_leaf=await tale.leaf())
    await tale.say("hello", reply="welcome")
    await saves.save(tale.resources, tale.id, "two", expected_leaf=await tale.leaf())
    await tale.go(one.save.id)
    await tale.say("down", reply="dark")
    await saves.save(tale.resources, tale.id, "three", expected_leaf=await tale.leaf())
    await context.tag(tale.resources, tale.id, "here")
    assert await tale.faults() == []
    await tale.resources.database.write(break_it)
    assert any(fault.what.startswith(told) for fault in await tale.faults())
