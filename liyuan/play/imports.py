"""A conversation that comes in from a file: the same tree, with its own ids where they are free, or nothing at all.

What the file held that we do not know is laid aside and goes out with the next export.
"""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, TypeAlias

from sqlalchemy import Connection, select

from liyuan.domain.card import parse_card
from liyuan.domain.conversation_file import ConversationFile, Fault, Unsound, leaf_of, renamed
from liyuan.domain.entry import ConversationId
from liyuan.domain.file_reading import read_file
from liyuan.domain.kept import lay_aside
from liyuan.resources import Resources
from liyuan.store.conversations import Conversation, create, load_conversation
from liyuan.store.database import Database, new_id
from liyuan.store.indexing import order
from liyuan.store.library import add_card, add_persona, prefer_persona
from liyuan.store.memories import story_shelf
from liyuan.store.planting import plant, taken_ids
from liyuan.store.tables import cards, conversations, personas

Policy: TypeAlias = Literal["quarantine", "reject"]

FAULTS = "Faults in this file: {count}. Nothing was taken in; import it with quarantine to take its sound part."
#: Ids that can stand in an address. Others are made anew.
USABLE = re.compile(r"[A-Za-z0-9_-]{1,64}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Imported:
    """What came in: how many entries, what was left out and why, and the ids that had to change (old → new)."""

    conversation: Conversation
    imported: int
    faults: tuple[Fault, ...] = ()
    ids: Mapping[str, str] = field(default_factory=dict)


async def import_conversation(resources: Resources, lines: Iterable[bytes], policy: Policy = "quarantine") -> Imported:
    """Takes a conversation file in, given line by line. See `import_file`."""
    file = await asyncio.to_thread(_read, lines, policy)
    return await resources.database.write(_plant, file)


def import_file(database: Database, lines: Iterable[bytes], policy: Policy = "quarantine") -> Imported:
    """Takes a conversation file in, in the calling thread, for commands.

    "quarantine" takes the sound part and tells of the rest; "reject" takes all or nothing. Raises Invalid for what is
    no conversation file, Unsound (with the faults) for one that is rejected or holds nothing sound.
    """
    file = _read(lines, policy)
    with database.writing_now() as connection:
        return _plant(connection, file)


def _read(lines: Iterable[bytes], policy: Policy) -> ConversationFile:
    file = read_file(lines)
    if file.faults and policy == "reject":
        raise Unsound(FAULTS, file.faults)
    return file


def _plant(connection: Connection, file: ConversationFile) -> Imported:
    ids = _new_ids(connection, file)
    file = renamed(file, ids)
    header = file.header
    conversation = create(
        connection,
        title=header.title,
        card_id=_card(connection, header.card) if header.card is not None else None,
        persona_id=_persona(connection, header.persona) if header.persona is not None else None,
        conversation_id=_conversation_id(connection, header.id),
        created_at=header.created_at or None,
        extra=lay_aside(file),
    )
    plant(
        connection,
        conversation.id,
        file.entries,
        leaf=leaf_of(file),
        journal=file.journal,
        cuts=file.cuts,
        margin=file.margin,
    )
    order(connection, story_shelf(conversation.id))
    return Imported(
        conversation=load_conversation(connection, conversation.id),
        imported=len(file.entries),
        faults=file.faults,
        ids=ids,
    )


def _new_ids(connection: Connection, file: ConversationFile) -> dict[str, str]:
    """New ids for the entries whose own is taken or cannot stand in an address."""
    taken = taken_ids(connection, (entry.id for entry in file.entries))
    return {entry.id: new_id() for entry in file.entries if entry.id in taken or not USABLE.fullmatch(entry.id)}


def _conversation_id(connection: Connection, wanted: str | None) -> ConversationId | None:
    if wanted is None or not USABLE.fullmatch(wanted):
        return None
    taken = connection.execute(select(conversations.c.id).where(conversations.c.id == wanted)).first()
    return None if taken else ConversationId(wanted)


def _card(connection: Connection, data: dict[str, Any]) -> str:
    """The character in the library that is equal to the file's, else a new one."""
    name = parse_card(data)[0].name
    rows = connection.execute(
        select(cards.c.id, cards.c.data).where(cards.c.name == name, cards.c.deleted_at.is_(None)).order_by(cards.c.id)
    )
    wanted = _as_json(data)
    return next((row.id for row in rows if _as_json(row.data) == wanted), None) or add_card(connection, name, data).id


def _as_json(data: object) -> str:
    """A form in which equal cards are equal, whatever the order of their keys, and 1 is neither 1.0 nor true."""
    return json.dumps(data, sort_keys=True)


def _persona(connection: Connection, data: dict[str, Any]) -> str:
    """The persona of the same name and description, else a new one, which does not become the default."""
    name, description = data["name"], data.get("description", "")
    known = connection.execute(
        select(personas.c.id).where(
            personas.c.name == name, personas.c.description == description, personas.c.deleted_at.is_(None)
        )
    ).scalar()
    if known:
        return str(known)
    added = add_persona(connection, name, description)
    if added.is_default:
        prefer_persona(connection, None)
    return added.id
