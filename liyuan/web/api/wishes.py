"""What the JSON API is sent: each body with its bounds and an example."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, Field

from liyuan.store.conversations import TITLE_LIMIT
from liyuan.web.api.schemas import example

#: Text that a database can hold: no zero bytes. (JSON cannot carry halves of characters to us.)
Plain = Annotated[str, Field(pattern=r"^[^\x00]*$")]
Id = Annotated[str, Field(pattern=r"^[A-Za-z0-9_-]{1,64}$")]


class Guard(BaseModel):
    """`expected_leaf` is the leaf you believe the reader to be at; when it is another, nothing is done (409)."""

    model_config = example({"expected_leaf": "019c13d2a1b07f3e5d2c4b6a"})

    expected_leaf: Id | None


class MaybeGuard(BaseModel):
    """As Guard; without the key, the act holds wherever the reader is."""

    model_config = example({"expected_leaf": "019c13d2a1b07f3e5d2c4b6a"})

    expected_leaf: Id | None = None

    @property
    def is_set(self) -> bool:
        return "expected_leaf" in self.model_fields_set


class NewConversation(BaseModel):
    """`greeting` counts from 0 over the greetings of the card."""

    model_config = example({"card_id": "019c13cf00aa11bb22cc33dd", "greeting": 0})

    card_id: Id | None = None
    persona_id: Id | None = None
    greeting: int = Field(default=0, ge=0)
    title: Annotated[Plain, Field(max_length=TITLE_LIMIT)] | None = None


class ConversationChange(BaseModel):
    """Only the keys that are sent change anything. Null takes the default persona, or the default connection."""

    model_config = example({"title": "A rainy night"})

    title: Annotated[Plain, Field(max_length=TITLE_LIMIT)] | None = None
    persona_id: Id | None = None
    connection_id: Id | None = None


class NewTurn(Guard):
    model_config = example({"text": "Is there a room?", "expected_leaf": "019c13d2a1b07f3e5d2c4b6a"})

    text: Plain


class EntryEdit(Guard):
    """ "branch" makes a sibling with the text; "in_place" keeps what follows and holds on this branch alone."""

    model_config = example(
        {"text": "Is there a room, then?", "mode": "branch", "expected_leaf": "019c13d2a1b07f3e5d2c4b6a"}
    )

    text: Plain
    mode: Literal["branch", "in_place"]


class LeafMove(Guard):
    """`summary` is what to leave behind on the branch that is left: "none", "auto" (written by the model, in the
    background), or "text" with your own words in `text`. It is an entry under the one you go to.
    """

    model_config = example(
        {"entry_id": "019c13d29f0011aa22bb33cc", "expected_leaf": "019c13d2a1b07f3e5d2c4b6a", "summary": "none"}
    )

    entry_id: Id
    summary: Plain = "none"
    text: Plain | None = None


class NewPersona(BaseModel):
    model_config = example({"name": "阿远", "description": "A courier who is late."})

    name: Annotated[Plain, Field(min_length=1, max_length=200)]
    description: Plain = ""
