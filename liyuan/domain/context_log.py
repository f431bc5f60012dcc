"""The path as a skeleton (semantics §8): what marks it stands out, the runs between are folded with their counts.

For people as a panel, for models and other programs as text. Written from the leaf upwards, read from the top.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, TypeAlias

from liyuan.domain.entry import BRANCH_SUMMARY, MESSAGE, SAVE, SUMMARY, Entry, EntryId
from liyuan.domain.saves import shortened

# How many of the newest entries are told in full, and how much of a text each mark shows.
RECENT: Final = 4
SHOWN: Final = 160
FULL: Final = 4_000

_MARKS: Final = frozenset({SUMMARY, BRANCH_SUMMARY, SAVE})


@dataclass(frozen=True, slots=True, kw_only=True)
class Mark:
    """An entry that stands out. `kind` is the entry's; `role` who spoke. `forks` counts other ways that leave from it.

    `text` is cut to 160 characters unless `is_full`; `from_id` is the leaf that a branch summary tells of.
    """

    entry_id: EntryId
    kind: str
    role: str | None
    depth: int
    turn: int
    text: str
    tags: tuple[str, ...] = ()
    forks: int = 0
    from_id: EntryId | None = None
    is_head: bool = False
    is_full: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Folded:
    """A run that is not told: how many entries of each kind, from the first to the last (ask for them by these ids)."""

    first_id: EntryId
    last_id: EntryId
    count: int
    kinds: Mapping[str, int] = field(default_factory=dict)


Item: TypeAlias = Mark | Folded


@dataclass(frozen=True, slots=True, kw_only=True)
class Dashboard:
    """`tokens` that the next request would send, of the model's `window`; `steps` (entries) since the nearest tag.

    `tag` is that tag, None where there is none: then `steps` are since the beginning. `depth` is 0 at the root.
    """

    tokens: int
    window: int
    steps: int
    tag: str | None
    depth: int
    turn: int

    @property
    def share(self) -> float:
        return self.tokens / self.window if self.window else 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class ContextLog:
    """`above` counts the entries above the first item that are not told at all. `tags` are all tags on the path."""

    head: EntryId | None
    items: tuple[Item, ...]
    above: int
    tags: Mapping[str, EntryId]
    dashboard: Dashboard


def skeleton(
    path: Sequence[Entry],
    *,
    texts: Mapping[EntryId, str],
    tags: Mapping[EntryId, Sequence[str]],
    forks: Mapping[EntryId, int],
    head: EntryId | None,
    opened: Collection[EntryId] = (),
) -> tuple[Item, ...]:
    """The items of a run of a path, root → leaf. `texts` are messages as they stand; `opened` entries are told in full.

    What marks the way: tags, summaries of both kinds, saves, forks, the reader's messages, the newest entries, HEAD.
    """
    recent = {entry.id for entry in path[-RECENT:]} if path and path[-1].id == head else set()
    items: list[Item] = []
    run: list[Entry] = []
    for entry in path:
        is_full = entry.id in opened or entry.id in recent
        if not (is_full or _stands_out(entry, tags, forks, head)):
            run.append(entry)
            continue
        items += _folded(run)
        run = []
        items.append(_mark(entry, texts, tags, forks, head, is_full))
    return (*items, *_folded(run))


def _stands_out(
    entry: Entry, tags: Mapping[EntryId, Sequence[str]], forks: Mapping[EntryId, int], head: EntryId | None
) -> bool:
    marked = entry.id == head or entry.id in tags or forks.get(entry.id, 0) > 0
    return marked or entry.is_user or entry.kind in _MARKS


def _mark(
    entry: Entry,
    texts: Mapping[EntryId, str],
    tags: Mapping[EntryId, Sequence[str]],
    forks: Mapping[EntryId, int],
    head: EntryId | None,
    is_full: bool,
) -> Mark:
    from_id = entry.data.get("from_id")
    text = texts.get(entry.id) or told_by(entry)
    return Mark(
        entry_id=entry.id,
        kind=entry.kind,
        role=entry.role,
        depth=entry.depth,
        turn=entry.place.turn,
        text=text.strip()[:FULL] if is_full else shortened(text, SHOWN),
        tags=tuple(tags.get(entry.id, ())),
        forks=forks.get(entry.id, 0),
        from_id=EntryId(from_id) if isinstance(from_id, str) else None,
        is_head=entry.id == head,
        is_full=is_full,
    )


def told_by(entry: Entry) -> str:
    """What an entry says for itself: its text, that of its data, or its name."""
    said = entry.text or entry.data.get("text") or entry.data.get("name")
    return said if isinstance(said, str) else ""


def _folded(run: list[Entry]) -> list[Item]:
    if not run:
        return []
    kinds = Counter(entry.role or entry.kind if entry.kind == MESSAGE else entry.kind for entry in run)
    return [Folded(first_id=run[0].id, last_id=run[-1].id, count=len(run), kinds=dict(kinds))]


def log_text(log: ContextLog) -> str:
    """The log as lines for a model: the dashboard first, then the path from the top, HEAD last."""
    board = log.dashboard
    tag = f"since tag “{board.tag}”" if board.tag else "since the beginning"
    lines = [
        f"tokens {board.tokens} of {board.window} ({board.share:.0%}) · {board.steps} steps {tag} · depth {board.depth}"
    ]
    if log.tags:
        lines.append("tags: " + ", ".join(f"{name} → {key}" for name, key in log.tags.items()))
    if log.above:
        lines.append(f"… {log.above} entries above")
    return "\n".join([*lines, *map(_line, log.items)])


def _line(item: Item) -> str:
    if isinstance(item, Folded):
        kinds = ", ".join(f"{count} {kind}" for kind, count in item.kinds.items())
        return f"  … {item.count} folded ({kinds}) {item.first_id} … {item.last_id}"
    signs = [f"[{tag}]" for tag in item.tags]
    signs += [f"({item.forks} other ways from here)"] if item.forks else []
    signs += [f"(from {item.from_id})"] if item.from_id else []
    signs += ["HEAD"] if item.is_head else []
    who = item.role or item.kind
    return " ".join(["*", item.entry_id, f"{who}:", *signs, item.text]).rstrip()
