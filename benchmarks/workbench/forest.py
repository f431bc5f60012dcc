"""Stories grown for measuring: as long as asked, with swipes beside the path or forks on it. The same at every run."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass

from sqlalchemy import Connection

from liyuan.domain.entry import ASSISTANT, STATE, USER, ConversationId, Draft, EntryId
from liyuan.store.conversations import create
from liyuan.store.database import new_id
from liyuan.store.moves import move
from liyuan.store.planting import plant
from liyuan.store.tree import append

STATE_EVERY = 20
AT = "2026-01-31T12:00:00.000Z"
PHRASES = (
    "The lamp on the landing had burned low, and somebody had left a wet coat over the banister.",
    "“You came by the river road,” she said, and it was not a question.",
    "*She sets two cups on the table and fills only one of them.*",
    "雨又密了些，檐下的灯笼晃了一晃，影子便在墙上走了半步。",
    "“慢些说，”他把账本合上，“夜还长，茶也还热。”",
    "Nobody in the room looked at the door, which is how he knew that all of them were listening.",
    "A cart went by below, slowly, as carts go when the driver is asleep and the horse is not.",
)
WORLD = {
    "time": "the third night, past ten",
    "location": "the inn by the ferry",
    "characters": {f"guest {i}": {"affinity": i, "status": "waits", "notes": "keeps to the window"} for i in range(8)},
    "inventory": ["a brass key", "half a letter", "three coins"],
    "flags": {f"seen-{i}": True for i in range(12)},
}


@dataclass(frozen=True, slots=True)
class Story:
    """A grown story. `path` runs root → leaf, `replies` are those on it; `entries` counts all of them."""

    id: ConversationId
    path: tuple[EntryId, ...]
    entries: int
    replies: tuple[EntryId, ...]

    @property
    def leaf(self) -> EntryId:
        return self.path[-1]


class Grower:
    """Makes drafts with ids in the order of making."""

    def __init__(self, seed: int) -> None:
        some = random.Random(seed)
        self._replies = [" ".join(some.sample(PHRASES, 5)) for _ in range(97)]
        self._made = 0
        self._stem = f"{0x19A000000000 + seed * 0x10000000:012x}"

    def message(self, parent: EntryId | None, role: str) -> Draft:
        texts = self._replies if role == ASSISTANT else PHRASES
        text = texts[self._made % len(texts)]
        return Draft(id=self._id(), parent_id=parent, role=role, text=text, created_at=AT)

    def state(self, parent: EntryId, through: EntryId) -> Draft:
        data = {"state": WORLD, "through_id": through, "source": "scribe", "changes": [], "pins": []}
        return Draft(id=self._id(), parent_id=parent, kind=STATE, data=data, created_at=AT)

    def _id(self) -> EntryId:
        self._made += 1
        return EntryId(f"{self._stem}{self._made:012x}")


def grow(connection: Connection, length: int, *, swipes: int = 3, forks: int = 0, seed: int = 1) -> Story:
    """A story with `length` entries on its path. Every reply has `swipes` variants, the last of them on the path.

    The last `forks` turns were each gone back to once after the story had gone on: each opens a segment on the path.
    """
    grower = Grower(seed)
    story = create(connection, title=f"{length} entries, {swipes} variants, {forks} forks")
    drafts: list[Draft] = []
    path = list(_trunk(grower, max(2, length - 2 * forks), swipes, drafts))
    plant(connection, story.id, drafts, leaf=path[-1])
    on_path = set(path)
    replies = [draft.id for draft in drafts if draft.role == ASSISTANT and draft.id in on_path]
    made = len(drafts)
    for _ in range(forks):
        path += _forked(connection, story.id, grower, path[-1])
        replies.append(path[-1])
        made += 3
    return Story(id=story.id, path=tuple(path), entries=made, replies=tuple(replies))


def _trunk(grower: Grower, length: int, swipes: int, drafts: list[Draft]) -> Iterator[EntryId]:
    """A played path; the entries beside it go to `drafts` too, in the order they were made."""
    parent: EntryId | None = None
    for index in range(length):
        if parent and index % STATE_EVERY == STATE_EVERY - 1:
            made = [grower.state(parent, parent)]
        elif index % 2:
            made = [grower.message(parent, USER)]
        else:
            made = [grower.message(parent, ASSISTANT) for _ in range(swipes if parent else 1)]
        drafts.extend(made)
        parent = made[-1].id
        yield parent


def _forked(connection: Connection, story: ConversationId, grower: Grower, leaf: EntryId) -> tuple[EntryId, EntryId]:
    """Goes on for a message, goes back, and goes on otherwise, as one does who says it again in other words."""
    first, second = grower.message(leaf, USER), grower.message(leaf, USER)
    append(connection, story, first, expected_leaf=leaf)
    move(connection, story, leaf, expected_leaf=first.id, cause="move")
    append(connection, story, second, expected_leaf=leaf)
    reply = grower.message(second.id, ASSISTANT)
    append(connection, story, reply, expected_leaf=second.id)
    return second.id, reply.id


def next_message(parent: EntryId) -> Draft:
    """What a reader would say next."""
    return Draft(id=EntryId(new_id()), parent_id=parent, role=USER, text=PHRASES[1])


def next_reply(parent: EntryId) -> Draft:
    return Draft(id=EntryId(new_id()), parent_id=parent, role=ASSISTANT, text=" ".join(PHRASES[:5]))
