"""A conversation on its way out: the whole tree as a conversation file, or one branch as prose or as a chat.

Lines are read while they are written, so a long story costs no memory; only the branch of a chat is gathered first.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Literal, TypeAlias, TypeVar

from sqlalchemy import Connection

from liyuan.domain.chat_exports import Cast, Line, Saying, markdown, sillytavern
from liyuan.domain.conversation_file import Header, Visit, written
from liyuan.domain.entry import MESSAGE, ConversationId, Entry, EntryId
from liyuan.domain.errors import Invalid
from liyuan.domain.kept import Kept, put_back
from liyuan.domain.margin import of_branch
from liyuan.store.branch import Page, Shown, load_page, load_path
from liyuan.store.cast import load_cast
from liyuan.store.database import Database
from liyuan.store.harvest import Harvest, begin_harvest, load_entries, load_last_texts, load_visits
from liyuan.store.saves import load_save
from liyuan.store.tree import load_entry

ExportFormat: TypeAlias = Literal["jsonl", "sillytavern", "markdown"]
Branches: TypeAlias = Literal["active", "all"]

EXPORT = "export"
ONE_BRANCH = "Only the format “jsonl” holds all branches. Choose it, or export the active branch."
# Entries read at a time.
BATCH = 500

Value = TypeVar("Value")


@dataclass(frozen=True, slots=True)
class Export:
    """A file on its way out: a name that is safe to save under, its type, and its text in pieces."""

    name: str
    media_type: str
    text: Iterator[str]


def export_conversation(database: Database, conversation_id: ConversationId) -> Iterator[str]:
    """The whole tree, line by line, read as it is written. Blocks: for threads and commands. Raises NotFound."""
    with database.reading_now() as connection:
        harvest = begin_harvest(connection, conversation_id)
    return _whole(database, harvest)


def open_export(
    database: Database, conversation_id: ConversationId, kind: ExportFormat, branches: Branches | None = None
) -> Export:
    """A conversation as a file. By default a conversation file holds all branches, any other format the active one.

    Blocks, as does reading the text. Raises NotFound, or Invalid for all branches in a format that holds one.
    """
    with database.reading_now() as connection:
        harvest = begin_harvest(connection, conversation_id)
    name = _file_name(harvest)
    if kind == "jsonl":
        text = _active(database, harvest) if branches == "active" else _whole(database, harvest)
        return Export(f"{name}.jsonl", "application/jsonl", text)
    if branches == "all":
        raise Invalid(ONE_BRANCH)
    if kind == "sillytavern":
        return Export(f"{name}.jsonl", "application/jsonl", _chat(database, harvest, sillytavern))
    return Export(f"{name}.md", "text/markdown", _chat(database, harvest, markdown))


def open_save(database: Database, conversation_id: ConversationId, save_id: EntryId) -> Export:
    """The way to one save as a conversation file that opens at it. Blocks. Raises NotFound."""
    with database.reading_now() as connection:
        save = load_save(connection, conversation_id, save_id)
        harvest = begin_harvest(connection, conversation_id)
    name = f"{_file_name(harvest)}-{_safe(save.name)}".rstrip("-")
    return Export(f"{name}.jsonl", "application/jsonl", _branch(database, harvest, save_id))


def _file_name(harvest: Harvest) -> str:
    title = harvest.conversation.title or (harvest.card.name if harvest.card else "")
    return _safe(title) or "story"


def _safe(title: str) -> str:
    return re.sub(r"[^\w]+", "-", title).strip("-_")[:60]


def _header(harvest: Harvest, kept: Kept) -> Header:
    conversation, persona = harvest.conversation, harvest.persona
    return Header(
        id=conversation.id,
        title=conversation.title,
        card=dict(harvest.card.data) if harvest.card else None,
        persona={"name": persona.name, "description": persona.description, **kept.persona} if persona else None,
        created_at=conversation.created_at,
        extra=dict(kept.header),
    )


def _whole(database: Database, harvest: Harvest) -> Iterator[str]:
    kept = put_back(harvest.conversation.extra)
    visits = _in_batches(database, load_visits, harvest.move_numbers)
    return written(
        _header(harvest, kept),
        _in_batches(database, load_entries, harvest.entry_numbers),
        (kept.visit(place, visit) for place, visit in enumerate(visits)),
        map(kept.cut, harvest.cuts),
        kept.beside(harvest.margin),
        kept.lines,
    )


def _in_batches(
    database: Database, load: Callable[[Connection, Sequence[int]], Sequence[Value]], numbers: Sequence[int]
) -> Iterator[Value]:
    for start in range(0, len(numbers), BATCH):
        with database.reading_now() as connection:
            batch = load(connection, numbers[start : start + BATCH])
        yield from batch


def _active(database: Database, harvest: Harvest) -> Iterator[str]:
    """The active branch as a tree of one line; the journal says only where it ends."""
    return _branch(database, harvest, harvest.conversation.leaf_id)


def _branch(database: Database, harvest: Harvest, leaf_id: EntryId | None) -> Iterator[str]:
    conversation = harvest.conversation
    with database.reading_now() as connection:
        path = load_path(connection, leaf_id)
    end = [Visit(entry_id=leaf_id, cause=EXPORT, at=conversation.updated_at)] if path else []
    margin = of_branch(harvest.margin, {entry.id: entry for entry in path})
    return written(_header(harvest, put_back(conversation.extra)), path, end, margin=margin)


def _chat(
    database: Database, harvest: Harvest, write: Callable[[Cast, Iterable[Line]], Iterator[str]]
) -> Iterator[str]:
    leaf = harvest.conversation.leaf_id
    with database.reading_now() as connection:
        cast = _cast(connection, harvest)
        pages = list(_pages_up(connection, harvest.conversation.id, leaf)) if leaf else []
    items = chain.from_iterable(page.items for page in reversed(pages))
    return write(cast, _lines(database, harvest.conversation.id, items))


def _cast(connection: Connection, harvest: Harvest) -> Cast:
    conversation = harvest.conversation
    leaf = load_entry(connection, conversation.id, conversation.leaf_id) if conversation.leaf_id else None
    cast = load_cast(connection, conversation.id, leaf)
    return Cast(
        title=conversation.title,
        character=cast.card.char,
        reader=cast.persona.name,
        created_at=conversation.created_at,
    )


def _pages_up(connection: Connection, conversation_id: ConversationId, leaf: EntryId) -> Iterator[Page]:
    page = load_page(connection, conversation_id, leaf, limit=BATCH)
    yield page
    while page.prev:
        page = load_page(connection, conversation_id, leaf, limit=BATCH, before=page.prev)
        yield page


def _lines(database: Database, conversation_id: ConversationId, items: Iterable[Shown]) -> Iterator[Line]:
    messages = [shown for shown in items if shown.entry.kind == MESSAGE]
    for start in range(0, len(messages), BATCH):
        run = messages[start : start + BATCH]
        with database.reading_now() as connection:
            others = load_last_texts(connection, conversation_id, chain.from_iterable(map(_other_ids, run)))
        yield from (_line(shown, others) for shown in run)


def _variant_ids(shown: Shown) -> tuple[EntryId, ...]:
    return shown.variants.ids if shown.variants else (shown.id,)


def _other_ids(shown: Shown) -> list[EntryId]:
    return [key for key in _variant_ids(shown) if key != shown.id]


def _line(shown: Shown, others: dict[EntryId, Entry]) -> Line:
    ids = _variant_ids(shown)
    own = Saying(text=shown.text, at=shown.entry.created_at, model=_model(shown.entry))
    variants = tuple(own if key == shown.id else _saying(others[key]) for key in ids)
    return Line(is_user=shown.entry.is_user, variants=variants, chosen=ids.index(shown.id))


def _saying(entry: Entry) -> Saying:
    return Saying(text=entry.text or "", at=entry.created_at, model=_model(entry))


def _model(entry: Entry) -> str:
    return str(entry.data.get("model", ""))
