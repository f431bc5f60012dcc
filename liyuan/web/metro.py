"""The worldlines as a picture: from saves to what an SVG is made of, in pixels. Same saves, same picture."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from liyuan.domain.entry import EntryId
from liyuan.domain.metro import Metro, Stop, Track, lay_out
from liyuan.domain.metro import Station as Place
from liyuan.play.worldlines import Picture, Station
from liyuan.web.times import said_when

#: Pixels from lane to lane and from row to row, and the margins around the picture.
LANE, ROW = 188, 76
LEFT, TOP, BOTTOM = 40, 56, 48
#: The radius of a bend, and how far apart forks leave that leave one station.
BEND, APART, MOST_APART = 14, 5, 3
#: How wide a name may be, in Latin letters; a Chinese character is as wide as two.
WIDEST = 23
WIDEST_LINE, ENDING = 26, 4
HUES = 8
#: Where the reader is when that is no save.
HERE = "here"

#: What the stations of a line look like, by the number of the line: outlines around 0, 0.
SHAPES = (
    "M-8 0a8 8 0 1 0 16 0a8 8 0 1 0-16 0z",
    "M-7.5-7.5h15v15h-15z",
    "M0-10.5 10.5 0 0 10.5-10.5 0z",
    "M0-10 10 7.5h-20z",
    "M-10 0-5-8.7h10L10 0 5 8.7h-10z",
    "M0 10-10-7.5h20z",
    "M0-11.5 3.4-3.4 11.5 0 3.4 3.4 0 11.5-3.4 3.4-11.5 0-3.4-3.4z",
    "M-3.5-9.5h7v6h6v7h-6v6h-7v-6h-6v-7h6z",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """A worldline as it is told apart: by hue, by shape, by name. `source` is the name of the save it leaves from."""

    id: str
    name: str
    hue: int
    shape: str
    source: str
    is_current: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Halt:
    """A station, drawn. `short` is as much of the name as there is room for; `begins` where a line does.

    `id` is the save's; for the place of a reader who has gone on since the last save, "here".
    """

    id: str
    line: Line
    begins: bool
    name: str
    short: str
    turn: int
    at: str
    when: str
    source: str
    x: int
    y: int
    row: int
    lane: int
    is_current: bool
    is_on_way: bool

    @property
    def is_here(self) -> bool:
        return self.id == HERE

    @property
    def line_short(self) -> str:
        """As much of the line's name as there is room for. Its end stays, for that is where forks are numbered."""
        name = self.line.name
        if fitting(name, WIDEST_LINE) == name:
            return name
        end = name[-ENDING:].lstrip()
        return fitting(name[: -len(end)], WIDEST_LINE - _wide(end)).rstrip("…") + "…" + end


@dataclass(frozen=True, slots=True, kw_only=True)
class Rail:
    """A piece of a line between two stations. `way` is its outline."""

    way: str
    hue: int
    is_on_way: bool
    is_planned: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Drawing:
    """The picture. Width and height in pixels at its natural size."""

    width: int
    height: int
    rails: tuple[Rail, ...]
    halts: tuple[Halt, ...]
    lines: tuple[Line, ...]

    @property
    def current(self) -> Halt | None:
        """Where the reader is."""
        return next((halt for halt in reversed(self.halts) if halt.is_current), None)

    def of(self, line: Line) -> tuple[Halt, ...]:
        """The saves of a line, from the top down."""
        return tuple(halt for halt in self.halts if halt.line.id == line.id and not halt.is_here)


def drawing_of(picture: Picture, language: str) -> Drawing:
    """Draws every living save, and the reader's own place where that is none of them."""
    lines = _lines(picture)
    metro = lay_out(_stops(picture))
    halts = tuple(_halts(picture, metro, lines, language))
    on_way = {halt.id for halt in halts if halt.is_on_way}
    return Drawing(
        width=LEFT + metro.lanes * LANE,
        height=TOP + (metro.rows - 1) * ROW + BOTTOM,
        rails=tuple(_rails(metro, lines, on_way)),
        halts=halts,
        lines=tuple(line for line in lines.values() if line.id != HERE),
    )


def _lines(picture: Picture) -> dict[str, Line]:
    here = picture.stations.get(picture.current_save) if picture.current_save else None
    made: dict[str, Line] = {}
    for number, line in enumerate(picture.worldlines):
        source = picture.stations.get(line.fork_source) if line.fork_source else None
        made[line.id] = Line(
            id=line.id,
            name=line.name,
            hue=number % HUES + 1,
            shape=SHAPES[(number + number // HUES) % len(SHAPES)],
            source=source.save.name if source else "",
            is_current=here is not None and here.save.worldline_id == line.id,
        )
    made[HERE] = Line(id=HERE, name="", hue=0, shape=SHAPES[0], source="", is_current=False)
    return made


def _stops(picture: Picture) -> list[Stop]:
    """From the top down. For a reader on the way from one save to the next, that place is a stop as well."""
    downwards = sorted(picture.stations.items(), key=lambda item: item[1].depth)
    stops = [Stop(key, one.above_id, one.save.worldline_id) for key, one in downwards]
    if picture.leaf_id is not None and not picture.at_save and stops:
        stops.append(Stop(HERE, picture.current_save, _next_line(picture)))
    return stops


def _next_line(picture: Picture) -> str:
    """The line that a save made now would lie on: that of the last save, if nobody has gone on from it yet."""
    above = picture.current_save
    if above is None or any(one.above_id == above for one in picture.stations.values()):
        return HERE
    return picture.stations[above].save.worldline_id


def _halts(picture: Picture, metro: Metro, lines: Mapping[str, Line], language: str) -> Iterator[Halt]:
    firsts = {line.saves[0].id for line in picture.worldlines if line.saves}
    for place in metro.stations:
        known = picture.stations.get(EntryId(place.id))
        name = known.save.name if known else ""
        yield Halt(
            id=place.id,
            line=lines[place.line_id],
            begins=place.id in firsts,
            name=name,
            short=fitting(name, WIDEST),
            turn=known.turn if known else picture.turn,
            at=known.created_at if known else "",
            when=said_when(known.created_at, language) if known else "",
            source=known.save.source if known else "",
            x=_x(place),
            y=_y(place),
            row=place.row,
            lane=place.lane,
            is_current=_is_current(picture, known),
            is_on_way=known.on_path if known else True,
        )


def _is_current(picture: Picture, known: Station | None) -> bool:
    return picture.at_save and known.save.id == picture.current_save if known else True


def _rails(metro: Metro, lines: Mapping[str, Line], on_way: set[str]) -> Iterator[Rail]:
    """The ways that are not the reader's first, so that the reader's lies on top."""
    for track in sorted(metro.tracks, key=lambda track: (track.end.id in on_way, -track.nth)):
        yield Rail(
            way=_way(track),
            hue=lines[track.line_id].hue,
            is_on_way=track.end.id in on_way,
            is_planned=track.end.id == HERE,
        )


def _way(track: Track) -> str:
    x, y, end_x, end_y = _x(track.start), _y(track.start), _x(track.end), _y(track.end)
    if not track.is_fork or x == end_x:
        return f"M{x} {y}V{end_y}"
    level = y + ROW // 2 - min(track.nth, MOST_APART) * APART
    return (
        f"M{x} {y}V{level - BEND}Q{x} {level} {x + BEND} {level}"
        f"H{end_x - BEND}Q{end_x} {level} {end_x} {level + BEND}V{end_y}"
    )


def _x(place: Place) -> int:
    return LEFT + place.lane * LANE


def _y(place: Place) -> int:
    return TOP + place.row * ROW


def fitting(text: str, widest: int) -> str:
    """As much of a text as there is room for, counted in Latin letters; an ellipsis where some is left out."""
    if _wide(text) <= widest:
        return text
    while text and _wide(text) > widest - 1:
        text = text[:-1]
    return text.rstrip() + "…"


def _wide(text: str) -> int:
    return sum(2 if unicodedata.east_asian_width(letter) in "WF" else 1 for letter in text)
