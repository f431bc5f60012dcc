"""The tree as a child would keep it: two dictionaries and a list. What the real one is compared with."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass
class NaiveEntry:
    id: str
    parent: str | None
    kind: str
    role: str | None
    text: str
    target: str | None = None


@dataclass
class NaiveTree:
    """Everything is recomputed by walking parents; where the reader was is found by reading all that ever happened."""

    entries: dict[str, NaiveEntry] = field(default_factory=dict)
    leaf: str | None = None
    visits: list[str | None] = field(default_factory=list)
    pruned: set[str] = field(default_factory=set)
    undo: list[str | None] = field(default_factory=list)
    redo: list[str | None] = field(default_factory=list)

    def add(self, entry: NaiveEntry, *, jump: bool) -> None:
        self.entries[entry.id] = entry
        self.go(entry.id, jump=jump)

    def go(self, leaf: str | None, *, jump: bool = True) -> None:
        if jump and leaf != self.leaf:
            self.undo.append(self.leaf)
            self.redo.clear()
        self.leaf = leaf
        self.visits.append(leaf)

    def step(self, source: list[str | None], other: list[str | None]) -> None:
        goal = source.pop()
        other.append(self.leaf)
        self.leaf = goal
        self.visits.append(goal)

    def path(self, leaf: str | None) -> list[str]:
        found: list[str] = []
        while leaf is not None:
            found.append(leaf)
            leaf = self.entries[leaf].parent
        return found[::-1]

    def is_hidden(self, entry_id: str) -> bool:
        return any(key in self.pruned for key in self.path(entry_id))

    def texts(self) -> list[str]:
        path = self.path(self.leaf)
        shown = {key: self.entries[key].text for key in path if self.entries[key].kind == "message"}
        for key in path:
            target = self.entries[key].target
            if target in shown:
                shown[target] = self.entries[key].text
        return list(shown.values())

    def variants(self, entry_id: str) -> list[str]:
        me = self.entries[entry_id]
        return [
            other.id
            for other in self.entries.values()
            if (other.parent, other.kind, other.role) == (me.parent, me.kind, me.role) and other.id not in self.pruned
        ]

    def turns(self) -> int:
        return sum(self.entries[key].role == "user" for key in self.path(self.leaf))

    def nearest(self, kind: str) -> str | None:
        return next((key for key in reversed(self.path(self.leaf)) if self.entries[key].kind == kind), None)

    def tip(self, entry_id: str) -> str:
        """The leaf last visited at or below an entry, or, when that is hidden, what the hidden part grew from."""
        visited = next(leaf for leaf in reversed(self.visits) if leaf and entry_id in self.path(leaf))
        hidden = next((key for key in self.path(visited) if key in self.pruned), None)
        above = self.entries[hidden].parent if hidden else visited
        assert above is not None
        return above

    def way_out(self, entry_id: str) -> str | None:
        """Where the reader goes when the entry they are in is deleted; None when it is the only root."""
        ids = self.variants(entry_id) if self.entries[entry_id].kind == "message" else [entry_id]
        index = ids.index(entry_id)
        rest = [key for key in ids if key != entry_id]
        if rest:
            return self.tip(rest[max(index - 1, 0)])
        return self.entries[entry_id].parent
