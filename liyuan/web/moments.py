"""How one field of the world came to be what it is: its changes along the branch, the latest first."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from sqlalchemy import Connection

from liyuan.domain.change import Change
from liyuan.domain.entry import ConversationId
from liyuan.play.world import load_moments
from liyuan.web.render import View
from liyuan.web.told import Told, became
from liyuan.web.world_shown import slot_of


@dataclass(frozen=True, slots=True)
class Moment:
    """One change: at which turn, and by whom (scribe, user, import or card)."""

    turn: int
    source: str
    told: Told


@dataclass(frozen=True, slots=True, kw_only=True)
class History:
    """The way of one field; `slot` is its place in the panel."""

    slot: str
    moments: tuple[Moment, ...]


@dataclass(frozen=True)
class MomentsView(View):
    """The way of one field, below its form."""

    template: ClassVar[str] = "world/_moments.html"
    history: History


def load_history(connection: Connection, story_id: ConversationId, field: str) -> History:
    """A person's way is that of the affinity, of which alone there is more than one step to see."""
    found = load_moments(connection, story_id, field)
    moments = (Moment(one.turn, one.source, _told(field, one.before, one.after)) for one in found)
    return History(slot=slot_of(field), moments=tuple(moments))


def _told(field: str, before: Any, after: Any) -> Told:
    return became("", "", Change((field,), before, after))
