"""Knowledge: documents a person adds for one story, one character or everywhere. They hang on no branch."""

from __future__ import annotations

import asyncio

from sqlalchemy import Connection

from liyuan.domain.chunks import chunks
from liyuan.domain.entry import ConversationId
from liyuan.domain.errors import NotFound
from liyuan.play.document_files import kind_of, read_document
from liyuan.play.redaction import erase_vectors
from liyuan.resources import Resources
from liyuan.store.conversations import load_conversation
from liyuan.store.documents import (
    Document,
    Scope,
    add_document,
    document_shelf,
    list_documents,
    load_document,
    remove_document,
    shelves_of,
)
from liyuan.store.indexing import Order

LONGEST_NAME = 200


async def add_knowledge(
    resources: Resources, conversation_id: ConversationId, name: str, content: bytes, scope: Scope
) -> Document:
    """Reads a file and keeps it. Its words can be found at once, its meanings once it is indexed.

    Raises NotFound for the story, Invalid or TooLarge for the file; then nothing is kept.
    """
    text = await asyncio.to_thread(read_document, name, content)
    passages = await asyncio.to_thread(chunks, text)
    return await resources.database.write(_add, conversation_id, name, scope, len(text), passages)


def _add(
    connection: Connection,
    conversation_id: ConversationId,
    name: str,
    scope: Scope,
    characters: int,
    passages: tuple[str, ...],
) -> Document:
    story = load_conversation(connection, conversation_id)
    shelf = document_shelf(scope, conversation_id, story.card_id)
    return add_document(
        connection,
        shelf,
        name=name[-LONGEST_NAME:],
        kind=kind_of(name),
        characters=characters,
        passages=passages,
    )


def load_knowledge(connection: Connection, conversation_id: ConversationId) -> list[Document]:
    """The documents that a story may look into, latest first. Raises NotFound."""
    story = load_conversation(connection, conversation_id)
    return list_documents(connection, shelves_of(conversation_id, story.card_id))


async def remove_knowledge(resources: Resources, conversation_id: ConversationId, document_id: str) -> None:
    """Takes a document away for good, its vectors too. Raises NotFound for one that this story does not see."""
    ordered, gone = await resources.database.write(_remove, conversation_id, document_id)
    await resources.database.settle()
    await erase_vectors(resources, ordered, gone)


def _remove(connection: Connection, conversation_id: ConversationId, document_id: str) -> tuple[Order, list[int]]:
    story = load_conversation(connection, conversation_id)
    if load_document(connection, document_id).shelf not in shelves_of(conversation_id, story.card_id):
        raise NotFound(what="document", id=document_id)
    return remove_document(connection, document_id)
