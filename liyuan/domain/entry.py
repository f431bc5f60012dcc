"""One immutable fact of a conversation. Everything a story is, is entries on a tree; nothing here knows of storage."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final, Literal, NewType, TypeAlias

EntryId = NewType("EntryId", str)
ConversationId = NewType("ConversationId", str)

MESSAGE: Final = "message"
STATE: Final = "rp-state"
SUMMARY: Final = "rp-summary"
SAVE: Final = "rp-save"
BRANCH_SUMMARY: Final = "branch-summary"
REVISION: Final = "revision"
SETTING: Final = "setting"
CHECKPOINT: Final = "checkpoint"
KINDS: Final = frozenset({MESSAGE, STATE, SUMMARY, SAVE, BRANCH_SUMMARY, REVISION, SETTING, CHECKPOINT})

USER: Final = "user"
ASSISTANT: Final = "assistant"

Status: TypeAlias = Literal["complete", "interrupted"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """Where an entry stands; derived at append from its parent alone and fixed from then on.

    `depth` is 0 at a root. `turn` counts the reader's messages at or above. `segment_id` names the linear run the entry
    lies on. The four ids after it name the nearest entry of their kind at or above (design.md, decision 4). `jump_id`
    is an entry far above, at `jump_depth`; where the jump leads out of the tree, None and -1.
    """

    segment_id: int
    depth: int
    turn: int
    state_id: EntryId | None = None
    summary_id: EntryId | None = None
    save_id: EntryId | None = None
    setting_id: EntryId | None = None
    jump_id: EntryId | None = None
    jump_depth: int = -1


@dataclass(frozen=True, slots=True, kw_only=True)
class Draft:
    """An entry before it has a place. `target_id` is the message a revision speaks of."""

    id: EntryId
    parent_id: EntryId | None
    kind: str = MESSAGE
    role: str | None = None
    text: str | None = None
    data: Mapping[str, Any] = field(default_factory=dict)
    status: Status = "complete"
    created_at: str = ""
    extra: Mapping[str, Any] = field(default_factory=dict)

    @property
    def target_id(self) -> EntryId | None:
        target = self.data.get("target_id") if self.kind == REVISION else None
        return EntryId(target) if isinstance(target, str) else None


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry(Draft):
    """A stored entry: a draft with its place. `created_at` is ISO 8601 in UTC; `extra` holds keys we do not know."""

    place: Place

    @property
    def depth(self) -> int:
        return self.place.depth

    @property
    def is_reply(self) -> bool:
        return self.kind == MESSAGE and self.role == ASSISTANT

    @property
    def is_user(self) -> bool:
        return self.kind == MESSAGE and self.role == USER


@dataclass(frozen=True, slots=True, kw_only=True)
class Variants:
    """The living siblings of one kind. `index` counts from 0; `ids` are in the order they were made."""

    index: int
    ids: tuple[EntryId, ...]

    @property
    def total(self) -> int:
        return len(self.ids)
