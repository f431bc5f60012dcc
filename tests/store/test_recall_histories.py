"""For random trees and moves: what a path may recall is what comparing one by one along the path finds, and no more."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlalchemy import Connection

from liyuan.domain.chunks import chunks
from liyuan.domain.entry import ASSISTANT, MESSAGE, REVISION, USER, ConversationId, Draft, EntryId
from liyuan.domain.terms import terms
from liyuan.memory.chroma import ChromaVectors
from liyuan.memory.in_memory import InMemoryVectors
from liyuan.memory.recall import Near, Vector, VectorStore
from liyuan.store.conversations import create
from liyuan.store.database import Database, new_id
from liyuan.store.indexing import load_pending, mark_embedded
from liyuan.store.memories import load_memories, load_unremembered, remember, story_shelf
from liyuan.store.migrate import migrate
from liyuan.store.moves import move
from liyuan.store.recall import load_field, load_seen
from liyuan.store.tree import append, load_entry
from tests.minds import WordEmbedder, cosine
from tests.postgres import new_database

WORDS = ["rain", "lamp", "watch", "ferry", "letter", "coat", "saint", "怀表", "渡口", "雨夜", "灯笼"]
MODEL = "words"
K = 6
texts = st.lists(st.sampled_from(WORDS), min_size=1, max_size=5).map(" ".join)
# What happens, to which entry (by its number among those there are), and in which words.
acts = st.lists(
    st.tuples(st.sampled_from(["say", "say", "say", "branch", "revise", "go", "remember"]), st.integers(0, 99), texts),
    min_size=1,
    max_size=30,
)


@dataclass
class Written:
    """One entry as the test remembers it."""

    id: EntryId
    parent: EntryId | None
    text: str
    target: EntryId | None = None


@dataclass
class History:
    """A conversation and, beside it, all that was ever written, in a list that knows only parents."""

    connection: Connection
    id: ConversationId
    written: dict[EntryId, Written] = field(default_factory=dict)
    leaf: EntryId | None = None

    def path(self, leaf: EntryId | None) -> list[Written]:
        found = []
        while leaf is not None:
            found.append(self.written[leaf])
            leaf = found[-1].parent
        return found[::-1]

    def wording(self, leaf: EntryId) -> dict[EntryId, Written]:
        """For each message on a path the entry that holds its words."""
        said: dict[EntryId, Written] = {}
        for one in self.path(leaf):
            said[one.target or one.id] = one
        return said

    def write(self, parent: EntryId | None, text: str, target: EntryId | None = None) -> None:
        kind, data = (REVISION, {"target_id": target}) if target else (MESSAGE, {})
        role = None if target else (ASSISTANT if len(self.written) % 2 else USER)
        draft = Draft(id=EntryId(new_id()), parent_id=parent, kind=kind, role=role, text=text, data=data)
        append(self.connection, self.id, draft, expected_leaf=self.leaf)
        self.written[draft.id] = Written(draft.id, parent, text, target)
        self.leaf = draft.id

    def act(self, name: str, number: int, text: str) -> None:
        here = list(self.written)
        some = here[number % len(here)] if here else None
        if name == "say" or some is None:
            self.write(self.leaf, text)
        elif name == "branch":
            self.write(self.written[some].parent, text)
        elif name == "revise":
            on_path = [one.id for one in self.path(self.leaf) if one.target is None]
            self.write(self.leaf, text, on_path[number % len(on_path)])
        elif name == "go":
            move(self.connection, self.id, some, expected_leaf=self.leaf, cause="move")
            self.leaf = some
        else:
            self.remember(self.leaf)

    def remember(self, leaf: EntryId | None) -> None:
        if leaf is not None:
            entry = load_entry(self.connection, self.id, leaf)
            missing, _ = load_unremembered(self.connection, self.id, entry, most=1000)
            remember(self.connection, self.id, missing)

    def brute(self, leaf: EntryId, asked: Vector, embedder: WordEmbedder) -> list[tuple[float, str]]:
        """Every piece of the path as it is worded there, the nearest first."""
        said = [piece for one in self.wording(leaf).values() for piece in chunks(one.text)]
        found = [(cosine(asked, asyncio.run(embedder.query(piece))), piece) for piece in said]
        return sorted(found, reverse=True)


@pytest.fixture(scope="module", params=["sqlite", "postgresql"])
def database(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Database]:
    folder = tmp_path_factory.mktemp("histories")
    made = Database(f"sqlite:///{folder / 'x.sqlite3'}" if request.param == "sqlite" else new_database())
    migrate(made)
    yield made
    made.close()


async def embed(connection: Connection, shelf: str, store: VectorStore, embedder: WordEmbedder) -> None:
    pieces = load_pending(connection, shelf, MODEL, near=None, most=1000)
    vectors = await embedder.passages([piece.text for piece in pieces])
    await store.add(shelf, {piece.seq: vector for piece, vector in zip(pieces, vectors, strict=True)})
    mark_embedded(connection, [piece.seq for piece in pieces], MODEL)


def prove(database: Database, happened: list[tuple[str, int, str]], asked: str, store: VectorStore) -> None:
    embedder = WordEmbedder(MODEL)
    with database.writing_now() as connection:
        history = History(connection, create(connection).id)
        for name, number, text in happened:
            history.act(name, number, text)
        for leaf in history.written:
            history.remember(leaf)
        shelf = story_shelf(history.id)
        asyncio.run(embed(connection, shelf, store, embedder))
        question = asyncio.run(embedder.query(asked))
        for leaf in list(history.written)[-4:]:
            look_from(connection, history, leaf, question, asked, store, embedder)
        connection.rollback()


def look_from(
    connection: Connection,
    history: History,
    leaf: EntryId,
    question: Vector,
    asked: str,
    store: VectorStore,
    embedder: WordEmbedder,
) -> None:
    seen = load_field(connection, history.id, leaf, model=MODEL, asked=terms(asked), most=1000)
    near: list[Near] = asyncio.run(store.nearest(story_shelf(history.id), question, seen.embedded, K))
    everything = [one.id for one in asyncio.run(store.around(story_shelf(history.id), question, 10_000))]
    visible = load_seen(connection, history.id, leaf, everything, model=MODEL)
    assert visible == set(map(int, seen.embedded)), "looked up one by one it is the same"
    few = load_field(connection, history.id, leaf, model=MODEL, asked=(), most=1000, few=2)
    assert set(map(int, few.embedded)) <= visible
    assert few.is_cut or len(few.embedded) == len(visible), "what is left out is told"
    known = load_memories(connection, [one.id for one in near])
    brute = history.brute(leaf, question, embedder)
    assert [one.likeness for one in near] == pytest.approx([likeness for likeness, _ in brute[:K]], abs=1e-5)
    assert len(seen.embedded) == len(brute)
    wording = history.wording(leaf)
    for memory in known.values():
        assert memory.subject_id is not None
        assert wording[memory.subject_id].id == memory.entry_id, "on the path, and in the words in force there"
    worded = load_memories(connection, seen.worded)
    wanted = sorted(one.text for one in wording.values() if set(terms(one.text)) & set(terms(asked)))
    assert sorted(memory.text for memory in worded.values()) == wanted


@given(acts, texts)
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=60)
def test_recall_is_brute_force_over_the_path(
    database: Database, happened: list[tuple[str, int, str]], asked: str
) -> None:
    prove(database, happened, asked, InMemoryVectors())


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::DeprecationWarning")
@pytest.mark.parametrize("short", [0, 400], ids=["by Chroma's own search", "by a list of vectors"])
def test_chroma_recalls_what_brute_force_does(tmp_path: Path, database: Database, short: int) -> None:
    store = ChromaVectors(tmp_path, short=short)

    @given(acts, texts)
    @settings(max_examples=8)
    def run(happened: list[tuple[str, int, str]], asked: str) -> None:
        prove(database, happened, asked, store)

    run()
    asyncio.run(store.close())
