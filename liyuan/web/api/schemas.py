"""What the JSON API answers. Names and shapes are a promise to other programs (docs/reference/api.md)."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import BaseModel, ConfigDict

from liyuan.domain.prompt import Part as PromptPart
from liyuan.play.gather import Ready
from liyuan.play.imports import Imported
from liyuan.store.branch import Page as BranchPage
from liyuan.store.branch import Shown
from liyuan.store.conversations import Conversation as ConversationRow
from liyuan.store.conversations import Listed
from liyuan.store.library import CardRow, PersonaRow
from liyuan.store.outline import Outline

ENTRY_EXAMPLE: dict[str, Any] = {
    "id": "019c13d2a1b07f3e5d2c4b6a",
    "parent_id": "019c13d29f0011aa22bb33cc",
    "kind": "message",
    "role": "assistant",
    "text": "“Come in out of the rain,” she says. *The lamp is lit before you have sat down.*",
    "data": {"model": "understudy"},
    "depth": 2,
    "status": "complete",
    "created_at": "2026-01-31T12:00:05.120Z",
    "variants": {"index": 1, "total": 2, "ids": ["019c13d2a00f00aa00bb00cc", "019c13d2a1b07f3e5d2c4b6a"]},
}
CONVERSATION_EXAMPLE: dict[str, Any] = {
    "id": "019c13d29e4410ff20ee30dd",
    "title": "A rainy night",
    "card_id": "019c13cf00aa11bb22cc33dd",
    "persona_id": "019c13d000aa11bb22cc33dd",
    "connection_id": "019c13d100aa11bb22cc33dd",
    "leaf_id": "019c13d2a1b07f3e5d2c4b6a",
    "turns": 1,
    "status": "idle",
    "created_at": "2026-01-31T12:00:00.000Z",
    "updated_at": "2026-01-31T12:00:05.120Z",
}
CARD_EXAMPLE: dict[str, Any] = {
    "id": "019c13cf00aa11bb22cc33dd",
    "name": "青梧",
    "image": "/media/5f1c2e/page",
    "created_at": "2026-01-31T11:00:00.000Z",
    "updated_at": "2026-01-31T11:00:00.000Z",
}
PERSONA_EXAMPLE: dict[str, Any] = {
    "id": "019c13d000aa11bb22cc33dd",
    "name": "阿远",
    "description": "A courier who is late.",
    "is_default": True,
    "created_at": "2026-01-31T11:30:00.000Z",
}


def example(value: dict[str, Any]) -> ConfigDict:
    return ConfigDict(json_schema_extra={"examples": [value]})


class Variants(BaseModel):
    """The living siblings of a message, in the order they were made. `index` counts from 0."""

    index: int
    total: int
    ids: list[str]


class Entry(BaseModel):
    """An entry as it is seen from a leaf: `text` and `status` are those of the last revision on that path."""

    model_config = example(ENTRY_EXAMPLE)

    id: str
    parent_id: str | None
    kind: str
    role: str | None
    text: str | None
    data: dict[str, Any]
    depth: int
    status: Literal["complete", "interrupted"]
    created_at: str
    variants: Variants | None

    @classmethod
    def of(cls, shown: Shown) -> Entry:
        entry, variants = shown.entry, shown.variants
        return cls(
            id=entry.id,
            parent_id=entry.parent_id,
            kind=entry.kind,
            role=entry.role,
            text=None if entry.text is None else shown.text,
            data=dict(entry.data),
            depth=entry.depth,
            status="interrupted" if shown.status == "interrupted" else "complete",
            created_at=entry.created_at,
            variants=Variants(index=variants.index, total=variants.total, ids=list(variants.ids)) if variants else None,
        )


class Conversation(BaseModel):
    """One tree and its leaf. `turns` counts the reader's messages on the active branch."""

    model_config = example(CONVERSATION_EXAMPLE)

    id: str
    title: str
    card_id: str | None
    persona_id: str | None
    connection_id: str | None
    leaf_id: str | None
    turns: int
    status: Literal["idle", "generating", "settling"]
    created_at: str
    updated_at: str

    @classmethod
    def of(cls, row: ConversationRow) -> Conversation:
        return cls.model_validate(row, from_attributes=True)


class ListedConversation(Conversation):
    """A conversation with what helps to recognise it."""

    model_config = example({**CONVERSATION_EXAMPLE, "card_name": "青梧", "last_line": "“Come in out of the rain,”…"})

    card_name: str | None
    last_line: str

    @classmethod
    def listed(cls, listed: Listed) -> ListedConversation:
        known = Conversation.of(listed.conversation).model_dump()
        return cls(**known, card_name=listed.card_name, last_line=listed.last_line)


class Conversations(BaseModel):
    """A page of the shelf, latest first. `next` is the cursor of the page after it; null on the last."""

    items: list[ListedConversation]
    next: str | None


class Branch(BaseModel):
    """A run of a branch, root → leaf. `prev` is what to pass as `before` for the run above; null at the root."""

    leaf_id: str | None
    items: list[Entry]
    prev: str | None

    @classmethod
    def of(cls, page: BranchPage) -> Branch:
        return cls(leaf_id=page.leaf_id, items=[Entry.of(shown) for shown in page.items], prev=page.prev)


class Segment(BaseModel):
    """A linear run of entries. `labels` names the tags and saves on it."""

    model_config = ConfigDict(from_attributes=True)

    id: int
    parent_entry_id: str | None
    first_id: str
    last_id: str
    length: int
    labels: list[str] = []


class Tree(BaseModel):
    """The shape of a conversation without its bodies. What was pruned is left out."""

    segments: list[Segment]
    leaf_id: str | None

    @classmethod
    def of(cls, outline: Outline) -> Tree:
        return cls(segments=[Segment.model_validate(run) for run in outline.runs], leaf_id=outline.leaf_id)


class Turn(BaseModel):
    """A turn that is over. `user` is null where the reader said nothing new; `reply` where nothing was said at all."""

    user: Entry | None
    reply: Entry | None


class Words(BaseModel):
    """Words for the composer; nothing was appended."""

    text: str


class Part(BaseModel):
    """A named piece of the prompt. `entry_id` names the message it comes from."""

    name: str
    role: Literal["system", "user", "assistant"]
    text: str
    tokens: int
    entry_id: str | None

    @classmethod
    def of(cls, part: PromptPart) -> Part:
        return cls.model_validate(part, from_attributes=True)


class Message(BaseModel):
    role: Literal["system", "user", "assistant"]
    text: str


class Prompt(BaseModel):
    """What the next request would send: `messages` exactly, `parts` by name, `left_out` for what no longer fits."""

    model: str
    tokens: int
    window: int
    parts: list[Part]
    left_out: list[Part]
    messages: list[Message]

    @classmethod
    def of(cls, ready: Ready) -> Prompt:
        prompt = ready.prompt
        return cls(
            model=ready.chosen.model.name,
            tokens=prompt.tokens,
            window=ready.chosen.window,
            parts=[Part.of(part) for part in prompt.parts],
            left_out=[Part.of(part) for part in prompt.left_out],
            messages=[Message(role=said.role, text=said.text) for said in prompt.messages],
        )


class CardLine(BaseModel):
    """A character on the shelf. `image` is the address of its picture."""

    model_config = example(CARD_EXAMPLE)

    id: str
    name: str
    image: str | None
    created_at: str
    updated_at: str


class Card(CardLine):
    """A character with its card, exactly as it came in."""

    model_config = example({**CARD_EXAMPLE, "data": {"spec": "chara_card_v3", "data": {"name": "青梧"}}})

    data: dict[str, Any]


class NewCard(Card):
    """A character that has just come in. `notes` say what was odd about its file."""

    model_config = example({**CARD_EXAMPLE, "data": {"spec": "chara_card_v3"}, "notes": ["The card has no greeting."]})

    notes: list[str]


class Cards(BaseModel):
    """A page of characters, the newest first. `next` is the cursor of the page after it; null on the last."""

    items: list[CardLine]
    next: str | None


class Persona(BaseModel):
    """The reader's own character. Where a story names none, the default one plays."""

    model_config = ConfigDict(from_attributes=True, json_schema_extra={"examples": [PERSONA_EXAMPLE]})

    id: str
    name: str
    description: str
    is_default: bool
    created_at: str

    @classmethod
    def of(cls, row: PersonaRow) -> Persona:
        return cls.model_validate(row)


class Personas(BaseModel):
    items: list[Persona]


class FaultyLine(BaseModel):
    """A line that was left out, counted from 1, and why."""

    line: int
    reason: str


class Import(BaseModel):
    """What came in. `ids` holds the ids that were taken and had to change, old → new."""

    model_config = example(
        {
            "conversation": CONVERSATION_EXAMPLE,
            "imported": 41,
            "quarantined": [{"line": 17, "reason": "The last line is cut off."}],
            "ids": {},
        }
    )

    conversation: Conversation
    imported: int
    quarantined: list[FaultyLine]
    ids: dict[str, str]

    @classmethod
    def of(cls, done: Imported, reasons: list[str]) -> Import:
        faults = zip(done.faults, reasons, strict=True)
        return cls(
            conversation=Conversation.of(done.conversation),
            imported=done.imported,
            quarantined=[FaultyLine(line=fault.line, reason=reason) for fault, reason in faults],
            ids=dict(done.ids),
        )


def card_line(row: CardRow, image: str | None) -> dict[str, Any]:
    """The fields of a CardLine."""
    return {
        "id": row.id,
        "name": row.name,
        "image": image,
        "created_at": row.created_at,
        "updated_at": row.updated_at,
    }
