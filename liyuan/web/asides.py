"""What stands between the messages of a story: saves, tags, and notes about lines that were left. Small, and quiet."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Literal

from sqlalchemy import Connection

from liyuan.domain.entry import BRANCH_SUMMARY, MESSAGE, SAVE, ConversationId, Entry, EntryId
from liyuan.domain.tool_use import is_filed
from liyuan.store.branch import Shown
from liyuan.store.saves import load_save
from liyuan.web.speech import language_of


@dataclass(frozen=True, slots=True, kw_only=True)
class Aside:
    """`text` is the name of a save or a tag, or the words of a note. `from_id` is the leaf that a note tells of.

    A note is "filed" when the model left it by a checkout of its own; `name` is then the tag that it came back to.
    """

    kind: Literal["save", "tag", "note", "filed"]
    id: str
    text: str
    lang: str
    from_id: EntryId | None = None
    name: str = ""


def load_asides(
    connection: Connection, story_id: ConversationId, items: Iterable[Shown], tags: Mapping[str, EntryId]
) -> Mapping[EntryId, tuple[Aside, ...]]:
    """By the message that they stand below; `tags` are those of the story.

    What stands above the first message of the run is left out.
    """
    tagged: dict[EntryId, list[str]] = defaultdict(list)
    for name, entry_id in tags.items():
        tagged[entry_id].append(name)
    asides: dict[EntryId, list[Aside]] = defaultdict(list)
    above: EntryId | None = None
    for entry in (shown.entry for shown in items):
        above = entry.id if entry.kind == MESSAGE else above
        if above is not None:
            asides[above] += _of(connection, story_id, entry, tags)
            asides[above] += [Aside(kind="tag", id=f"tag-{name}", text=name, lang="") for name in tagged[entry.id]]
    return {key: tuple(found) for key, found in asides.items() if found}


def _of(connection: Connection, story_id: ConversationId, entry: Entry, tags: Mapping[str, EntryId]) -> Iterable[Aside]:
    if entry.kind == SAVE:
        save = load_save(connection, story_id, entry.id)
        if save.is_live:
            yield Aside(kind="save", id=entry.id, text=save.name, lang="")
    if entry.kind == BRANCH_SUMMARY:
        text, from_id = entry.data.get("text"), entry.data.get("from_id")
        if isinstance(text, str) and isinstance(from_id, str):
            target = entry.data.get("target")
            yield Aside(
                kind="filed" if is_filed(entry) else "note",
                id=entry.id,
                text=text,
                lang=language_of(text),
                from_id=EntryId(from_id),
                name=target if isinstance(target, str) and target in tags else "",
            )
