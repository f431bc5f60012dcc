"""All the ingredients of one request, gathered. What is sent is made from this and nothing else (`prompt.assemble`)."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from typing import Literal, TypeAlias

from liyuan.domain.card import Card
from liyuan.domain.history import History
from liyuan.domain.persona import Persona

Cue: TypeAlias = Literal["reply", "continue", "impersonate"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Scene:
    """What the model will be told, before it is put in order.

    `window` and `reserve` count tokens: the whole window, and what is kept free for the reply. `notes` are texts that
    change from turn to turn (ledger, memories, lore), each with the name of its part; they go to the end.
    """

    card: Card
    persona: Persona
    history: History
    cue: Cue = "reply"
    seed: str = ""
    now: datetime | None = None
    model: str = ""
    window: int = 32768
    reserve: int = 1024
    notes: tuple[tuple[str, str], ...] = field(default=())
