"""The whole tree of a story as boxes from the top down, some at a time; and the search through all of its branches."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import ClassVar, Literal, TypeAlias

from fastapi import APIRouter, Request, Response
from sqlalchemy import Connection

from liyuan.domain.entry import ConversationId, Entry, EntryId
from liyuan.domain.lanes import Box
from liyuan.store.cast import load_story_card
from liyuan.store.conversations import load_conversation
from liyuan.store.excerpts import Excerpt, excerpt
from liyuan.store.lanes import Mark, Told, box_of, load_boxes, load_marks, load_told, marks_in, search_tree
from liyuan.store.tree import load_entry
from liyuan.web.redraw import resources_of
from liyuan.web.render import View, render
from liyuan.web.shelf import plain
from liyuan.web.speech import language_of
from liyuan.web.story import address_of

router = APIRouter(prefix="/stories/{story_id}", include_in_schema=False)

#: Boxes that are drawn at a time, and of those how many above the reader's own.
WINDOW, ABOVE = 40, 8
#: Letters of a message that a box shows, and steps that it moves in at the most.
SHOWN, DEEPEST = 110, 9

Only: TypeAlias = Literal["", "saves", "tags", "mine"]


@dataclass(frozen=True, slots=True)
class Words:
    """The beginning of a message. `is_reader` tells whose."""

    id: EntryId
    text: str
    lang: str
    is_reader: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """A box, drawn. Turns are those of its first and of its last message; `end` is where one goes."""

    number: int
    kind: str
    indent: int
    deeper: int
    first: Words | None
    last: Words | None
    end: EntryId | None
    first_turn: int
    last_turn: int
    messages: int
    ways: int
    is_on_way: bool
    is_here: bool
    is_pruned: bool
    is_broken_off: bool
    tellings: tuple[Words, ...]
    marks: tuple[Mark, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """A message that a search has found, with its words in their place."""

    id: EntryId
    turn: int
    excerpt: Excerpt
    lang: str
    is_reader: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Tree:
    """A window of the tree. `above` and `below` are where the windows beside it begin; None at the ends."""

    address: str
    title: str
    lang: str
    character: str
    leaf: EntryId | None
    rows: tuple[Row, ...]
    total: int
    above: int | None
    below: int | None
    query: str
    only: Only
    pruned: bool
    found: tuple[Found, ...]

    @property
    def chosen(self) -> str:
        """The part of an address that says what is shown."""
        return f"only={self.only}" + ("&pruned=1" if self.pruned else "")


@dataclass(frozen=True)
class TreeView(View):
    """The page."""

    template: ClassVar[str] = "pages/tree.html"
    tree: Tree


@dataclass(frozen=True)
class RowsView(View):
    """One more window of it. `way` tells which side it is asked for from."""

    template: ClassVar[str] = "tree/_rows.html"
    tree: Tree
    way: str


@router.get("/tree")
async def tree(
    request: Request, story_id: ConversationId, query: str = "", only: Only = "", pruned: bool = False
) -> Response:
    """The window where the reader is; with `query`, or only the reader's own words, what a search finds."""
    wanted = Wanted(story_id, query.strip(), only, pruned)
    return render(request, TreeView(await resources_of(request).database.read(load_tree, wanted)))


@router.get("/tree/rows")
async def rows(
    request: Request,
    story_id: ConversationId,
    start: int,
    way: Literal["up", "down"] = "down",
    only: Only = "",
    pruned: bool = False,
) -> Response:
    wanted = Wanted(story_id, "", only, pruned, start)
    return render(request, RowsView(await resources_of(request).database.read(load_tree, wanted), way))


@dataclass(frozen=True, slots=True)
class Wanted:
    """What is asked for. Without `start`, the window where the reader is."""

    story_id: ConversationId
    query: str = ""
    only: Only = ""
    pruned: bool = False
    start: int | None = None


def load_tree(connection: Connection, wanted: Wanted) -> Tree:
    """Reads the shape of the whole tree, and the words of one window. Raises NotFound."""
    conversation = load_conversation(connection, wanted.story_id)
    card = load_story_card(connection, conversation.card_id)
    found = _found(connection, wanted)
    is_search = bool(wanted.query) or wanted.only == "mine"
    marks = {} if is_search else load_marks(connection, wanted.story_id)
    boxes = () if is_search else _chosen(load_boxes(connection, wanted.story_id, pruned=wanted.pruned), marks, wanted)
    leaf = load_entry(connection, wanted.story_id, conversation.leaf_id) if conversation.leaf_id else None
    start = _start(boxes, leaf) if wanted.start is None else max(wanted.start, 0)
    told = load_told(connection, [box for _, box in boxes[start : start + WINDOW]], marks, leaf)
    numbers = (number for number, _ in boxes[start : start + WINDOW])
    return Tree(
        address=address_of(wanted.story_id),
        title=conversation.title or card.name,
        lang=card.language,
        character=card.char,
        leaf=conversation.leaf_id,
        rows=tuple(_row(number, one, leaf) for number, one in zip(numbers, told, strict=True)),
        total=len(boxes),
        above=max(start - WINDOW, 0) if start > 0 else None,
        below=start + WINDOW if start + WINDOW < len(boxes) else None,
        query=wanted.query,
        only=wanted.only,
        pruned=wanted.pruned,
        found=found,
    )


def _chosen(boxes: Iterable[Box], marks: dict[int, list[Mark]], wanted: Wanted) -> Sequence[tuple[int, Box]]:
    """The boxes to be shown, with their numbers in the whole tree."""
    kind = {"saves": "save", "tags": "tag"}.get(wanted.only)
    numbered = enumerate(boxes)
    if kind is None:
        return list(numbered)
    return [(number, box) for number, box in numbered if any(mark.kind == kind for mark in marks_in(box, marks))]


def _start(boxes: Sequence[tuple[int, Box]], leaf: Entry | None) -> int:
    """So that the reader's own box is seen; a tree that fits into one window begins at its top."""
    if leaf is None or len(boxes) <= WINDOW:
        return 0
    at = box_of((box for _, box in boxes), (leaf.place.segment_id, leaf.depth)) or 0
    return min(max(at - ABOVE, 0), len(boxes) - WINDOW)


def _found(connection: Connection, wanted: Wanted) -> tuple[Found, ...]:
    if not wanted.query and wanted.only != "mine":
        return ()
    entries = search_tree(connection, wanted.story_id, wanted.query, mine=wanted.only == "mine")
    return tuple(
        Found(
            id=entry.id,
            turn=entry.place.turn,
            excerpt=excerpt(plain(entry.text or ""), wanted.query),
            lang=language_of(entry.text or ""),
            is_reader=entry.is_user,
        )
        for entry in entries
    )


def _row(number: int, told: Told, leaf: Entry | None) -> Row:
    box, first, last = told.box, told.first, told.last
    return Row(
        number=number,
        kind=box.kind,
        indent=min(box.indent, DEEPEST),
        deeper=max(box.indent - DEEPEST, 0),
        first=_words(first) if first else None,
        last=_words(last) if last and last is not first else None,
        end=told.end.id if told.end else None,
        first_turn=first.place.turn if first else 0,
        last_turn=last.place.turn if last else 0,
        messages=box.length,
        ways=box.ways,
        is_on_way=box.is_on_way,
        is_here=leaf is not None and box.holds(leaf.place.segment_id, leaf.depth),
        is_pruned=box.is_pruned,
        is_broken_off=last is not None and last.status == "interrupted",
        tellings=tuple(_words(entry) for entry in told.tellings),
        marks=told.marks,
    )


def _words(entry: Entry) -> Words:
    line = plain(entry.text or "")
    text = line if len(line) <= SHOWN else line[: SHOWN - 1].rstrip() + "…"
    return Words(entry.id, text, language_of(text), entry.is_user)
