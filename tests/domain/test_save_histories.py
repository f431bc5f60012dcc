"""Semantics §7 on bare trees of saves: whatever is saved, deleted and brought back, in any order."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import given, settings
from hypothesis import strategies as st

from liyuan.domain.entry import EntryId
from liyuan.domain.saves import Plan, Save, comes_back, plan_below, strays, worldlines

acts = st.lists(
    st.tuples(st.sampled_from(["save", "save", "delete", "delete", "back"]), st.integers(0, 40)), max_size=40
)


class Story:
    """The saves by what is above them, and the forest they make. Plans are told by walking whole paths."""

    def __init__(self) -> None:
        self.forest: dict[EntryId, Save] = {}
        self.forks: list[tuple[EntryId, EntryId]] = []

    def path(self, key: EntryId | None) -> list[EntryId]:
        found: list[EntryId] = []
        while key is not None:
            found.append(key)
            key = self.forest[key].above_id
        return found

    def told(self, above: EntryId | None) -> tuple[str, EntryId | None]:
        living = [key for key, save in self.forest.items() if save.is_live]
        here = self.path(above)
        prev = next((key for key in here if key in living), None)
        if prev is None:
            return "first", None
        elsewhere = [key for key in living if key not in here and prev in self.path(key)]
        return ("fork" if elsewhere else "sameLine"), prev

    def line(self, made: Plan, fresh: str) -> str:
        return made.prev.worldline_id if made.prev and made.kind == "sameLine" else fresh

    def save(self, at: int) -> None:
        places: list[EntryId | None] = [None, *self.forest]
        above = places[at % len(places)]
        made = plan_below(self.forest, above)
        assert (made.kind, made.prev and made.prev.id) == self.told(above)
        key = EntryId(f"s{len(self.forest)}")
        line = self.line(made, f"line of {key}")
        self.forest[key] = Save(id=key, above_id=above, worldline_id=line, name=key)

    def delete(self, at: int) -> None:
        living = [key for key, save in self.forest.items() if save.is_live]
        if living:
            gone = living[at % len(living)]
            self.forest[gone] = replace(self.forest[gone], deleted_at="2026-01-31T12:00:00Z")

    def back(self, at: int) -> None:
        deleted = [save for save in self.forest.values() if not save.is_live]
        if not deleted:
            return
        save = deleted[at % len(deleted)]
        made = comes_back(self.forest, save)
        mates = [one for one in self.forest.values() if one.is_live and one.worldline_id == save.worldline_id]
        fits = all(one.id in self.path(save.id) or save.id in self.path(one.id) for one in mates)
        assert (made is None) == fits
        if made is not None:
            assert (made.kind, made.prev and made.prev.id) == self.told(save.above_id)
        line = self.line(made, f"line of {save.id} again {at} {len(mates)}") if made else save.worldline_id
        self.forest[save.id] = replace(save, deleted_at=None, worldline_id=line)


@settings(max_examples=400)
@given(acts)
def test_the_saves_of_a_line_lie_on_one_path_and_below_their_source(history: list[tuple[str, int]]) -> None:
    story = Story()
    for act, at in history:
        getattr(story, act)(at)
        assert list(strays(story.forest)) == []
        for line in worldlines(story.forest, {}):
            lowest = story.path(line.saves[-1].id)
            assert all(save.id in lowest for save in line.saves)
            assert line.fork_source is None or all(line.fork_source in story.path(save.id)[1:] for save in line.saves)
