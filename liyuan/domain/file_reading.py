"""Reading a conversation file, however damaged: the sound part comes in, the rest is named by line and reason.

Nothing is guessed and no gap is closed. What hung on a faulty line is left out with it (`soundness`), so the messages
that do come in are those the story had, in its order.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from typing import Final, TypeVar, cast

from liyuan.domain import margin
from liyuan.domain.card import parse_card
from liyuan.domain.conversation_file import VERSION, ConversationFile, Cut, Fault, Header, Unsound, Visit
from liyuan.domain.entry import ASSISTANT, MESSAGE, REVISION, USER, Draft, EntryId, Status
from liyuan.domain.errors import Invalid
from liyuan.domain.file_line import (
    BYTE_ORDER_MARK,
    ID,
    ID_OR_NULL,
    MARKED,
    NUMBER,
    OBJECT,
    OBJECT_OR_NULL,
    TEXT,
    TEXT_OR_NULL,
    Shape,
    Unreadable,
    read_line,
    rest,
    take,
    take_time,
)
from liyuan.domain.margin import DANGLING
from liyuan.domain.note import Note
from liyuan.domain.soundness import DUPLICATE, sift
from liyuan.domain.tolerant import Json
from liyuan.domain.tree import Node

NO_HEADER: Final = "No line tells the title and the character. They are not known."
OTHER_STORY: Final = "The line belongs to another story, which begins at line {line}."
DANGLING_LEAF: Final = "The reader went to the entry “{entry_id}”, which is not in this story."

NOT_OURS: Final = "This is not a conversation file: nothing in it is a conversation or an entry. Nothing was taken in."
CHAT_OF_OTHERS: Final = (
    "This is a chat of SillyTavern. Chats of other programs cannot be taken in yet. Nothing was taken in."
)
NEWER: Final = "This file is of version {version}, newer than this server can read. Nothing was taken in."
HOPELESS: Final = "More than {limit} lines of this file cannot be read. Nothing was taken in."
NOTHING_SOUND: Final = "No entry of this file could be read. Nothing was taken in."

MOST_UNREADABLE: Final = 10_000

NAME: Final = Shape(lambda value: TEXT.holds(value) and str(value).strip() != "", "“{key}” is not a name.")
PERSONA: Final = Shape(
    lambda value: TEXT.holds(value) or OBJECT_OR_NULL.holds(value), "“{key}” is neither text, an object nor null."
)
SPEAKER: Final = Shape(lambda value: value in (USER, ASSISTANT), "“{key}” is neither “user” nor “assistant”.")
STATUS: Final = Shape(
    lambda value: value in ("complete", "interrupted"), "“{key}” is neither “complete” nor “interrupted”."
)

_HEADER_KEYS: Final = frozenset({"type", "version", "id", "title", "card", "persona", "created_at"})
_ENTRY_KEYS: Final = frozenset({"type", "id", "parent_id", "kind", "role", "text", "data", "status", "created_at"})
_VISIT_KEYS: Final = frozenset({"type", "entry_id", "cause", "at"})
_CUT_KEYS: Final = frozenset({"type", "entry_id", "leaf_id", "at"})

Value = TypeVar("Value")


@dataclass(slots=True)
class _Gathered:
    """What has been read so far, each with the number of its line."""

    header: tuple[int, Header] | None = None
    other_story: int = 0
    of_others: bool = False
    entries: list[tuple[int, Draft]] = field(default_factory=list)
    visits: list[tuple[int, Visit]] = field(default_factory=list)
    cuts: list[tuple[int, Cut]] = field(default_factory=list)
    margin: list[tuple[int, margin.AnyLine]] = field(default_factory=list)
    others: list[Json] = field(default_factory=list)
    faults: list[Fault] = field(default_factory=list)

    def fault(self, line: int, template: str, /, **fields: object) -> None:
        self.faults.append(Fault(line, Note(template, fields)))


def read_file(lines: Iterable[bytes]) -> ConversationFile:
    """Reads a file given line by line, each with its end. Line ends may be LF or CR LF.

    Raises Invalid for what is no conversation file at all, for a newer version, and where nothing was sound.
    """
    gathered = _Gathered()
    for number, raw in enumerate(lines, start=1):
        if number == 1 and raw.startswith(BYTE_ORDER_MARK):
            gathered.fault(1, MARKED)
            raw = raw.removeprefix(BYTE_ORDER_MARK)
        try:
            line = read_line(raw)
            if line is not None:
                _sort_in(gathered, number, line)
        except Unreadable as error:
            gathered.faults.append(Fault(number, error.note))
            if len(gathered.faults) > MOST_UNREADABLE:
                raise Invalid(HOPELESS, limit=MOST_UNREADABLE) from error
    return _joined(gathered)


def _sort_in(gathered: _Gathered, number: int, line: Json) -> None:
    gathered.of_others |= {"mes", "is_user"} <= line.keys() or {"user_name", "character_name"} <= line.keys()
    kind = take(line, "type", TEXT)
    if kind == "conversation" and gathered.header:
        gathered.other_story = gathered.other_story or number
    if gathered.other_story:
        raise Unreadable(OTHER_STORY, line=gathered.other_story)
    match kind:
        case "conversation":
            gathered.header = number, _header(gathered, number, line)
        case "entry":
            gathered.entries.append((number, _entry(line)))
        case "leaf":
            gathered.visits.append((number, _visit(line)))
        case "pruned":
            gathered.cuts.append((number, _cut(line)))
        case _:
            beside = margin.parse_margin_line(kind, line)
            if beside:
                gathered.margin.append((number, beside))
            else:
                gathered.others.append(line)


def _header(gathered: _Gathered, number: int, line: Json) -> Header:
    """Key by key, so that a title that is a number does not cost the character."""
    if take(line, "version", NUMBER, VERSION) > VERSION:
        raise Invalid(NEWER, version=line["version"])

    def sound(read: Callable[[], Value], default: Value) -> Value:
        try:
            return read()
        except Unreadable as error:
            gathered.faults.append(Fault(number, error.note))
            return default

    return Header(
        id=sound(lambda: take(line, "id", ID_OR_NULL, None), None),
        title=sound(lambda: take(line, "title", TEXT, ""), ""),
        card=sound(lambda: _card(take(line, "card", OBJECT_OR_NULL, None)), None),
        persona=sound(lambda: _persona(take(line, "persona", PERSONA, None)), None),
        created_at=sound(lambda: take_time(line, "created_at"), ""),
        extra=rest(line, _HEADER_KEYS),
    )


def _card(value: Json | None) -> Json | None:
    """The card as it is written, if it can be read as one."""
    try:
        if value is not None:
            parse_card(value)
    except Invalid as error:
        raise Unreadable(error.template, **error.fields) from error
    return value


def _persona(value: str | Json | None) -> Json | None:
    if isinstance(value, str):
        return {"name": value} if value.strip() else None
    if value is not None:
        take(value, "name", NAME)
        take(value, "description", TEXT, "")
    return value


def _entry(line: Json) -> Draft:
    kind = take(line, "kind", ID)
    is_message = kind == MESSAGE
    return Draft(
        id=EntryId(take(line, "id", ID)),
        parent_id=take(line, "parent_id", ID_OR_NULL),
        kind=kind,
        role=take(line, "role", SPEAKER) if is_message else take(line, "role", TEXT_OR_NULL, None),
        text=take(line, "text", TEXT) if kind in (MESSAGE, REVISION) else take(line, "text", TEXT_OR_NULL, None),
        data=take(line, "data", OBJECT, {}),
        status=cast(Status, take(line, "status", STATUS, "complete")),
        created_at=take_time(line, "created_at"),
        extra=rest(line, _ENTRY_KEYS),
    )


def _visit(line: Json) -> Visit:
    return Visit(
        entry_id=take(line, "entry_id", ID_OR_NULL),
        cause=take(line, "cause", TEXT, "import"),
        at=take_time(line, "at"),
        extra=rest(line, _VISIT_KEYS),
    )


def _cut(line: Json) -> Cut:
    return Cut(
        entry_id=EntryId(take(line, "entry_id", ID)),
        leaf_id=take(line, "leaf_id", ID_OR_NULL, None),
        at=take_time(line, "at"),
        extra=rest(line, _CUT_KEYS),
    )


def _joined(gathered: _Gathered) -> ConversationFile:
    _refuse_the_foreign(gathered)
    if gathered.header is None:
        gathered.fault(1, NO_HEADER)
    entries = _sound_entries(gathered)
    ids = {entry.id for entry in entries}
    visits = [visit for line, visit in gathered.visits if _is_there(gathered, line, visit, ids)]
    file = ConversationFile(
        header=gathered.header[1] if gathered.header else Header(),
        entries=tuple(entries),
        journal=tuple(visits),
        cuts=tuple(_sound_cuts(gathered, ids)),
        margin=margin.joined(gathered.margin, entries, gathered.fault),
        others=tuple(gathered.others),
        faults=tuple(sorted(gathered.faults, key=lambda fault: fault.line)),
    )
    if file.faults and not file.entries:
        raise Unsound(NOTHING_SOUND, file.faults)
    return file


def _refuse_the_foreign(gathered: _Gathered) -> None:
    if gathered.header is None and not gathered.entries:
        raise Invalid(CHAT_OF_OTHERS if gathered.of_others else NOT_OURS)


def _sound_entries(gathered: _Gathered) -> list[Draft]:
    nodes = [Node(entry.id, entry.parent_id, entry.kind, entry.role) for _, entry in gathered.entries]
    sifted = sift(nodes)
    gathered.faults += [Fault(gathered.entries[index][0], why) for index, why in sifted.faults.items()]
    return [gathered.entries[index][1] for index in sifted.order]


def _is_there(gathered: _Gathered, line: int, visit: Visit, ids: set[EntryId]) -> bool:
    if visit.entry_id is None or visit.entry_id in ids:
        return True
    gathered.fault(line, DANGLING_LEAF, entry_id=visit.entry_id)
    return False


def _sound_cuts(gathered: _Gathered, ids: set[EntryId]) -> Iterable[Cut]:
    seen: set[EntryId] = set()
    for line, cut in gathered.cuts:
        if cut.entry_id not in ids:
            gathered.fault(line, DANGLING, entry_id=cut.entry_id)
        elif cut.entry_id in seen:
            gathered.fault(line, DUPLICATE, id=cut.entry_id)
        else:
            seen.add(cut.entry_id)
            yield _with_known_leaf(gathered, line, cut, ids)


def _with_known_leaf(gathered: _Gathered, line: int, cut: Cut, ids: set[EntryId]) -> Cut:
    if cut.leaf_id is None or cut.leaf_id in ids:
        return cut
    gathered.fault(line, DANGLING, entry_id=cut.leaf_id)
    return replace(cut, leaf_id=None)
