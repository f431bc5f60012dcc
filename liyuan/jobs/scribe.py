"""The scribe: after a turn, books what changed in the world as a snapshot below the leaf. Reads all not yet booked."""

from __future__ import annotations

from collections.abc import Sequence

from sqlalchemy import Connection

from liyuan.domain.entry import STATE, Draft, EntryId
from liyuan.domain.history import Line
from liyuan.domain.patch import apply
from liyuan.domain.patch_schema import patch_schema
from liyuan.domain.placeholders import Cast, Messages
from liyuan.domain.scribe import (
    UnreadableAnswer,
    parse_patch,
    portion,
    retry_prompt,
    scribe_prompt,
)
from liyuan.domain.snapshot import Snapshot, snapshot_data
from liyuan.domain.world import Json
from liyuan.jobs.ask import ask
from liyuan.jobs.baton import already, still_here
from liyuan.model.chat import Request, Said, Sampling
from liyuan.model.tokenizer import count
from liyuan.resources import Chosen, Resources
from liyuan.store.library import load_preferences
from liyuan.store.runs import Run
from liyuan.store.tree import append
from liyuan.store.unread import Unread, load_unread

INSTRUCTION = "scribe_instruction"
# Tokens that an answer may have, and the share of the window that the unread story may fill at a time.
ANSWER = 1500
SHARE = 0.5


async def scribe(resources: Resources, run: Run, leaf: EntryId) -> EntryId:
    """Books everything on the path of `leaf` that is not accounted for; answers the leaf afterwards.

    A long stretch (an import, many dropped runs) is booked piece by piece, each piece a snapshot of its own. Raises
    LeafMoved or Busy when the reader has moved on, ModelFailed when the model gave no patch even at the second try.
    """
    number = 0
    while True:
        number += 1
        key = EntryId(f"{run.id}-scribe-{number}")
        if await already(resources, run, key):
            leaf = key
            continue
        unread = await resources.database.read(load_unread, run.conversation_id, leaf)
        if not unread.lines:
            return leaf
        await still_here(resources, run, leaf)
        chosen = resources.models.choose(unread.cast.connection, "scribe")
        piece = portion(unread.lines, count, int(chosen.window * SHARE))
        patch = await _patch(resources, chosen, unread, piece)
        snapshot = _booked(unread, patch, piece)
        draft = Draft(id=key, parent_id=leaf, kind=STATE, data=snapshot_data(snapshot))
        leaf = await resources.database.write(_append, run, draft, leaf)


def _append(connection: Connection, run: Run, draft: Draft, leaf: EntryId) -> EntryId:
    return append(connection, run.conversation_id, draft, expected_leaf=leaf).id


def _booked(unread: Unread, patch: Json, piece: Sequence[Line]) -> Snapshot:
    before = unread.standing.snapshot
    applied = apply(before.state, patch, pins=before.pins, fields=unread.declared.fields)
    return Snapshot(
        state=applied.world,
        through_id=piece[-1].entry_id,
        source="scribe",
        changes=applied.changes,
        pins=before.pins,
        warnings=applied.warnings,
    )


async def _patch(resources: Resources, chosen: Chosen, unread: Unread, piece: Sequence[Line]) -> Json:
    """The model's patch; an answer that cannot be read gets one more try, with what was wrong with it."""
    card = unread.cast.card
    cast = Cast(char=card.char, user=unread.cast.persona.name)
    preferences = await resources.database.read(load_preferences)
    messages = scribe_prompt(
        unread.standing.snapshot.state,
        piece,
        cast=cast,
        fields=unread.declared.fields,
        language=card.language,
        instruction=preferences.get(f"{INSTRUCTION}_{card.language}"),
    )
    answer = await ask(chosen.model, _request(messages, unread, cast))
    try:
        read = parse_patch(answer, unread.declared.fields)
        if read.whole:
            return read.patch
        trouble = UnreadableAnswer(reason="cut-off")
    except UnreadableAnswer as error:
        trouble = error
    again = retry_prompt(messages, answer, trouble, card.language)
    answer = await ask(chosen.model, _request(again, unread, cast))
    return parse_patch(answer, unread.declared.fields).patch


def _request(messages: Messages, unread: Unread, cast: Cast) -> Request:
    return Request(
        messages=tuple(Said(role=role, text=text) for role, text in messages),
        sampling=Sampling(temperature=0.2, max_tokens=ANSWER),
        purpose="scribe",
        char=cast.char,
        user=cast.user,
        schema=patch_schema(unread.declared.fields),
    )
