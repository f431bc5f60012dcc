"""Climbing by jumps tells the same as walking parent links, in every forest."""

from __future__ import annotations

from itertools import product, zip_longest

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from liyuan.domain.entry import ASSISTANT, USER, Draft, EntryId
from liyuan.domain.tree import Node, path_to
from liyuan.store.climb import is_above, parting
from liyuan.store.conversations import create
from liyuan.store.database import Database
from liyuan.store.planting import plant
from liyuan.store.tree import load_entry
from tests.conversation_files import message

parents = st.lists(st.none() | st.integers(1, 4), min_size=1, max_size=40)


def forest(shape: list[int | None]) -> list[Draft]:
    """Entries in a row: each hangs some places further up, or is a root."""
    made: list[Draft] = []
    for index, back in enumerate(shape):
        parent = made[index - back].id if back and back <= index else None
        made.append(message(f"e{index}", parent, role=USER if index % 2 else ASSISTANT))
    return made


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=30, deadline=None)
@given(parents)
def test_it_tells_what_a_walk_tells(database: Database, shape: list[int | None]) -> None:
    drafts = forest(shape)
    skeleton = {draft.id: Node(draft.id, draft.parent_id) for draft in drafts}
    with database.writing_now() as connection:
        tale = create(connection).id
        plant(connection, tale, drafts, leaf=drafts[-1].id)
        entries = [load_entry(connection, tale, draft.id) for draft in drafts]
        for one, other in product(entries, entries):
            ours, theirs = path_to(skeleton, one.id), path_to(skeleton, other.id)
            assert is_above(connection, one, other) == (one.id in theirs)
            parted = parting(connection, one, other)
            assert (parted.left, parted.right) == first_difference(ours, theirs)
        connection.rollback()


def first_difference(ours: list[EntryId], theirs: list[EntryId]) -> tuple[EntryId | None, EntryId | None]:
    return next((pair for pair in zip_longest(ours, theirs) if pair[0] != pair[1]), (None, None))
