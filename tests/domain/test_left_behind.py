"""Going back tells what stays on the other line, and nothing that comes along."""

from __future__ import annotations

from liyuan.domain.left_behind import LeftBehind, left_behind
from liyuan.domain.world import EMPTY, Character, WorldState


def world(*things: str, **trust: int) -> WorldState:
    people = {name: Character(affinity=affinity) for name, affinity in trust.items()}
    return WorldState(inventory=things, characters=people)


def test_what_was_found_since_stays_behind() -> None:
    assert left_behind(world("lantern", "watch"), world("lantern")).things == ("watch",)


def test_more_or_less_of_a_thing_is_the_same_thing() -> None:
    assert left_behind(world("silver needle ×3"), world(" Silver Needle ×9")).things == ()


def test_trust_that_has_grown_stays_behind_and_lost_trust_does_not() -> None:
    here, there = world(qingwu=34, shen=-5), world(qingwu=10, shen=20)
    assert left_behind(here, there).trust == (("qingwu", 34),)


def test_whoever_was_met_since_is_named_once() -> None:
    assert left_behind(world(qingwu=34), EMPTY) == LeftBehind(people=("qingwu",))


def test_going_nowhere_leaves_nothing_behind() -> None:
    here = world("watch", qingwu=34)
    assert left_behind(here, here) == LeftBehind()
