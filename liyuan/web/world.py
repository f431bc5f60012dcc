"""The World panel: what is true at the leaf, what this turn changed of it, and a form in the place of every value."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import ClassVar

from fastapi import Request
from sqlalchemy import Connection

from liyuan.domain.entry import MESSAGE, STATE, ConversationId, Entry
from liyuan.domain.note import Note
from liyuan.play.world import Ledger, load_ledger
from liyuan.store.branch import load_path
from liyuan.store.tree import load_entry
from liyuan.web.moments import History
from liyuan.web.redraw import resources_of
from liyuan.web.render import View
from liyuan.web.story import address_of
from liyuan.web.told import changes_of
from liyuan.web.visitor import Visitor, visitor_of
from liyuan.web.world_shown import World, world_of

#: So many entries may lie between the leaf and the last message.
NEAR = 24


@dataclass(frozen=True)
class WorldView(View):
    """`refused` is what an amendment could not do, `history` the way of one field when it was asked for."""

    template: ClassVar[str] = "world/_world.html"
    is_kept: ClassVar[bool] = True
    world: World
    refused: tuple[str, ...] = ()
    history: History | None = None


async def draw(request: Request, story_id: ConversationId) -> WorldView:
    return WorldView(await read_world(request, story_id))


async def read_world(request: Request, story_id: ConversationId) -> World:
    return await resources_of(request).database.read(load_world_panel, story_id, visitor_of(request))


def load_world_panel(connection: Connection, story_id: ConversationId, visitor: Visitor) -> World:
    ledger = load_ledger(connection, story_id)
    path = load_path(connection, ledger.leaf_id, most=NEAR)
    notes = (*ledger.standing.notes, *ledger.standing.snapshot.warnings)
    below, is_this_turn = _of_this_turn(connection, story_id, ledger, path)
    return world_of(
        ledger,
        changes_of(below),
        address=address_of(story_id),
        is_this_turn=is_this_turn,
        is_opening=not path or path[-1].place.turn == 0,
        notes=tuple(in_words(visitor, notes)),
    )


def _of_this_turn(
    connection: Connection, story_id: ConversationId, ledger: Ledger, path: Sequence[Entry]
) -> tuple[list[Entry], bool]:
    """The snapshots below the last message; where there are none, the one in force from before."""
    last = max((at for at, entry in enumerate(path) if entry.kind == MESSAGE), default=-1)
    below = [entry for entry in path[last + 1 :] if entry.kind == STATE]
    if below or ledger.standing.entry_id is None:
        return below, True
    return [load_entry(connection, story_id, ledger.standing.entry_id)], False


def in_words(visitor: Visitor, notes: Iterable[Note]) -> Iterable[str]:
    return (visitor.words.gettext(note.template).format_map(note.fields) for note in notes)
