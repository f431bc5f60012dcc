"""Finding memories by their words: FTS5 on SQLite, a tsvector on PostgreSQL. Both are given terms, never raw text.

Terms are cut by `domain/terms.py`, in Chinese too, so both databases find the same; they differ in how they rank.
FTS5 knows how rare a word is (BM25). PostgreSQL's ts_rank does not: it counts only how often a word stands there.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from typing import Any, Final

from sqlalchemy import Connection, Text, TextClause, bindparam, text

from liyuan.domain.entry import EntryId, Place
from liyuan.domain.terms import terms
from liyuan.store.stretches import up_from

# The rarest terms of a question that are looked for. More would only make the search slow.
MOST: Final = 24
# Terms that so many pieces hold, or more than a tenth of all, tell nothing that their search is worth.
COMMON: Final = 3000
ALWAYS: Final = 200
# The furthest position in a tsvector; words behind it share it.
LAST: Final = 16383
# Terms longer than this (a word of somebody's cat on the keyboard) are cut, since PostgreSQL takes 2 KB at most.
LONGEST: Final = 64

_UP = """
WITH RECURSIVE up (id, fork, last, parent) AS (
    SELECT id, fork_depth, CAST(:last_depth AS INTEGER), parent_segment_id FROM segments WHERE id = :from_segment
    UNION ALL
    SELECT above.id, above.fork_depth, up.fork, above.parent_segment_id
    FROM up JOIN segments above ON above.id = up.parent WHERE up.fork >= 0
)
"""
_ON_PATH = "JOIN up ON up.id = m.segment_id AND m.depth <= up.last"
_MATCHES = {
    "sqlite": ("memory_words MATCH :asked", "bm25(memory_words)"),
    "postgresql": (
        "memory_words.words @@ CAST(:asked AS tsquery)",
        "ts_rank(memory_words.words, CAST(:asked AS tsquery)) DESC",
    ),
}


def _search(dialect: str, *, on_path: bool) -> TextClause:
    matches, rank = _MATCHES[dialect]
    where = "m.entry_id NOT IN :gone" if on_path else "m.shelf = :shelf"
    made = text(
        f"{_UP if on_path else ''} SELECT m.seq FROM memory_words JOIN memories m ON m.seq = memory_words.rowid "
        f"{_ON_PATH if on_path else ''} WHERE {matches} AND {where} AND m.mark <> 'hidden' "
        f"ORDER BY {rank}, m.seq LIMIT :most"
    )
    return made.bindparams(bindparam("gone", type_=Text, expanding=True)) if on_path else made


_on_path = {dialect: _search(dialect, on_path=True) for dialect in _MATCHES}
_on_shelf = {dialect: _search(dialect, on_path=False) for dialect in _MATCHES}
_keep = {
    "sqlite": text("INSERT OR REPLACE INTO memory_words (rowid, words) VALUES (:seq, :words)"),
    "postgresql": text(
        "INSERT INTO memory_words (rowid, words) VALUES (:seq, CAST(:words AS tsvector)) "
        "ON CONFLICT (rowid) DO UPDATE SET words = excluded.words"
    ),
}
_rarest = text(
    "SELECT term FROM memory_vocabulary WHERE term IN :terms AND doc <= "
    "max(:always, min(:common, (SELECT max(rowid) FROM memory_words) / 10)) ORDER BY doc, term LIMIT :most"
).bindparams(bindparam("terms", expanding=True))
_forget = text("DELETE FROM memory_words WHERE rowid = :seq")


def keep_words(connection: Connection, rows: Iterable[tuple[int, str]]) -> None:
    """Makes memories, each given by number and text, findable by their words."""
    dialect = connection.dialect.name
    write = _tokens if dialect == "sqlite" else _tsvector
    values = [{"seq": seq, "words": write(said)} for seq, said in rows]
    if values:
        connection.execute(_keep[dialect], values)


def forget_words(connection: Connection, seqs: Collection[int]) -> None:
    """Takes memories out of the search for good: no word of them stays in the files of the search."""
    if not seqs:
        return
    connection.execute(_forget, [{"seq": seq} for seq in seqs])
    if connection.dialect.name == "sqlite":
        # FTS5 only notes that a row is gone; merging its parts into one drops what was noted.
        connection.execute(text("INSERT INTO memory_words (memory_words) VALUES ('optimize')"))


def search_path(
    connection: Connection, leaf: Place, asked: Sequence[str], *, gone: Collection[EntryId] = (), most: int
) -> list[int]:
    """The memories on the path of `leaf` that hold a term of `asked`, best first; not those of `gone`."""
    values = {**up_from(leaf), "gone": list(gone)}
    return _found(connection, _on_path, asked, most, values)


def search_shelf(connection: Connection, shelf: str, asked: Sequence[str], *, most: int) -> list[int]:
    """The memories on a shelf that hold a term of `asked`, best first."""
    return _found(connection, _on_shelf, asked, most, {"shelf": shelf})


def _found(
    connection: Connection, search: dict[str, TextClause], asked: Sequence[str], most: int, values: dict[str, Any]
) -> list[int]:
    dialect = connection.dialect.name
    known = _known(connection, asked)
    if not known:
        return []
    query = " OR ".join(f'"{term}"' for term in known) if dialect == "sqlite" else " | ".join(map(_quoted, known))
    return list(connection.execute(search[dialect], {**values, "asked": query, "most": most}).scalars())


def _known(connection: Connection, asked: Sequence[str]) -> list[str]:
    """The terms worth looking for: on SQLite those that something holds and not nearly everything, the rarest first."""
    asked = [term[:LONGEST] for term in asked]
    if not asked or connection.dialect.name != "sqlite":
        return asked[:MOST]
    values = {"terms": asked, "most": MOST, "always": ALWAYS, "common": COMMON}
    return list(connection.execute(_rarest, values).scalars())


def _tokens(said: str) -> str:
    return " ".join(term[:LONGEST] for term in terms(said))


def _tsvector(said: str) -> str:
    return " ".join(f"{_quoted(term[:LONGEST])}:{min(at, LAST)}" for at, term in enumerate(terms(said), start=1))


def _quoted(term: str) -> str:
    """A term as PostgreSQL reads it; ours are letters and digits alone."""
    return f"'{term}'"
