"""The picture of all worldlines, what one save looks like from outside, and what two of them differ in. Only reads."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from sqlalchemy import Connection

from liyuan.domain.change import Change, diff
from liyuan.domain.entry import MESSAGE, ConversationId, Entry, EntryId
from liyuan.domain.saves import Forest, Save, Worldline, live_above, worldlines
from liyuan.domain.world import WorldState
from liyuan.store.branch import Shown, active_leaf, load_path, shown
from liyuan.store.cast import load_story_card
from liyuan.store.climb import parting
from liyuan.store.conversations import load_conversation
from liyuan.store.library import load_card
from liyuan.store.pruning import out_of_sight
from liyuan.store.saves import Stood, load_save, load_stood, load_worldline_names
from liyuan.store.tree import load_entry
from liyuan.store.worlds import load_world

LAST_LINES = 2
# How many messages of each side a comparison tells in full.
TOLD = 60


@dataclass(frozen=True, slots=True, kw_only=True)
class Station:
    """A living save where it stands. `above_id` is the nearest living save above it, `depth` its entry's.

    `on_path` tells whether the reader's path leads over it.
    """

    save: Save
    above_id: EntryId | None
    turn: int
    depth: int
    created_at: str
    on_path: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Picture:
    """All that is needed to draw. `current_save` is the nearest living save at or above the leaf, `turn` the leaf's.

    `at_save` tells whether the leaf is that save itself. Saves in deleted parts of the story are out of sight.
    `deleted` are the deleted saves, the latest first.
    """

    worldlines: tuple[Worldline, ...]
    stations: Mapping[EntryId, Station]
    current_save: EntryId | None
    leaf_id: EntryId | None
    turn: int
    deleted: tuple[Save, ...]

    @property
    def at_save(self) -> bool:
        return self.leaf_id is not None and self.leaf_id == self.current_save


def load_picture(connection: Connection, conversation_id: ConversationId) -> Picture:
    """Reads every save of a story, and nothing of its text. Raises NotFound."""
    leaf_id = active_leaf(connection, conversation_id)
    leaf = load_entry(connection, conversation_id, leaf_id) if leaf_id else None
    stood = load_stood(connection, conversation_id)
    hidden = out_of_sight(connection, conversation_id, {key: one.place for key, one in stood.items()})
    forest = {key: one.save for key, one in stood.items() if key not in hidden}
    on_path = set(_way_up(forest, leaf.place.save_id if leaf else None))
    current = live_above(forest, leaf.place.save_id if leaf else None)
    deleted = (save for save in forest.values() if not save.is_live)
    return Picture(
        worldlines=worldlines(forest, load_worldline_names(connection, conversation_id)),
        stations={key: _station(forest, stood[key], key in on_path) for key, save in forest.items() if save.is_live},
        current_save=current.id if current else None,
        leaf_id=leaf_id,
        turn=leaf.place.turn if leaf else 0,
        deleted=tuple(sorted(deleted, key=lambda save: save.deleted_at or "", reverse=True)),
    )


def _station(forest: Forest, one: Stood, on_path: bool) -> Station:
    above = live_above(forest, one.save.above_id)
    return Station(
        save=one.save,
        above_id=above.id if above else None,
        turn=one.turn,
        depth=one.place[1],
        created_at=one.created_at,
        on_path=on_path,
    )


def _way_up(forest: Forest, key: EntryId | None) -> list[EntryId]:
    way: list[EntryId] = []
    while key is not None and key in forest:
        way.append(key)
        key = forest[key].above_id
    return way


@dataclass(frozen=True, slots=True, kw_only=True)
class Preview:
    """One save seen from outside: when and where in the story, and what was said last. `image_id` is the portrait."""

    save: Save
    worldline_name: str
    turn: int
    created_at: str
    time: str
    location: str
    lines: tuple[Shown, ...]
    character: str
    image_id: str | None


def load_preview(connection: Connection, conversation_id: ConversationId, save_id: EntryId) -> Preview:
    """Raises NotFound. A deleted save can be looked at too."""
    save = load_save(connection, conversation_id, save_id)
    entry = load_entry(connection, conversation_id, save_id)
    card_id = load_conversation(connection, conversation_id).card_id
    world = _world(connection, conversation_id, entry, card_id)
    run = load_path(connection, entry.id, most=LAST_LINES * 10)
    last = [one for one in run if one.kind == MESSAGE][-LAST_LINES:]
    return Preview(
        save=save,
        worldline_name=load_worldline_names(connection, conversation_id).get(save.worldline_id, ""),
        turn=entry.place.turn,
        created_at=entry.created_at,
        time=world.time,
        location=world.location,
        lines=tuple(shown(connection, conversation_id, last, entry)),
        character=load_story_card(connection, card_id).char,
        image_id=load_card(connection, card_id, deleted=True).image_id if card_id else None,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Branch:
    """What was said on one side since two ways parted: the first `TOLD` messages, how many more, how many turns."""

    end: Entry
    lines: tuple[Shown, ...]
    more: int
    turns: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Branches:
    """Two ways beside each other. `parted_at` is the last entry they share; None where they share none.

    `changes` lead from the world at the end of `one` to that at the end of `other`.
    """

    one: Branch
    other: Branch
    parted_at: EntryId | None
    changes: tuple[Change, ...]


def load_branches(
    connection: Connection, conversation_id: ConversationId, one_id: EntryId, other_id: EntryId
) -> Branches:
    """What differs between the ways to two entries: in the world, in the story since they parted. Raises NotFound."""
    one, other = (load_entry(connection, conversation_id, key) for key in (one_id, other_id))
    card_id = load_conversation(connection, conversation_id).card_id
    parted = parting(connection, one, other)
    left, right = (
        _branch(connection, conversation_id, end, first) for end, first in ((one, parted.left), (other, parted.right))
    )
    worlds = [_world(connection, conversation_id, entry, card_id) for entry in (one, other)]
    return Branches(
        one=left,
        other=right,
        parted_at=_above(connection, conversation_id, parted.left or parted.right, one),
        changes=diff(*worlds),
    )


def _above(
    connection: Connection, conversation_id: ConversationId, first: EntryId | None, same: Entry
) -> EntryId | None:
    return load_entry(connection, conversation_id, first).parent_id if first else same.id


def _branch(connection: Connection, conversation_id: ConversationId, end: Entry, first: EntryId | None) -> Branch:
    start = load_entry(connection, conversation_id, first) if first else None
    run = load_path(connection, end.id, most=end.depth - start.depth + 1) if start else []
    messages = [entry for entry in run if entry.kind == MESSAGE]
    return Branch(
        end=end,
        lines=tuple(shown(connection, conversation_id, messages[:TOLD], end)),
        more=max(len(messages) - TOLD, 0),
        turns=sum(entry.is_user for entry in messages),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Side:
    """The way to a save since it parted from that to another; as `Branch` has it."""

    save: Save
    lines: tuple[Shown, ...]
    more: int
    turns: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Comparison:
    """Two saves beside each other, as `Branches` has it."""

    one: Side
    other: Side
    parted_at: EntryId | None
    changes: tuple[Change, ...]


def load_comparison(
    connection: Connection, conversation_id: ConversationId, one_id: EntryId, other_id: EntryId
) -> Comparison:
    """What differs in the world, and in the story since two saves parted. Raises NotFound, for other entries too."""
    found = load_branches(connection, conversation_id, one_id, other_id)
    one, other = (
        Side(
            save=load_save(connection, conversation_id, branch.end.id),
            lines=branch.lines,
            more=branch.more,
            turns=branch.turns,
        )
        for branch in (found.one, found.other)
    )
    return Comparison(one=one, other=other, parted_at=found.parted_at, changes=found.changes)


def _world(connection: Connection, conversation_id: ConversationId, entry: Entry, card_id: str | None) -> WorldState:
    card = load_story_card(connection, card_id)
    return load_world(connection, conversation_id, entry, card).snapshot.state
