"""The ledger in the reader's hands: looking at it, correcting it, pinning what the scribe must not change.

A correction is a new snapshot at the leaf, so other branches never see it (semantics §3).
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection

from liyuan.domain.card_world import CardWorld, card_world
from liyuan.domain.change import Change, leaves
from liyuan.domain.entry import STATE, ConversationId, Draft, EntryId
from liyuan.domain.note import Note
from liyuan.domain.patch import apply
from liyuan.domain.snapshot import Snapshot, Standing, snapshot_data
from liyuan.resources import Resources
from liyuan.store.branch import active_leaf
from liyuan.store.cast import Cast, load_cast
from liyuan.store.database import new_id
from liyuan.store.standing import standing
from liyuan.store.tree import append, load_entry
from liyuan.store.worlds import load_world, snapshots_above

# How many snapshots back the history of a field is told.
FAR = 500


@dataclass(frozen=True, slots=True, kw_only=True)
class Ledger:
    """The world at a leaf, with what the card declares. `notes` tell of snapshots that could not be read."""

    leaf_id: EntryId | None
    cast: Cast
    declared: CardWorld
    standing: Standing


@dataclass(frozen=True, slots=True)
class Moment:
    """A change of one field on the branch: at which turn, by whom, from what to what."""

    entry_id: EntryId
    turn: int
    source: str
    before: Any
    after: Any


def load_ledger(connection: Connection, conversation_id: ConversationId, leaf_id: EntryId | None = None) -> Ledger:
    """The world at `leaf_id`, by default at the active leaf. Raises NotFound."""
    leaf_id = leaf_id or active_leaf(connection, conversation_id)
    leaf = load_entry(connection, conversation_id, leaf_id) if leaf_id else None
    cast = load_cast(connection, conversation_id, leaf)
    return Ledger(
        leaf_id=leaf_id,
        cast=cast,
        declared=card_world(cast.card.extensions),
        standing=load_world(connection, conversation_id, leaf, cast.card),
    )


def load_moments(
    connection: Connection, conversation_id: ConversationId, field: str, leaf_id: EntryId | None = None
) -> list[Moment]:
    """How a field (a dotted path such as `characters.Ash.affinity`) came to be what it is, latest first."""
    leaf_id = leaf_id or active_leaf(connection, conversation_id)
    leaf = load_entry(connection, conversation_id, leaf_id) if leaf_id else None
    moments: list[Moment] = []
    for seen, entry in enumerate(snapshots_above(connection, conversation_id, leaf)):
        if seen == FAR:
            break
        for change in entry.data.get("changes") or ():
            path = ".".join(map(str, change.get("path", ()))) if isinstance(change, Mapping) else ""
            if path == field:
                source = str(entry.data.get("source", ""))
                moments.append(Moment(entry.id, entry.place.turn, source, change.get("before"), change.get("after")))
    return moments


async def amend(
    resources: Resources,
    conversation_id: ConversationId,
    patch: Mapping[str, Any],
    *,
    pins: Collection[str] | None = None,
    expected_leaf: EntryId | None,
) -> tuple[Ledger, tuple[Change, ...], tuple[Note, ...]]:
    """Changes the world by a patch in the reader's name, and the pins where given; answers what changed and what not.

    What cannot be applied comes back as notes, the rest is applied. An amendment that changes nothing writes nothing.
    Raises LeafMoved, Busy or NotFound.
    """
    return await resources.database.write(_amend, conversation_id, patch, pins, expected_leaf)


def _amend(
    connection: Connection,
    conversation_id: ConversationId,
    patch: Mapping[str, Any],
    pins: Collection[str] | None,
    expected_leaf: EntryId | None,
) -> tuple[Ledger, tuple[Change, ...], tuple[Note, ...]]:
    leaf_id = standing(connection, conversation_id, expected_leaf)
    ledger = load_ledger(connection, conversation_id, leaf_id)
    before = ledger.standing.snapshot
    applied = apply(before.state, patch, fields=ledger.declared.fields, source="user")
    kept = before.pins if pins is None else tuple(dict.fromkeys(pins))
    if applied.changes or kept != before.pins:
        snapshot = Snapshot(
            state=applied.world,
            through_id=before.through_id,
            source="user",
            changes=applied.changes,
            pins=kept,
            warnings=applied.warnings,
        )
        draft = Draft(id=EntryId(new_id()), parent_id=leaf_id, kind=STATE, data=snapshot_data(snapshot))
        made = append(connection, conversation_id, draft, expected_leaf=leaf_id)
        ledger = load_ledger(connection, conversation_id, made.id)
    return ledger, applied.changes, applied.warnings


def pinnable(ledger: Ledger) -> Mapping[str, Any]:
    """Every field that can be pinned, by its dotted path, with its present value."""
    return leaves(ledger.standing.snapshot.state)
