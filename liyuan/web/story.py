"""A story as its page shows it, read in one look: the last messages of the active branch, and who is on stage."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from sqlalchemy import Connection

from liyuan.domain.card import Card
from liyuan.domain.card_world import card_world
from liyuan.domain.entry import MESSAGE, ConversationId, EntryId
from liyuan.domain.journal import Possible
from liyuan.store.branch import PAGE, Page, Shown, load_page, load_shown
from liyuan.store.cast import load_story_card, reader_of
from liyuan.store.conversations import Conversation, load_conversation
from liyuan.store.journal import load_possible
from liyuan.store.library import load_card, load_persona
from liyuan.store.performances import Performing, load_performing
from liyuan.store.tags import load_tags
from liyuan.web.asides import Aside, load_asides
from liyuan.web.divider import Divider, load_divider
from liyuan.web.media import picture_address
from liyuan.web.runs import load_bookings, run_mark
from liyuan.web.speech import Speech, Who, drawn, slot_of, speeches_of

#: So many messages are drawn at once at the most, however far up a reader has gone.
MOST = 500


@dataclass(frozen=True, slots=True, kw_only=True)
class Cast:
    """Who plays with whom."""

    character: Who
    reader: Who
    lang: str


@dataclass(frozen=True, slots=True, kw_only=True)
class OnStage:
    """A reply on its way, and the place it will take.

    `tail` is what had been said when the page was drawn. `leaving` is the telling that stands there until the reply
    exists, `before` the last telling there is, and `total` how many there are with this one.
    """

    id: str
    slot: str
    who: Who
    opens: bool
    lang: str
    reasoning: str = ""
    tail: str = ""
    leaving: str = ""
    address: str = ""
    before: EntryId | None = None
    total: int = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Helm:
    """What a page believes: where the story is, which performance is on, how far the latest run is, and whether there
    is a move to take back or to make again."""

    leaf: EntryId | None
    performance: str | None
    run: str
    can: Possible
    address: str
    shown: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Story:
    """`earlier` is where the run above begins, None at the opening. `waits` is true when the reader spoke last."""

    id: ConversationId
    title: str
    address: str
    lang: str
    character: str
    leaf: EntryId | None
    turns: int
    earlier: EntryId | None
    shown: int
    speeches: tuple[Speech, ...]
    performing: OnStage | None
    is_impersonating: bool
    performance: str | None
    divider: Divider | None
    asides: Mapping[EntryId, tuple[Aside, ...]]
    run: str
    can: Possible

    @property
    def waits(self) -> bool:
        return not self.performance and bool(self.speeches) and self.speeches[-1].who.is_reader

    @property
    def helm(self) -> Helm:
        return Helm(
            leaf=self.leaf,
            performance=self.performance,
            run=self.run,
            can=self.can,
            address=self.address,
            shown=self.shown,
        )


def address_of(story_id: str) -> str:
    return f"/stories/{story_id}"


def load_story(
    connection: Connection,
    story_id: ConversationId,
    *,
    shown: int = PAGE,
    before: EntryId | None = None,
    leaf: EntryId | None = None,
    editing: EntryId | None = None,
) -> Story:
    """The last `shown` entries of the active branch, or as many above `before`. Raises NotFound."""
    conversation = load_conversation(connection, story_id)
    card = load_story_card(connection, conversation.card_id)
    cast = load_cast(connection, conversation, card)
    page = _whole(load_page(connection, story_id, leaf, limit=min(max(shown, 1), MOST), before=before))
    performing = load_performing(connection, story_id) if conversation.performance_id and not before else None
    on_stage = _on_stage(connection, performing, cast, page) if performing else None
    items = _above(page.items, on_stage.slot) if on_stage else page.items
    fields = card_world(card.extensions).fields
    tags = load_tags(connection, story_id)
    return Story(
        id=story_id,
        title=conversation.title or card.name,
        address=address_of(story_id),
        lang=cast.lang,
        character=card.char,
        leaf=conversation.leaf_id,
        turns=conversation.turns,
        earlier=page.prev,
        shown=len(page.items),
        speeches=tuple(
            speeches_of(
                items,
                cast.character,
                cast.reader,
                editing=editing,
                bookings=load_bookings(connection, story_id, [one.entry for one in page.items], fields),
                tags=tags,
            )
        ),
        performing=on_stage,
        is_impersonating=performing is not None and performing.act == "impersonate",
        performance=performing.id if performing else None,
        divider=load_divider(connection, story_id, page),
        asides=load_asides(connection, story_id, items, tags),
        run=run_mark(connection, story_id),
        can=load_possible(connection, story_id),
    )


def _whole(page: Page) -> Page:
    """The run without first entries that belong to a message above it: they go with the run above."""
    start = next((at for at, shown in enumerate(page.items) if shown.entry.kind == MESSAGE), 0)
    if start == 0:
        return page
    return replace(page, items=page.items[start:], prev=page.items[start].id)


def load_cast(connection: Connection, conversation: Conversation, card: Card) -> Cast:
    reader = reader_of(connection, conversation.persona_id, card)
    row = load_card(connection, conversation.card_id, deleted=True) if conversation.card_id else None
    own = load_persona(connection, reader.id, deleted=True) if reader.id else None
    return Cast(
        character=Who(name=card.char, portrait=picture_address(row.image_id if row else None)),
        reader=Who(name=reader.name, portrait=picture_address(own.image_id if own else None), is_reader=True),
        lang=card.language,
    )


def _on_stage(connection: Connection, performing: Performing, cast: Cast, page: Page) -> OnStage | None:
    if performing.act == "impersonate":
        return None
    known: dict[str, Any] = {"id": performing.id, "who": cast.character, "lang": cast.lang}
    if performing.act == "continue" and performing.parent_id:
        target = load_shown(connection, performing.conversation_id, performing.parent_id, performing.expected_leaf)
        slot = slot_of(target.entry.parent_id)
        return OnStage(slot=slot, opens=_opens(page.items, slot), tail=target.text + performing.text, **known)
    slot = slot_of(performing.parent_id)
    old = next((shown for shown in drawn(page.items) if slot_of(shown.entry.parent_id) == slot), None)
    ids = old.variants.ids if old and old.variants else ()
    return OnStage(
        slot=slot,
        opens=_opens(page.items, slot),
        tail=performing.text,
        reasoning=performing.reasoning,
        leaving=old.text if old else "",
        address=address_of(performing.conversation_id),
        before=ids[-1] if ids else None,
        total=len(ids) + 1,
        **known,
    )


def _above(items: tuple[Shown, ...], slot: str) -> tuple[Shown, ...]:
    """The entries above a place: what stood there, and below, has no part in what is being played."""
    at = next((at for at, shown in enumerate(items) if slot_of(shown.entry.parent_id) == slot), len(items))
    return items[:at]


def _opens(items: tuple[Shown, ...], slot: str) -> bool:
    above = drawn(_above(items, slot))
    return not (above and above[-1].entry.is_reply)
