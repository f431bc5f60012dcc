"""Worlds, patches and any JSON, for the tests of the ledger."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

from liyuan.domain.fields import Field
from liyuan.domain.patch import apply
from liyuan.domain.world import EMPTY, FIELDS, WorldState

HP = Field(name="hp", type="bar", label="Health", min=0, max=20, show="bar")
MOOD = Field(name="心情", type="text", label="心情")
SCARS = Field(name="scars", type="list", label="Scars", show="list")
DECLARED = (HP, MOOD, SCARS)

NAMES = ("青梧", "白芷", "Alice", "alice ", "ALICE", "Dr. Watson", "老板娘", "")

words = st.sampled_from(("", "dusk", "黄昏", "  the old mill ", "wary", "needle ×3", "信", "\x00odd\ud800"))
numbers = st.integers(-250, 250) | st.floats() | st.integers(-(10**30), 10**30)
scalars = st.none() | st.booleans() | numbers | words | st.sampled_from(("+5", "-3", "40", "−7", "12%", "many"))
names = st.sampled_from(NAMES) | st.text(max_size=3)

any_json: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | numbers | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=3),
    max_leaves=12,
)

characters = st.dictionaries(
    names,
    st.none()
    | scalars
    | st.dictionaries(
        st.sampled_from(("affinity", "Affinity", "status", "notes", "mood", "scars")), scalars | st.lists(scalars)
    ),
    max_size=3,
)
relationships = st.lists(
    st.fixed_dictionaries(
        {"a": names, "b": names}, optional={"relation": words, "affinity": scalars, "note": words, "since": words}
    )
    | scalars,
    max_size=3,
)
rosters = st.dictionaries(
    st.sampled_from(("characters", "items", "events", "places")),
    st.none() | st.dictionaries(names, scalars, max_size=3),
    max_size=3,
)
_shaped: dict[str, st.SearchStrategy[Any]] = {
    "time": words,
    "location": words,
    "characters": characters,
    "inventory": st.lists(words | scalars, max_size=4),
    "flags": st.dictionaries(names, scalars, max_size=3),
    "plot_threads": st.lists(words, max_size=3),
    "relationships": relationships,
    "roster": rosters,
    "custom": st.dictionaries(st.sampled_from(("hp", "HP ", "心情", "scars", "gone")), scalars, max_size=3),
    "hp": scalars,
}

plausible: st.SearchStrategy[Any] = st.fixed_dictionaries({}, optional=_shaped)
"""Patches as a model might write them: mostly right, wrong in places."""

patches: st.SearchStrategy[Any] = (
    plausible
    | any_json
    | st.dictionaries(st.sampled_from((*FIELDS, "hp", "Location ")) | st.text(max_size=5), any_json, max_size=4)
)


@st.composite
def worlds(draw: st.DrawFn) -> WorldState:
    """A world as a few patches by a person would leave it."""
    world = EMPTY
    for patch in draw(st.lists(plausible, max_size=3)):
        world = apply(world, patch, fields=DECLARED, source="user").world
    return world
