"""The summary in force as a line across the story: what stands above it reaches the model as this summary only."""

from __future__ import annotations

from dataclasses import dataclass

from sqlalchemy import Connection

from liyuan.domain.compaction import text_of
from liyuan.domain.entry import MESSAGE, ConversationId, EntryId
from liyuan.store.branch import Page
from liyuan.store.tree import load_entry
from liyuan.web.speech import language_of


@dataclass(frozen=True, slots=True, kw_only=True)
class Divider:
    """`below` is the last message that the summary covers; the line is drawn after it. `turns` are those covered."""

    id: EntryId
    below: EntryId
    turns: int
    text: str
    lang: str
    is_corrected: bool


def load_divider(connection: Connection, story_id: ConversationId, page: Page) -> Divider | None:
    """The line that falls into this run of the story; None where there is none, or it falls elsewhere."""
    if page.leaf_id is None:
        return None
    key = load_entry(connection, story_id, page.leaf_id).place.summary_id
    summary = load_entry(connection, story_id, key) if key else None
    if summary is None or not text_of(summary):
        return None
    below = _last_message(page, summary.data.get("covers_through_id"))
    turns = summary.data.get("turns")
    if below is None:
        return None
    return Divider(
        id=summary.id,
        below=below,
        turns=turns if isinstance(turns, int) else 0,
        text=text_of(summary),
        lang=language_of(text_of(summary)),
        is_corrected=summary.data.get("source") == "user",
    )


def _last_message(page: Page, covers_through_id: object) -> EntryId | None:
    last: EntryId | None = None
    for shown in page.items:
        last = shown.id if shown.entry.kind == MESSAGE else last
        if shown.id == covers_through_id:
            return last
    return None
