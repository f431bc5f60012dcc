"""What the calls around tags, the log, checkout and the recap take and give."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from liyuan.domain.context_log import ContextLog, Folded, log_text
from liyuan.domain.context_log import Mark as Marked
from liyuan.play.context import LONGEST_NAME, CheckedOut
from liyuan.play.recap import Recalled
from liyuan.web.api.schemas import CONVERSATION_EXAMPLE, Conversation, example
from liyuan.web.api.wishes import Id, MaybeGuard, Plain

TAG_EXAMPLE: dict[str, Any] = {"name": "before-the-cellar", "entry_id": "019c13d2a1b07f3e5d2c4b6a"}
LOG_EXAMPLE: dict[str, Any] = {
    "head": "019c13d2a1b07f3e5d2c4b6a",
    "dashboard": {
        "tokens": 5120,
        "window": 32768,
        "share": 0.156,
        "steps": 14,
        "tag": "before-the-cellar",
        "depth": 41,
        "turn": 20,
    },
    "tags": {"before-the-cellar": "019c13d29f0011aa22bb33cc"},
    "above": 28,
    "items": [
        {
            "type": "folded",
            "first_id": "019c13d29f0011aa22bb33cd",
            "last_id": "019c13d29f0011aa22bb33ce",
            "count": 2,
            "kinds": {"assistant": 1, "rp-state": 1},
        },
        {
            "type": "mark",
            "entry_id": "019c13d2a1b07f3e5d2c4b6a",
            "kind": "message",
            "role": "user",
            "depth": 41,
            "turn": 20,
            "text": "Is there a room?",
            "tags": [],
            "forks": 1,
            "from_id": None,
            "is_head": True,
            "is_full": True,
        },
    ],
    "text": "tokens 5120 of 32768 (16%) · 14 steps since tag “before-the-cellar” · depth 41\n…",
}
CHECKOUT_EXAMPLE: dict[str, Any] = {
    "target": "before-the-cellar",
    "message": "The cellar is empty; the key is not there.",
    "backup_tag": "cellar",
    "expected_leaf": "019c13d2a1b07f3e5d2c4b6a",
}

Name = Annotated[Plain, Field(min_length=1, max_length=LONGEST_NAME)]


class Tag(BaseModel):
    """A name for an entry."""

    model_config = example(TAG_EXAMPLE)

    name: str
    entry_id: str


class Tags(BaseModel):
    items: list[Tag]


class NewTag(BaseModel):
    """Without `entry_id` the leaf is tagged. A name that is taken moves only with `moves`."""

    model_config = example(TAG_EXAMPLE)

    name: Name
    entry_id: Id | None = None
    moves: bool = False


class Mark(BaseModel):
    """An entry that stands out on the path. `forks` counts the other ways from it; `from_id` is where one came from."""

    model_config = ConfigDict(from_attributes=True)

    type: Literal["mark"] = "mark"
    entry_id: str
    kind: str
    role: str | None
    depth: int
    turn: int
    text: str
    tags: list[str]
    forks: int
    from_id: str | None
    is_head: bool
    is_full: bool


class Run(BaseModel):
    """A folded run. Ask for the log from `first_id` to `last_id` to read it."""

    model_config = ConfigDict(from_attributes=True)

    type: Literal["folded"] = "folded"
    first_id: str
    last_id: str
    count: int
    kinds: dict[str, int]


class Dashboard(BaseModel):
    """`tokens` that the next request would send, of the model's `window`; `steps` (entries) since the tag `tag`."""

    model_config = ConfigDict(from_attributes=True)

    tokens: int
    window: int
    share: float
    steps: int
    tag: str | None
    depth: int
    turn: int


class Log(BaseModel):
    """The path as a skeleton, from the top; `above` entries stand above the first item. `text` says it to a model."""

    model_config = example(LOG_EXAMPLE)

    head: str | None
    dashboard: Dashboard
    tags: dict[str, str]
    above: int
    items: list[Mark | Run]
    text: str

    @classmethod
    def of(cls, log: ContextLog) -> Log:
        return cls(
            head=log.head,
            dashboard=Dashboard.model_validate(log.dashboard),
            tags=dict(log.tags),
            above=log.above,
            items=[_item(item) for item in log.items],
            text=log_text(log),
        )


def _item(item: Marked | Folded) -> Mark | Run:
    return Run.model_validate(item) if isinstance(item, Folded) else Mark.model_validate(item)


class Checkout(MaybeGuard):
    """`target` is a tag, an entry id or "root". `message` is left there; `backup_tag` names the leaf that is left."""

    model_config = example(CHECKOUT_EXAMPLE)

    target: Annotated[Plain, Field(min_length=1, max_length=200)]
    message: Plain
    backup_tag: Name | None = None


class CheckoutDone(BaseModel):
    """`entry_id` is the message that was left under `target_id` and the new leaf; `from_id` is where one was."""

    model_config = example(
        {
            "conversation": CONVERSATION_EXAMPLE,
            "target_id": "019c13d29f0011aa22bb33cc",
            "entry_id": "019c13d2a1b07f3e5d2c4b6b",
            "from_id": "019c13d2a1b07f3e5d2c4b6a",
            "backup_tag": "cellar",
        }
    )

    conversation: Conversation
    target_id: str
    entry_id: str
    from_id: str
    backup_tag: str | None

    @classmethod
    def of(cls, done: CheckedOut) -> CheckoutDone:
        return cls(
            conversation=Conversation.of(done.conversation),
            target_id=done.target_id,
            entry_id=done.entry_id,
            from_id=done.from_id,
            backup_tag=done.backup_tag,
        )


class Spoken(BaseModel):
    model_config = ConfigDict(from_attributes=True)

    entry_id: str
    speaker: str
    text: str


class Recap(BaseModel):
    """Where was I. `summary` is the one in force; where there is none, `beginning` tells how the story began."""

    leaf_id: str | None
    last_at: str
    turn: int
    summary: str
    beginning: list[Spoken]
    stations: list[str]
    time: str
    location: str
    ledger: str
    threads: list[str]
    last: list[Spoken]

    @classmethod
    def of(cls, recalled: Recalled) -> Recap:
        made = recalled.recap
        return cls(
            leaf_id=recalled.leaf_id,
            last_at=recalled.last_at,
            turn=made.turn,
            summary=made.summary,
            beginning=[Spoken.model_validate(one) for one in made.beginning],
            stations=list(made.stations),
            time=made.time,
            location=made.location,
            ledger=made.ledger,
            threads=list(made.threads),
            last=[Spoken.model_validate(one) for one in made.last],
        )
