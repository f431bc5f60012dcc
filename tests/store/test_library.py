"""Characters, personas, connections and preferences are kept, changed, deleted and brought back."""

from __future__ import annotations

import time
from collections.abc import Iterator

import pytest
from sqlalchemy import Connection

from liyuan.domain.errors import NotFound
from liyuan.store import library
from liyuan.store.database import Database


@pytest.fixture
def connection(database: Database) -> Iterator[Connection]:
    with database.writing_now() as connection:
        yield connection


def a_moment_later() -> None:
    """Ids of one millisecond have no order."""
    time.sleep(0.002)


def names(rows: tuple[library.CardRow, ...]) -> list[str]:
    return [row.name for row in rows]


def test_a_card_comes_back_as_it_was_put_in_with_its_keys_in_order(connection: Connection) -> None:
    data = {"spec": "chara_card_v3", "zeta": 1, "alpha": [None, "雨夜"], "data": {"name": "青梧"}}
    row = library.add_card(connection, "青梧", data, "ab12")
    back = library.load_card(connection, row.id)
    assert back == row
    assert list(back.data) == ["spec", "zeta", "alpha", "data"]


def test_the_newest_card_is_listed_first_and_the_list_can_be_read_in_pages(connection: Connection) -> None:
    for name in ("one", "two", "three"):
        library.add_card(connection, name, {})
        a_moment_later()
    first = library.list_cards(connection, limit=2)
    assert names(first) == ["three", "two"]
    assert names(library.list_cards(connection, before=first[-1].id)) == ["one"]


def test_cards_are_found_by_part_of_their_name_and_wildcards_mean_themselves(connection: Connection) -> None:
    for name in ("Ada Marlowe", "100% Ada", "青梧"):
        library.add_card(connection, name, {})
        a_moment_later()
    assert names(library.list_cards(connection, "ada")) == ["100% Ada", "Ada Marlowe"]
    assert names(library.list_cards(connection, "%")) == ["100% Ada"]
    assert names(library.list_cards(connection, "梧")) == ["青梧"]


def test_a_deleted_card_is_away_until_it_is_brought_back_and_its_stories_can_still_read_it(
    connection: Connection,
) -> None:
    row = library.add_card(connection, "Ada", {"name": "Ada"})
    library.delete_card(connection, row.id)
    assert library.list_cards(connection) == ()
    with pytest.raises(NotFound):
        library.load_card(connection, row.id)
    with pytest.raises(NotFound):
        library.change_card(connection, row.id, name="Eve")
    assert library.load_card(connection, row.id, deleted=True).name == "Ada"
    assert library.undelete_card(connection, row.id).name == "Ada"
    assert names(library.list_cards(connection)) == ["Ada"]


def test_changing_a_card_leaves_what_is_not_named_alone(connection: Connection) -> None:
    row = library.add_card(connection, "Ada", {"name": "Ada"}, "ab12")
    changed = library.change_card(connection, row.id, name="Eve", data={"name": "Eve"})
    assert (changed.name, changed.data, changed.image_id) == ("Eve", {"name": "Eve"}, "ab12")
    assert changed.created_at == row.created_at


def test_the_first_persona_is_the_default_and_there_is_only_one_default(connection: Connection) -> None:
    mei = library.add_persona(connection, "Mei")
    a_moment_later()
    lin = library.add_persona(connection, "Lin", "A traveller.")
    assert [row.is_default for row in library.list_personas(connection)] == [True, False]
    library.prefer_persona(connection, lin.id)
    assert [row.is_default for row in library.list_personas(connection)] == [False, True]
    library.delete_persona(connection, lin.id)
    assert library.default_persona(connection) is None
    assert library.undelete_persona(connection, lin.id).is_default is False
    library.prefer_persona(connection, mei.id)
    default = library.default_persona(connection)
    assert default is not None and default.id == mei.id


def test_a_persona_that_is_gone_cannot_become_the_default(connection: Connection) -> None:
    mei = library.add_persona(connection, "Mei")
    library.delete_persona(connection, mei.id)
    with pytest.raises(NotFound):
        library.prefer_persona(connection, mei.id)


def test_a_connection_keeps_its_sealed_key_and_options_through_deletion(connection: Connection) -> None:
    options = {"sampling": {"temperature": 0.8, "stop": ["\n\n"]}, "context_tokens": 8192}
    row = library.add_connection(
        connection, name="Home", provider="openai", base_url="http://127.0.0.1:8080/v1", sealed_key=b"\x00x"
    )
    library.change_connection(connection, row.id, options=options, model="qwen")
    library.delete_connection(connection, row.id)
    assert library.list_connections(connection) == ()
    assert library.default_connection(connection) is None
    back = library.undelete_connection(connection, row.id)
    assert (back.sealed_key, back.options, back.model) == (b"\x00x", options, "qwen")


def test_a_sealed_key_is_not_shown_when_a_connection_is_printed(connection: Connection) -> None:
    row = library.add_connection(connection, name="Home", provider="openai", sealed_key=b"sealed")
    assert "sealed" not in repr(row).replace("sealed_key", "")


def test_preferences_are_set_changed_and_forgotten_one_by_one(connection: Connection) -> None:
    library.keep_preferences(connection, theme="dark", gestures=False)
    library.keep_preferences(connection, theme="light")
    assert library.load_preferences(connection) == {"theme": "light", "gestures": False}
    library.keep_preferences(connection, theme=None)
    assert library.load_preferences(connection) == {"gestures": False}
