"""Where one was, for a reader who comes back after days: the story so far in a few sentences, and what is open."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from sqlalchemy import Connection

from liyuan.domain.entry import ConversationId
from liyuan.domain.saves import shortened
from liyuan.play.recap import load_recap
from liyuan.web.speech import language_of

#: After so long a story is no longer fresh in mind.
AWAY = timedelta(days=3)
LONGEST, THREADS = 420, 3


@dataclass(frozen=True, slots=True, kw_only=True)
class Away:
    """`text` is the summary in force, or how the story began; `threads` are still open."""

    text: str
    lang: str
    time: str
    location: str
    turn: int
    threads: tuple[str, ...]


def load_away(
    connection: Connection, story_id: ConversationId, touched_at: str, now: datetime | None = None
) -> Away | None:
    """None for a story that was touched lately, or that has hardly begun. `touched_at` is ISO 8601."""
    if (now or datetime.now(UTC)) - datetime.fromisoformat(touched_at) < AWAY:
        return None
    recap = load_recap(connection, story_id).recap
    text = recap.summary or " ".join(spoken.text for spoken in recap.beginning)
    if recap.turn == 0 or not (text or recap.location or recap.threads):
        return None
    return Away(
        text=shortened(text, LONGEST),
        lang=language_of(text),
        time=recap.time,
        location=recap.location,
        turn=recap.turn,
        threads=recap.threads[:THREADS],
    )
