"""A conversation file comes in as the tree it was, and goes out again byte for byte (api.md)."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from sqlalchemy import delete, func, select

from liyuan.domain.conversation_file import ConversationFile, Cut, Header, Unsound, leaf_of
from liyuan.domain.entry import ConversationId, Draft, EntryId
from liyuan.domain.errors import Invalid
from liyuan.play.exports import export_conversation
from liyuan.play.imports import import_conversation, import_file
from liyuan.store.branch import load_page
from liyuan.store.conversations import list_conversations, load_conversation
from liyuan.store.database import Database
from liyuan.store.library import add_card, add_persona, default_persona, load_card, load_persona
from liyuan.store.migrate import migrate
from liyuan.store.tables import cards, entries, metadata
from liyuan.store.verify import verify
from tests.conversation_files import AT, as_lines, as_text, conversation_files, message, reply, visit
from tests.postgres import new_database
from tests.tale import Tale, card, theatre

A_STORY = ConversationFile(
    header=Header(
        id="rain", title="雨夜", card=card("青梧"), persona={"name": "阿远", "description": ""}, created_at=AT
    ),
    entries=(reply("g", None), message("u", "g"), reply("a", "u"), reply("b", "u"), message("v", "b")),
    journal=(visit("g"), visit("u"), visit("a"), visit("b", "swipe"), visit("v"), visit("a", "select")),
)


def take_in(database: Database, file: ConversationFile) -> ConversationId:
    return import_file(database, as_lines(as_text(file))).conversation.id


def given_out(database: Database, conversation_id: ConversationId) -> str:
    return "".join(export_conversation(database, conversation_id))


def test_a_file_goes_out_as_it_came_in(database: Database) -> None:
    text = as_text(A_STORY)
    assert given_out(database, take_in(database, A_STORY)) == text


@pytest.fixture(scope="module", params=["sqlite", pytest.param("postgresql", marks=pytest.mark.slow)])
def shelf(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Database]:
    sqlite = f"sqlite:///{tmp_path_factory.mktemp('shelf') / 'liyuan.sqlite3'}"
    made = Database(new_database() if request.param == "postgresql" else sqlite)
    migrate(made)
    yield made
    made.close()


@settings(
    suppress_health_check=[HealthCheck.function_scoped_fixture],
    max_examples=40,
    phases=[Phase.generate, Phase.explicit],
    deadline=None,
)
@given(file=conversation_files())
def test_whatever_comes_in_goes_out_equal_and_comes_in_again(shelf: Database, file: ConversationFile) -> None:
    """Ids that are taken are exchanged, so a second copy has the same tree under other names."""
    empty(shelf)
    one = import_file(shelf, as_lines(as_text(file)))
    first = given_out(shelf, one.conversation.id)
    with shelf.reading_now() as connection:
        assert list(verify(connection, one.conversation.id)) == []
    if file.journal and leaf_of(file) == file.journal[-1].entry_id:
        assert first == as_text(file)
    two = import_file(shelf, as_lines(first))
    second = given_out(shelf, two.conversation.id)
    assert len(two.ids) == one.imported
    header, *lines = map(json.loads, as_lines(second))
    assert header == {**json.loads(as_lines(first)[0]), "id": two.conversation.id}
    assert lines == [renamed(json.loads(line), two.ids) for line in as_lines(first)[1:]]


def empty(shelf: Database) -> None:
    with shelf.writing_now() as connection:
        for table in reversed(metadata.sorted_tables):
            connection.execute(delete(table))


def renamed(line: dict[str, Any], names: Mapping[str, str]) -> dict[str, Any]:
    """A line with the new ids where it names entries."""

    def names_an_entry(key: str, value: object) -> bool:
        return isinstance(value, str) and (key.endswith("_id") or (key == "id" and line.get("type") == "entry"))

    named = {key: names.get(value, value) if names_an_entry(key, value) else value for key, value in line.items()}
    return {**named, "data": renamed(named["data"], names)} if isinstance(named.get("data"), dict) else named


async def test_a_story_that_was_played_comes_back_equal_on_another_server(tale: Tale, tmp_path: Path) -> None:
    early = await tale.say("hello", reply="welcome")
    await tale.say("who are you", reply="Ash")
    await tale.swipe(early, reply="hm")
    await tale.edit(early, "Welcome.", "branch")
    await tale.choose(early)
    last = (await tale.items())[-1].id
    await tale.edit(last, "I am Ash.", "in_place")
    await tale.prune(early)
    first = given_out(tale.resources.database, tale.id)
    async with theatre(tmp_path / "other") as other:
        imported = await import_conversation(other, as_lines(first))
        assert (imported.conversation.id, imported.faults, imported.ids) == (tale.id, (), {})
        assert given_out(other.database, tale.id) == first
        assert await other.database.read(lambda connection: list(verify(connection))) == []
        page = await other.database.read(load_page, tale.id)
        assert [(item.id, item.text, item.variants) for item in page.items] == [
            (item.id, item.text, item.variants) for item in await tale.items()
        ]


def test_ids_that_are_taken_are_exchanged(database: Database) -> None:
    take_in(database, A_STORY)
    again = import_file(database, as_lines(as_text(A_STORY)))
    assert again.conversation.id != "rain"
    assert set(again.ids) == {"g", "u", "a", "b", "v"}
    assert again.conversation.leaf_id == again.ids["a"]


def test_what_speaks_of_an_entry_follows_its_new_id(database: Database) -> None:
    revision = Draft(
        id=EntryId("r"), parent_id=EntryId("a"), kind="revision", text="A!", data={"target_id": "a"}, created_at=AT
    )
    file = replace(A_STORY, entries=(*A_STORY.entries, revision), journal=(visit("r"),))
    take_in(database, file)
    again = import_file(database, as_lines(as_text(file)))
    with database.reading_now() as connection:
        shown = load_page(connection, again.conversation.id).items
    assert [item.text for item in shown if item.entry.kind == "message"] == ["g", "u", "A!"]


def test_ids_that_cannot_stand_in_an_address_are_exchanged(database: Database) -> None:
    file = ConversationFile(header=Header(id="../up"), entries=(message("a/b", None),))
    imported = import_file(database, as_lines(as_text(file).replace('"created_at":""', f'"created_at":"{AT}"')))
    assert set(imported.ids) == {"a/b"}
    assert "/" not in imported.conversation.id


def test_a_character_that_is_there_already_is_used(database: Database) -> None:
    with database.writing_now() as connection:
        row = add_card(connection, "青梧", card("青梧"), "a-picture")
    conversation_id = take_in(database, A_STORY)
    with database.reading_now() as connection:
        assert load_conversation(connection, conversation_id).card_id == row.id
        assert connection.execute(select(func.count()).select_from(cards)).scalar() == 1


def test_a_character_that_differs_is_added(database: Database) -> None:
    with database.writing_now() as connection:
        row = add_card(connection, "青梧", card("青梧", description="Somebody else."))
    conversation_id = take_in(database, A_STORY)
    with database.reading_now() as connection:
        added = load_conversation(connection, conversation_id).card_id
        assert added not in (None, row.id)
        assert load_card(connection, str(added)).data == card("青梧")


def test_a_persona_is_found_or_added_but_never_made_the_default(database: Database) -> None:
    conversation_id = take_in(database, A_STORY)
    with database.writing_now() as connection:
        persona_id = load_conversation(connection, conversation_id).persona_id
        assert load_persona(connection, str(persona_id)).name == "阿远"
        assert default_persona(connection) is None
        own = add_persona(connection, "阿远", "A courier.")
    again = take_in(database, A_STORY)
    with database.reading_now() as connection:
        assert load_conversation(connection, again).persona_id == persona_id != own.id


def test_a_leaf_inside_a_pruned_part_is_left(database: Database) -> None:
    file = replace(A_STORY, cuts=(Cut(entry_id=EntryId("a"), leaf_id=EntryId("a"), at=AT),))
    imported = import_file(database, as_lines(as_text(file)))
    assert imported.conversation.leaf_id == "v"


DAMAGED = [*as_lines(as_text(A_STORY))[:4], b"{broken\n", *as_lines(as_text(A_STORY))[5:]]


def test_quarantine_takes_the_sound_part_and_tells_of_the_rest(database: Database) -> None:
    imported = import_file(database, DAMAGED)
    assert imported.imported == 3
    assert [fault.line for fault in imported.faults] == [5, 6, 10, 11]
    assert all(fault.reason for fault in imported.faults)
    with database.reading_now() as connection:
        assert [item.id for item in load_page(connection, imported.conversation.id).items] == ["g", "u", "a"]


def test_reject_takes_nothing_and_names_every_line(database: Database) -> None:
    with pytest.raises(Unsound) as refused:
        import_file(database, DAMAGED, "reject")
    assert [fault.line for fault in refused.value.faults] == [5, 6, 10, 11]
    assert refused.value.fields["quarantined"] == [
        {"line": fault.line, "reason": fault.reason} for fault in refused.value.faults
    ]
    with database.reading_now() as connection:
        assert list_conversations(connection) == ([], None)
        assert connection.execute(select(func.count()).select_from(entries)).scalar() == 0


def test_a_damaged_file_never_becomes_an_empty_story(database: Database) -> None:
    with pytest.raises(Unsound):
        import_file(database, [as_lines(as_text(A_STORY))[0], b"{broken\n"])


def test_a_chat_of_another_program_is_refused_politely(database: Database) -> None:
    with pytest.raises(Invalid, match="SillyTavern"):
        import_file(database, [b'{"user_name":"You","character_name":"Q"}\n'])
