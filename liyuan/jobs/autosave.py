"""Saving by itself, for whoever wishes it: where a chapter begins, or every so many turns, and only so many kept.

Autosaves are saves like any other, on the same worldlines; they are off until somebody chooses them.
"""

from __future__ import annotations

from sqlalchemy import Connection

from liyuan.domain.autosaving import Autosaving, autosaving_of
from liyuan.domain.entry import EntryId
from liyuan.jobs.baton import already
from liyuan.resources import Resources
from liyuan.store.chapters import load_moment
from liyuan.store.library import load_preferences
from liyuan.store.runs import ASKED, Run
from liyuan.store.saves import load_save_above, make_save, trim_autosaves
from liyuan.store.tree import load_entry


async def autosave(resources: Resources, run: Run, leaf: EntryId) -> EntryId:
    """Saves at the leaf if one is due; answers the leaf afterwards. Raises LeafMoved or Busy when it is another."""
    wished = autosaving_of(await resources.database.read(load_preferences))
    if not wished.is_on or run.steps.get(ASKED):
        return leaf
    key = EntryId(f"{run.id}-save")
    if await already(resources, run, key):
        return key
    return await resources.database.write(_save_if_due, run, leaf, key, wished)


def _save_if_due(connection: Connection, run: Run, leaf_id: EntryId, key: EntryId, wished: Autosaving) -> EntryId:
    leaf = load_entry(connection, run.conversation_id, leaf_id)
    above = load_save_above(connection, leaf)
    saved_at = load_entry(connection, run.conversation_id, above.id).place.turn if above else 0
    moment = load_moment(connection, run.conversation_id, leaf_id)
    if not wished.is_due(turns_since=moment.turn - saved_at, is_new_chapter=moment.is_new_chapter):
        return leaf_id
    make_save(
        connection,
        run.conversation_id,
        moment.name,
        expected_leaf=leaf_id,
        language=moment.language,
        source="auto",
        save_id=key,
    )
    trim_autosaves(connection, run.conversation_id, wished.keep)
    return key
