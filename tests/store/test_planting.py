"""A planted tree is the tree that would have grown entry by entry: same places, same segments' shape, same tips."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlalchemy import Connection, select

from liyuan.domain.conversation_file import Cut
from liyuan.domain.entry import ASSISTANT, USER, ConversationId, Draft, EntryId
from liyuan.domain.journal import GROWTH, Move
from liyuan.store.branch import load_page, load_path, load_variants
from liyuan.store.conversations import create, load_conversation
from liyuan.store.database import Database, new_id
from liyuan.store.journal import load_moves, tip_below
from liyuan.store.moves import move
from liyuan.store.planting import IMPORT, plant, taken_ids
from liyuan.store.pruning import load_pruned
from liyuan.store.tables import tips
from liyuan.store.tree import append, load_entry
from liyuan.store.verify import verify
from tests.conversation_files import AT, message, reply, visit


@pytest.fixture
def connection(database: Database) -> Iterator[Connection]:
    with database.writing_now() as connection:
        yield connection


@pytest.fixture
def tale(connection: Connection) -> ConversationId:
    return create(connection).id


TREE = (reply("g", None), message("u", "g"), reply("a", "u"), reply("b", "u"), message("v", "b"), reply("c", "v"))
JOURNAL = (visit("g"), visit("u"), visit("a"), visit("b", "swipe"), visit("v"), visit("c"), visit("a", "select"))


def test_the_reader_is_where_the_file_says(connection: Connection, tale: ConversationId) -> None:
    plant(connection, tale, TREE, leaf=EntryId("a"), journal=JOURNAL)
    assert load_conversation(connection, tale).leaf_id == "a"
    assert [shown.id for shown in load_page(connection, tale).items] == ["g", "u", "a"]
    assert list(verify(connection, tale)) == []


def test_a_variant_comes_back_with_its_whole_tail(connection: Connection, tale: ConversationId) -> None:
    plant(connection, tale, TREE, leaf=EntryId("a"), journal=JOURNAL)
    chosen, leaf = (load_entry(connection, tale, EntryId(key)) for key in ("b", "a"))
    assert tip_below(connection, chosen, leaf) == "c"


def test_variants_keep_their_order(connection: Connection, tale: ConversationId) -> None:
    plant(connection, tale, TREE, leaf=EntryId("c"))
    entry = load_entry(connection, tale, EntryId("b"))
    variants = load_variants(connection, tale, [entry])[entry.id]
    assert (variants.ids, variants.index) == (("a", "b"), 1)


def test_the_journal_is_kept_and_ends_at_the_leaf(connection: Connection, tale: ConversationId) -> None:
    plant(connection, tale, TREE, leaf=EntryId("c"), journal=JOURNAL[:2])
    moved = load_moves(connection, tale)
    assert moved[:2] == [Move(None, EntryId("g"), GROWTH, AT), Move(EntryId("g"), EntryId("u"), GROWTH, AT)]
    assert [(one.from_id, one.to_id, one.cause) for one in moved[2:]] == [("u", "c", IMPORT)]


def test_pruned_parts_stay_pruned(connection: Connection, tale: ConversationId) -> None:
    plant(connection, tale, TREE, leaf=EntryId("a"), cuts=[Cut(entry_id=EntryId("b"), leaf_id=EntryId("c"), at=AT)])
    assert load_pruned(connection, tale) == ["b"]
    entry = load_entry(connection, tale, EntryId("a"))
    assert load_variants(connection, tale, [entry])[entry.id].total == 1


def test_nothing_is_a_tree_too(connection: Connection, tale: ConversationId) -> None:
    plant(connection, tale, (), leaf=None)
    assert load_conversation(connection, tale).leaf_id is None
    assert load_moves(connection, tale) == []


def test_ids_that_are_taken_are_found(connection: Connection, tale: ConversationId) -> None:
    plant(connection, tale, TREE, leaf=EntryId("c"))
    assert taken_ids(connection, ["g", "nobody", *map(str, range(20_000))]) == {"g"}


@st.composite
def shapes(draw: st.DrawFn) -> list[tuple[int | None, str]]:
    """Each entry's parent, as a place in the list, and who speaks."""
    size = draw(st.integers(1, 14))
    return [
        (draw(st.none() | st.integers(0, i - 1)) if i else None, draw(st.sampled_from([USER, ASSISTANT])))
        for i in range(size)
    ]


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=40, deadline=None)
@given(shapes(), st.lists(st.integers(0, 13), max_size=6))
def test_it_is_the_tree_that_would_have_grown(
    database: Database, shape: list[tuple[int | None, str]], stops: list[int]
) -> None:
    with database.writing_now() as connection:
        drafts = in_shape(shape)
        grown = grow(connection, drafts, [drafts[stop % len(drafts)].id for stop in stops])
        twins = in_shape(shape)
        new = {one.id: twin.id for one, twin in zip(drafts, twins, strict=True)}
        journal = [visit(new[one.to_id] if one.to_id else None, one.cause) for one in load_moves(connection, grown)]
        planted = create(connection).id
        plant(connection, planted, twins, leaf=journal[-1].entry_id, journal=journal)
        assert list(verify(connection)) == []
        for one, twin in new.items():
            assert [new[above.id] for above in load_path(connection, one)] == [
                above.id for above in load_path(connection, twin)
            ]
        assert {(new[key], new[tip]) for key, tip in tips_in(connection, grown)} == tips_in(connection, planted)


def in_shape(shape: list[tuple[int | None, str]]) -> list[Draft]:
    keys = [new_id() for _ in shape]
    return [
        message(key, None if parent is None else keys[parent], role=role)
        for key, (parent, role) in zip(keys, shape, strict=True)
    ]


def grow(connection: Connection, drafts: list[Draft], stops: list[EntryId]) -> ConversationId:
    """The tree as a reader would make it, and a few moves afterwards."""
    tale = create(connection).id
    leaf: EntryId | None = None
    for draft in drafts:
        leaf = append(connection, tale, draft, expected_leaf=leaf).id
    for stop in stops:
        move(connection, tale, stop, expected_leaf=leaf, cause="move")
        leaf = stop
    return tale


def tips_in(connection: Connection, tale: ConversationId) -> set[tuple[EntryId, EntryId]]:
    rows = connection.execute(select(tips.c.entry_id, tips.c.leaf_id).where(tips.c.conversation_id == tale))
    return {(row.entry_id, row.leaf_id) for row in rows}
