"""Who stands how to whom, as a picture: people on a ring, a bow from one to the other. Pure geometry, in pixels."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

from liyuan.domain.world import Relationship

Feeling: TypeAlias = Literal["warm", "cold", "even"]

WIDTH = 280
#: More people than this cannot be read on so small a picture; the list below it has them all.
MOST = 8
LINE = 22
EM = 12.0
BEND = 16.0
#: Ems of a name. Of seven people, two stand side by side at the foot of the ring, with less room.
ROOM, ROOM_BESIDE, BESIDE = 7, 5, 7


@dataclass(frozen=True, slots=True, kw_only=True)
class Knot:
    """A person: a label of this size around its middle."""

    name: str
    whole: str
    x: float
    y: float
    left: float
    top: float
    width: float
    height: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Bow:
    """What one is to the other: a curve that ends at the other's label, and the words at its middle."""

    path: str
    feeling: Feeling
    words: str
    x: float
    y: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Graph:
    width: int
    height: int
    knots: tuple[Knot, ...]
    bows: tuple[Bow, ...]


def graph_of(relationships: Sequence[Relationship]) -> Graph | None:
    """The picture of these relationships; None when there are none. The same ones make the same picture."""
    names = list(dict.fromkeys(name for known in relationships for name in (known.a, known.b)))[:MOST]
    if len(names) < 2:
        return None
    height = 96 if len(names) == 2 else min(132 + 26 * max(len(names) - 3, 0), 240)
    room = ROOM_BESIDE if len(names) == BESIDE else ROOM
    knots = {name: _knot(name, *_place(at, len(names), height), room) for at, name in enumerate(names)}
    drawn = [known for known in relationships if known.a in knots and known.b in knots and known.a != known.b]
    bows = tuple(_bow(knots[known.a], knots[known.b], known, _bend(known, knots, height, drawn)) for known in drawn)
    return Graph(width=WIDTH, height=height, knots=tuple(knots.values()), bows=bows)


def _bend(known: Relationship, knots: Mapping[str, Knot], height: int, drawn: Sequence[Relationship]) -> float:
    """How far a bow bends to the left of its way: outwards, but the way back of a pair inwards."""
    a, b = knots[known.a], knots[known.b]
    out_x, out_y = (a.x + b.x - WIDTH) / 2, (a.y + b.y - height) / 2
    outwards = BEND if (b.y - a.y) * out_x - (b.x - a.x) * out_y >= 0 else -BEND
    first = next(one for one in drawn if {one.a, one.b} == {known.a, known.b})
    if first.a == known.a:
        return outwards
    # Of two people side by side, the middle is no side: left of the way there is right of the way back.
    return outwards if outwards == BEND and out_x == out_y == 0 else -outwards


def _place(at: int, count: int, height: int) -> tuple[float, float]:
    if count == 2:
        return (WIDTH * (0.17 if at == 0 else 0.83), height / 2)
    angle = -math.pi / 2 + 2 * math.pi * at / count
    return WIDTH / 2 + (WIDTH / 2 - 48) * math.cos(angle), height / 2 + (height / 2 - LINE / 2 - 2) * math.sin(angle)


def _knot(name: str, x: float, y: float, room: int) -> Knot:
    label = shortened(name, room)
    width = _width(label) + 14
    x = min(max(x, width / 2 + 1), WIDTH - width / 2 - 1)
    return Knot(
        name=label,
        whole=name,
        x=round(x, 1),
        y=round(y, 1),
        left=round(x - width / 2, 1),
        top=round(y - LINE / 2, 1),
        width=round(width, 1),
        height=LINE,
    )


def _bow(a: Knot, b: Knot, known: Relationship, bend: float) -> Bow:
    dx, dy = b.x - a.x, b.y - a.y
    far = math.hypot(dx, dy) or 1.0
    bend_x, bend_y = (a.x + b.x) / 2 + dy / far * bend, (a.y + b.y) / 2 - dx / far * bend
    from_x, from_y = _edge(a, bend_x, bend_y, 2)
    to_x, to_y = _edge(b, bend_x, bend_y, 6)
    return Bow(
        path=f"M{from_x:.1f} {from_y:.1f}Q{bend_x:.1f} {bend_y:.1f} {to_x:.1f} {to_y:.1f}",
        feeling="warm" if known.affinity > 0 else "cold" if known.affinity < 0 else "even",
        words=shortened(known.relation, 6),
        x=round((from_x + 2 * bend_x + to_x) / 4, 1),
        y=round((from_y + 2 * bend_y + to_y) / 4, 1),
    )


def _edge(knot: Knot, x: float, y: float, gap: float) -> tuple[float, float]:
    """Where the way from a label's middle to a point leaves the label, `gap` outside of it."""
    dx, dy = x - knot.x, y - knot.y
    reach = min(
        (knot.width / 2 + gap) / abs(dx) if dx else math.inf,
        (knot.height / 2 + gap) / abs(dy) if dy else math.inf,
        1.0,
    )
    return knot.x + dx * reach, knot.y + dy * reach


def shortened(text: str, ems: float) -> str:
    """A text of at most so many ems, cut with an ellipsis."""
    if _width(text) <= ems * EM:
        return text
    while text and _width(text) > (ems - 1) * EM:
        text = text[:-1]
    return f"{text.rstrip()}…"


def _width(text: str) -> float:
    """Pixels, by a guess that is never much too small: Chinese characters are as wide as high."""
    return sum(EM if ord(letter) > 0x2E7F else EM * 0.58 for letter in text)
