"""What memory keeps, in SQL: pieces of what was said, with their place in the tree, and pieces of documents.

This is the truth; the vectors are an index of it. An entry never changes, so its pieces never do, until it is redacted.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import Any, Final, Literal, TypeAlias

from sqlalchemy import Connection, bindparam, delete, exists, func, insert, select, update

from liyuan.domain.chunks import chunks
from liyuan.domain.entry import ASSISTANT, MESSAGE, REVISION, USER, ConversationId, Entry, EntryId
from liyuan.domain.errors import NotFound
from liyuan.domain.recall import Memory
from liyuan.store.branch import load_path
from liyuan.store.climb import is_above
from liyuan.store.codec import ENTRY_COLUMNS, entry_from
from liyuan.store.pruning import cut_at
from liyuan.store.tables import documents, entries, memories, pruned
from liyuan.store.tree import load_entry
from liyuan.store.words import forget_words, keep_words

Mark: TypeAlias = Literal["", "pinned", "hidden"]

# Entries read at a time on the way up, and ids named in one query.
RUN: Final = 100
MANY: Final = 5000

_columns = (
    memories.c.seq.label("id"),
    memories.c.text,
    memories.c.entry_id,
    memories.c.subject_id,
    memories.c.turn,
    memories.c.depth,
    memories.c.document_id,
    memories.c.mark,
    func.coalesce(documents.c.name, "").label("title"),
)
_by_number = (
    select(*_columns)
    .select_from(memories.outerjoin(documents, documents.c.id == memories.c.document_id))
    .where(memories.c.seq.in_(bindparam("seqs", expanding=True)))
)
_remembered = select(memories.c.entry_id).where(memories.c.entry_id.in_(bindparam("ids", expanding=True)))
_insert = insert(memories).returning(memories.c.seq, sort_by_parameter_order=True)


STORY: Final = "story-"


def story_shelf(conversation_id: ConversationId) -> str:
    return f"{STORY}{conversation_id}"


def story_of(shelf: str) -> ConversationId:
    return ConversationId(shelf.removeprefix(STORY))


def remember(connection: Connection, conversation_id: ConversationId, told: Iterable[Entry]) -> int:
    """Keeps what these entries say; those that are kept already, or say nothing, are passed over. Answers the pieces.

    A revision is kept where it stands and speaks of its target, which must be above it.
    """
    told = list(told)
    known = _known(connection, [entry.id for entry in told])
    rows: list[dict[str, Any]] = []
    for entry in told:
        if entry.id in known or not _tells(entry):
            continue
        subject = _subject(connection, conversation_id, entry)
        if subject is not None:
            rows += _pieces(entry, subject)
    return _keep(connection, story_shelf(conversation_id), rows)


def keep_passages(connection: Connection, shelf: str, document_id: str, passages: Sequence[str]) -> None:
    """Keeps the pieces of a document."""
    _keep(
        connection,
        shelf,
        ({"document_id": document_id, "part": part, "text": said} for part, said in enumerate(passages)),
    )


def _keep(connection: Connection, shelf: str, rows: Iterable[dict[str, Any]]) -> int:
    kept = [{"shelf": shelf, **row} for row in rows]
    if kept:
        seqs = connection.execute(_insert, kept).scalars()
        keep_words(connection, [(seq, row["text"]) for seq, row in zip(seqs, kept, strict=True)])
    return len(kept)


def _pieces(entry: Entry, subject: Entry) -> Iterator[dict[str, Any]]:
    place = {"segment_id": entry.place.segment_id, "depth": entry.depth, "turn": subject.place.turn}
    for part, said in enumerate(chunks(entry.text or "")):
        yield {"entry_id": entry.id, "subject_id": subject.id, "part": part, "text": said, **place}


def _tells(entry: Entry) -> bool:
    said = entry.kind == REVISION or (entry.kind == MESSAGE and entry.role in (USER, ASSISTANT))
    return said and bool((entry.text or "").strip())


def _subject(connection: Connection, conversation_id: ConversationId, entry: Entry) -> Entry | None:
    """The message that the words belong to; None for a revision of what is not above it."""
    if entry.kind != REVISION:
        return entry
    try:
        target = load_entry(connection, conversation_id, entry.target_id) if entry.target_id else None
    except NotFound:
        return None
    return target if target and target.kind == MESSAGE and is_above(connection, target, entry) else None


def _known(connection: Connection, ids: Sequence[EntryId]) -> set[EntryId]:
    return set(connection.execute(_remembered, {"ids": list(ids)}).scalars()) if ids else set()


def load_unremembered(
    connection: Connection, conversation_id: ConversationId, leaf: Entry, *, most: int
) -> tuple[list[Entry], bool]:
    """The end of a path that memory does not know yet, root → leaf, and whether that is all of it.

    Above an entry that is known everything is, or the shelf waits to be indexed.
    """
    missing: list[Entry] = []
    start: EntryId | None = leaf.id
    while start is not None and len(missing) < most:
        run = load_path(connection, start, most=RUN)
        known = _known(connection, [entry.id for entry in run])
        last = max((at for at, entry in enumerate(run) if entry.id in known), default=-1)
        missing = run[last + 1 :] + missing
        start = run[0].parent_id if last < 0 else None
    return missing, start is None


def load_unremembered_anywhere(
    connection: Connection, conversation_id: ConversationId, *, before: int | None, most: int
) -> tuple[list[Entry], int | None]:
    """Entries of any branch in sight that memory does not know, latest first, and where to go on; None at the end."""
    statement = (
        select(*ENTRY_COLUMNS, entries.c.seq)
        .where(
            entries.c.conversation_id == conversation_id,
            entries.c.kind.in_([MESSAGE, REVISION]),
            ~exists().where(memories.c.entry_id == entries.c.id),
        )
        .order_by(entries.c.seq.desc())
        .limit(most)
    )
    if before is not None:
        statement = statement.where(entries.c.seq < before)
    rows = connection.execute(statement).all()
    found = [entry_from(row) for row in rows]
    if connection.execute(select(pruned.c.entry_id).where(pruned.c.conversation_id == conversation_id)).first():
        found = [entry for entry in found if cut_at(connection, conversation_id, entry.place) is None]
    return found, rows[-1].seq if len(rows) == most else None


def load_memories(connection: Connection, seqs: Iterable[int]) -> dict[int, Memory]:
    """Memories by their numbers; those that are gone are left out."""
    found: dict[int, Memory] = {}
    for some in _some(list(seqs)):
        found |= {row.id: Memory(**row._mapping) for row in connection.execute(_by_number, {"seqs": some})}
    return found


def mark(connection: Connection, shelf: str, seq: int, how: Mark) -> None:
    """Pins a memory, so that it always comes on paths that hold it, or hides it; "" takes the mark away.

    Raises NotFound.
    """
    here = (memories.c.seq == seq) & (memories.c.shelf == shelf)
    if connection.execute(update(memories).where(here).values(mark=how)).rowcount != 1:
        raise NotFound(what="memory", id=seq)


def forget_entries(connection: Connection, ids: Collection[EntryId]) -> list[int]:
    """Takes everything that was kept of these entries away. Answers the numbers, whose vectors must go too."""
    return _forget(connection, memories.c.entry_id.in_(list(ids)))


def forget_document(connection: Connection, document_id: str) -> list[int]:
    """Takes the pieces of a document away. Answers the numbers, whose vectors must go too."""
    return _forget(connection, memories.c.document_id == document_id)


def _forget(connection: Connection, which: Any) -> list[int]:
    gone = list(connection.execute(select(memories.c.seq).where(which)).scalars())
    forget_words(connection, gone)
    connection.execute(delete(memories).where(which))
    return gone


def _some(seqs: list[int]) -> Iterator[list[int]]:
    return (seqs[at : at + MANY] for at in range(0, len(seqs), MANY))
