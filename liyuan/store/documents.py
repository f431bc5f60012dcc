"""Documents that a person adds: for one story, one character, or everywhere. They hang on no branch."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

from sqlalchemy import Connection, delete, insert, select

from liyuan.domain.entry import ConversationId
from liyuan.domain.errors import NotFound
from liyuan.store.database import new_id, now
from liyuan.store.indexing import Order, order
from liyuan.store.memories import forget_document, keep_passages
from liyuan.store.tables import documents, memories

Scope: TypeAlias = Literal["story", "character", "everywhere"]
EVERYWHERE: Final = "everywhere"


@dataclass(frozen=True, slots=True, kw_only=True)
class Document:
    """One document. `characters` counts its text, `kind` is what its name ended in."""

    id: str
    shelf: str
    name: str
    kind: str
    characters: int
    created_at: str

    @property
    def scope(self) -> Scope:
        if self.shelf == EVERYWHERE:
            return "everywhere"
        return "character" if self.shelf.startswith("character-") else "story"


_columns = tuple(documents.c[name] for name in Document.__dataclass_fields__)


def document_shelf(scope: Scope, conversation_id: ConversationId, card_id: str | None) -> str:
    """The shelf of a scope as it is seen from one story."""
    if scope == "story" or (scope == "character" and card_id is None):
        return f"documents-{conversation_id}"
    return EVERYWHERE if scope == "everywhere" else f"character-{card_id}"


def shelves_of(conversation_id: ConversationId, card_id: str | None) -> list[str]:
    """Every shelf of documents that a story may look into."""
    mine = [document_shelf("story", conversation_id, card_id), EVERYWHERE]
    return [*mine, document_shelf("character", conversation_id, card_id)] if card_id else mine


def add_document(
    connection: Connection, shelf: str, *, name: str, kind: str, characters: int, passages: Sequence[str]
) -> Document:
    """Keeps a document by its passages, and asks for their vectors."""
    made = Document(id=new_id(), shelf=shelf, name=name, kind=kind, characters=characters, created_at=now())
    connection.execute(insert(documents).values({key: getattr(made, key) for key in Document.__dataclass_fields__}))
    keep_passages(connection, shelf, made.id, passages)
    order(connection, shelf)
    return made


def list_documents(connection: Connection, shelves: Sequence[str]) -> list[Document]:
    """The documents on these shelves, latest first."""
    statement = select(*_columns).where(documents.c.shelf.in_(shelves)).order_by(documents.c.id.desc())
    return [Document(**row._mapping) for row in connection.execute(statement)]


def load_document(connection: Connection, document_id: str) -> Document:
    """One document. Raises NotFound."""
    row = connection.execute(select(*_columns).where(documents.c.id == document_id)).first()
    if row is None:
        raise NotFound(what="document", id=document_id)
    return Document(**row._mapping)


def remove_document(connection: Connection, document_id: str) -> tuple[Order, list[int]]:
    """Takes a document away for good. Answers the order to erase its vectors, and their numbers. Raises NotFound."""
    gone = load_document(connection, document_id)
    seqs = forget_document(connection, document_id)
    connection.execute(delete(documents).where(documents.c.id == document_id))
    return order(connection, gone.shelf, erases=True), seqs


def load_embedded_passages(connection: Connection, shelf: str, model: str) -> list[str]:
    """The numbers, as text, of all passages on a shelf that have a vector of this model."""
    statement = select(memories.c.seq).where(
        memories.c.shelf == shelf, memories.c.vector_of == model, memories.c.mark != "hidden"
    )
    return [str(seq) for seq in connection.execute(statement).scalars()]
