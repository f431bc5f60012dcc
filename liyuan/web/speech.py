"""One message as it stands on the play page: whose it is, where it stands, what can be done with it. Pure values."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from liyuan.domain.entry import MESSAGE, EntryId
from liyuan.domain.tool_use import uses_of
from liyuan.store.branch import Shown
from liyuan.web.runs import NOTHING_BOOKED, Booking
from liyuan.web.uses import NO_TAGS, REFUSED, UseLine, use_lines


@dataclass(frozen=True, slots=True, kw_only=True)
class Who:
    """Somebody on stage. `portrait` is the address of a small picture, None where there is none."""

    name: str
    portrait: str | None = None
    is_reader: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Speech:
    """A message, drawn. `index` counts from 1; `before` and `after` are the variants beside it.

    `slot` names the place below its parent: another telling fills the same place, so a page can change one for the
    other without moving anything else. `opens` is true for the first message of a speaker's turn.
    """

    id: EntryId
    slot: str
    who: Who
    opens: bool
    text: str
    lang: str
    reasoning: str
    interrupted: bool
    index: int
    total: int
    before: EntryId | None
    after: EntryId | None
    can_be_retold: bool
    is_edited: bool = False
    booking: Booking = NOTHING_BOOKED
    uses: tuple[UseLine, ...] = ()


NOTHING_KNOWN: Mapping[EntryId, Booking] = {}


def slot_of(parent_id: EntryId | None) -> str:
    """The id of the place below an entry. A path has one entry below each, so it is unique on a page."""
    return f"below-{parent_id or 'nothing'}"


def drawn(items: Iterable[Shown]) -> list[Shown]:
    """The messages among the entries of a path; other kinds have panels of their own."""
    return [shown for shown in items if shown.entry.kind == MESSAGE]


def speeches_of(
    items: Iterable[Shown],
    character: Who,
    reader: Who,
    *,
    editing: EntryId | None = None,
    bookings: Mapping[EntryId, Booking] = NOTHING_KNOWN,
    tags: Mapping[str, EntryId] = NO_TAGS,
) -> Iterator[Speech]:
    """The messages of a run of the path, in order."""
    last: Who | None = None
    for shown in drawn(items):
        who = reader if shown.entry.is_user else character
        booking = bookings.get(shown.id, NOTHING_BOOKED)
        opens, is_edited = who is not last, shown.id == editing
        yield speech_of(shown, who, opens=opens, is_edited=is_edited, booking=booking, tags=tags)
        last = who


def speech_of(
    shown: Shown,
    who: Who,
    *,
    opens: bool = True,
    is_edited: bool = False,
    booking: Booking = NOTHING_BOOKED,
    tags: Mapping[str, EntryId] = NO_TAGS,
) -> Speech:
    ids = shown.variants.ids if shown.variants else (shown.id,)
    at = shown.variants.index if shown.variants else 0
    return Speech(
        id=shown.id,
        slot=slot_of(shown.entry.parent_id),
        who=who,
        opens=opens,
        text=shown.text,
        lang=language_of(shown.text),
        reasoning=str(shown.entry.data.get("reasoning", "")),
        interrupted=shown.status == "interrupted",
        index=at + 1,
        total=len(ids),
        before=ids[at - 1] if at > 0 else None,
        after=ids[at + 1] if at + 1 < len(ids) else None,
        can_be_retold=shown.entry.is_reply and shown.entry.parent_id is not None,
        is_edited=is_edited,
        booking=booking,
        uses=_uses(shown, tags),
    )


def _uses(shown: Shown, tags: Mapping[str, EntryId]) -> tuple[UseLine, ...]:
    data = shown.entry.data
    refused = (REFUSED,) if data.get("without_tools") else ()
    return (*refused, *use_lines(uses_of(data.get("tools")), tags))


_HAN = re.compile(r"[\u3400-\u9fff]")
_LATIN = re.compile(r"[A-Za-z\u00c0-\u024f]")
ENOUGH = 200


def language_of(text: str) -> str:
    """Which fonts a text asks for: `zh` when Chinese characters carry it, else `en`. A guess by its start."""
    start = text[:ENOUGH]
    if not _HAN.search(start):
        return "en"
    return "zh" if len(_HAN.findall(start)) * 3 >= len(_LATIN.findall(start)) else "en"
