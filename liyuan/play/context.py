"""Tags, the log and checkout (semantics §8): for people as a panel, for models as tools, for programs over API and MCP.

A checkout loses nothing: the message is left under the target with the leaf it came from, so the way back, and the
way to what lay ahead, are both still named.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from sqlalchemy import Connection

from liyuan.domain.context_log import ContextLog, Dashboard, Folded, Item, skeleton
from liyuan.domain.entry import MESSAGE, ConversationId, Entry, EntryId
from liyuan.domain.errors import Invalid, NotFound
from liyuan.domain.names import one_line
from liyuan.play.gather import Ready, gather
from liyuan.play.leaving import NOTHING, remember, sound
from liyuan.resources import Resources
from liyuan.store.branch import active_leaf, load_path, revisions_in, revisions_of
from liyuan.store.climb import is_above
from liyuan.store.conversations import Conversation, load_conversation
from liyuan.store.forks import count_forks
from liyuan.store.moves import move
from liyuan.store.standing import require_standing
from liyuan.store.tags import drop_tag, keep_tag, load_tag, load_tags
from liyuan.store.tree import load_entry

CHECKOUT = "checkout"
ROOT = "root"
LONGEST_NAME = 64
LIMIT = 40
MOST = 500
# Entries read at a time on the way up, and at most in all, however few of them stand out.
RUN = 200
FAR = 4_000

NO_TAG_NAME = "A tag needs a name of at most {limit} characters, other than “root”."
TAG_TAKEN = "The tag “{name}” names another entry already. Choose another name, or move it there on purpose."
NO_TARGET = "There is no tag and no entry “{target}” in this story."
ALREADY_THERE = "You are there already. A checkout goes to another entry; to note something here, tag it."
NOT_ON_PATH = "The entry “{entry_id}” is not on this path."


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckedOut:
    """Where a checkout led: `entry_id` is the message that was left under `target_id`, `from_id` the leaf before."""

    conversation: Conversation
    target_id: EntryId
    entry_id: EntryId
    from_id: EntryId
    backup_tag: str | None = None


async def tag(
    resources: Resources,
    conversation_id: ConversationId,
    name: str,
    entry_id: EntryId | None = None,
    *,
    moves: bool = False,
) -> EntryId:
    """Names an entry, by default the leaf; answers it. A name that is taken moves only when `moves` says so.

    Nothing in the tree changes. Raises NotFound, or Invalid for a name that cannot be or is taken.
    """
    return await resources.database.write(tag_now, conversation_id, name, entry_id, moves)


def tag_now(
    connection: Connection,
    conversation_id: ConversationId,
    name: str,
    entry_id: EntryId | None = None,
    moves: bool = False,
) -> EntryId:
    """`tag` as a unit of work."""
    name = _sound_name(name)
    entry_id = entry_id or active_leaf(connection, conversation_id)
    if entry_id is None:
        raise Invalid("There is nothing to tag yet.")
    load_entry(connection, conversation_id, entry_id)
    known = load_tag(connection, conversation_id, name)
    if known not in (None, entry_id) and not moves:
        raise Invalid(TAG_TAKEN, name=name)
    keep_tag(connection, conversation_id, name, entry_id)
    return entry_id


async def untag(resources: Resources, conversation_id: ConversationId, name: str) -> EntryId:
    """Takes a tag away; answers what it named. Raises NotFound."""
    return await resources.database.write(drop_tag, conversation_id, name)


async def checkout(
    resources: Resources,
    conversation_id: ConversationId,
    target: str,
    message: str,
    *,
    backup_tag: str | None = None,
    expected_leaf: EntryId | None,
) -> CheckedOut:
    """Goes to a tag, an entry id or "root", and leaves `message` there as a branch summary that names where one was.

    `backup_tag` names the leaf that is left. All of it or nothing. Raises LeafMoved, Busy, NotFound, or Invalid for a
    place in a deleted part, for no words, or where one is there already.
    """
    return await resources.database.write(
        checkout_now, conversation_id, target, message, backup_tag=backup_tag, expected_leaf=expected_leaf
    )


def checkout_now(
    connection: Connection,
    conversation_id: ConversationId,
    target: str,
    message: str,
    *,
    backup_tag: str | None = None,
    expected_leaf: EntryId | None,
    performance_id: str | None = None,
    known: Mapping[str, str] = NOTHING,
) -> CheckedOut:
    """`checkout` as a unit of work; inside a turn, `performance_id` is the performance that holds the stage.

    `known` is what else the message's data should tell.
    """
    words = sound(message)
    left = require_standing(connection, conversation_id, expected_leaf)
    goal = resolve(connection, conversation_id, target, left)
    if left is None or goal == left:
        raise Invalid(ALREADY_THERE)
    if backup_tag:
        tag_now(connection, conversation_id, backup_tag, left)
    move(connection, conversation_id, goal, expected_leaf=left, cause=CHECKOUT, performance_id=performance_id)
    note = remember(
        connection, conversation_id, words, at=goal, from_id=left, performance_id=performance_id, known=known
    )
    return CheckedOut(
        conversation=load_conversation(connection, conversation_id),
        target_id=goal,
        entry_id=note.id,
        from_id=left,
        backup_tag=backup_tag,
    )


def resolve(connection: Connection, conversation_id: ConversationId, target: str, leaf: EntryId | None) -> EntryId:
    """The entry that a tag, an id or "root" (of the path of `leaf`) names. Raises NotFound."""
    if target == ROOT and leaf is not None:
        return root_of(connection, conversation_id, leaf)
    found = load_tag(connection, conversation_id, target)
    if found:
        return found
    try:
        return load_entry(connection, conversation_id, EntryId(target)).id
    except NotFound as error:
        raise NotFound(NO_TARGET, target=target) from error


def root_of(connection: Connection, conversation_id: ConversationId, leaf: EntryId) -> EntryId:
    """The root above an entry, by the long jumps: their number is the logarithm of the depth."""
    entry = load_entry(connection, conversation_id, leaf)
    while (above := entry.place.jump_id or entry.parent_id) is not None:
        entry = load_entry(connection, conversation_id, above)
    return entry.id


async def log(
    resources: Resources,
    conversation_id: ConversationId,
    *,
    limit: int = LIMIT,
    first: EntryId | None = None,
    last: EntryId | None = None,
    leaf_id: EntryId | None = None,
    ready: Ready | None = None,
) -> ContextLog:
    """The path as a skeleton of about `limit` items up from the leaf, with the dashboard of what is `ready` there.

    With `first` and `last` (either may be missing) that stretch of the path alone, every entry told in full: what a
    folded run holds. Raises NotFound, Invalid for entries that are not on the path, and as `gather` does.
    """
    found = await resources.database.read(_load_log, conversation_id, leaf_id, min(limit, MOST), first, last)
    ready = ready or await gather(resources, conversation_id, found.head)
    return ContextLog(
        head=found.head,
        items=found.items,
        above=found.above,
        tags=found.tags,
        dashboard=Dashboard(
            tokens=ready.prompt.tokens,
            window=ready.chosen.window,
            steps=found.steps,
            tag=found.tag,
            depth=found.depth,
            turn=found.turn,
        ),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class _Found:
    """What is read in one go; the dashboard needs a prompt besides."""

    head: EntryId | None
    items: tuple[Item, ...] = ()
    above: int = 0
    tags: Mapping[str, EntryId] = field(default_factory=dict)
    steps: int = 0
    tag: str | None = None
    depth: int = 0
    turn: int = 0


def _load_log(
    connection: Connection,
    conversation_id: ConversationId,
    leaf_id: EntryId | None,
    limit: int,
    first: EntryId | None,
    last: EntryId | None,
) -> _Found:
    leaf_id = leaf_id or active_leaf(connection, conversation_id)
    if leaf_id is None:
        return _Found(head=None)
    leaf = load_entry(connection, conversation_id, leaf_id)
    on_path = _tags_on_path(connection, conversation_id, leaf)
    named = _by_entry(on_path)
    if first or last:
        run = _stretch(connection, conversation_id, leaf, first, last, limit)
        items = _items(connection, conversation_id, run, leaf, named, opened=True)
        above = run[0].depth if run else 0
    else:
        items = _tail(connection, conversation_id, leaf, named, limit)
        above = leaf.depth + 1 - sum(item.count if isinstance(item, Folded) else 1 for item in items)
    nearest = max(on_path.items(), key=lambda known: known[1].depth, default=None)
    return _Found(
        head=leaf.id,
        items=items,
        above=above,
        tags={name: entry.id for name, entry in on_path.items()},
        steps=leaf.depth - (nearest[1].depth if nearest else 0),
        tag=nearest[0] if nearest else None,
        depth=leaf.depth,
        turn=leaf.place.turn,
    )


def _tags_on_path(connection: Connection, conversation_id: ConversationId, leaf: Entry) -> dict[str, Entry]:
    """The tags above a leaf, from the top."""
    named = {
        name: load_entry(connection, conversation_id, key)
        for name, key in load_tags(connection, conversation_id).items()
    }
    above = ((name, entry) for name, entry in named.items() if is_above(connection, entry, leaf))
    return dict(sorted(above, key=lambda known: known[1].depth))


def _by_entry(on_path: Mapping[str, Entry]) -> dict[EntryId, list[str]]:
    named: dict[EntryId, list[str]] = {}
    for name, entry in on_path.items():
        named.setdefault(entry.id, []).append(name)
    return named


def _tail(
    connection: Connection, conversation_id: ConversationId, leaf: Entry, named: Mapping[EntryId, list[str]], limit: int
) -> tuple[Item, ...]:
    """The last `limit` items: the path is read upwards until there are so many."""
    path: list[Entry] = []
    items: tuple[Item, ...] = ()
    start: EntryId | None = leaf.id
    while start is not None and len(items) <= limit and len(path) < FAR:
        run = load_path(connection, start, most=RUN)
        path = run + path
        items = _items(connection, conversation_id, path, leaf, named)
        start = run[0].parent_id
    return items[-limit:]


def _stretch(
    connection: Connection,
    conversation_id: ConversationId,
    leaf: Entry,
    first: EntryId | None,
    last: EntryId | None,
    limit: int,
) -> list[Entry]:
    """The entries from `first` to `last`, at most `MOST`; without `first` the `limit` entries that end at `last`."""
    ends = [load_entry(connection, conversation_id, key) for key in (first, last) if key]
    for entry in ends:
        if not is_above(connection, entry, leaf):
            raise Invalid(NOT_ON_PATH, entry_id=entry.id)
    bottom = ends[-1] if last else leaf
    most = bottom.depth - ends[0].depth + 1 if first else limit
    return load_path(connection, bottom.id, most=most)[:MOST] if most > 0 else []


def _items(
    connection: Connection,
    conversation_id: ConversationId,
    run: Sequence[Entry],
    leaf: Entry,
    named: Mapping[EntryId, list[str]],
    *,
    opened: bool = False,
) -> tuple[Item, ...]:
    messages = [entry.id for entry in run if entry.kind == MESSAGE]
    is_end = bool(run) and run[-1].id == leaf.id
    revisions = revisions_in(run) if is_end else revisions_of(connection, messages, leaf)
    return skeleton(
        run,
        texts={key: revision.text or "" for key, revision in revisions.items()},
        tags=named,
        forks=count_forks(connection, conversation_id, run, leaf.id),
        head=leaf.id,
        opened={entry.id for entry in run} if opened else (),
    )


def _sound_name(name: str) -> str:
    name = one_line(name)
    if not name or len(name) > LONGEST_NAME or name == ROOT:
        raise Invalid(NO_TAG_NAME, limit=LONGEST_NAME)
    return name
