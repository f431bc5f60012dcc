"""The first minute: whoever comes first finds a sample character already greeting. It happens once."""

from __future__ import annotations

from sqlalchemy import Connection

from liyuan.play.opening import open_story
from liyuan.play.samples_seed import SEEDED
from liyuan.resources import Resources
from liyuan.store.conversations import Conversation, list_conversations
from liyuan.store.library import keep_preferences, list_cards, load_preferences

WELCOMED = "welcomed"


async def welcome(resources: Resources, language: str) -> Conversation | None:
    """A story with the sample character of this language, for the first visitor; None for everyone after."""
    if await resources.database.read(_is_welcomed) or not await resources.database.write(_claim):
        return None
    card_id = await resources.database.read(_sample, language)
    return await open_story(resources, card_id=card_id) if card_id else None


def _is_welcomed(connection: Connection) -> bool:
    return bool(load_preferences(connection).get(WELCOMED))


def _claim(connection: Connection) -> bool:
    """Of two first visits at once, one wins. Where stories are already there, nobody is a newcomer."""
    if _is_welcomed(connection):
        return False
    keep_preferences(connection, **{WELCOMED: True})
    return not list_conversations(connection, limit=1)[0]


def _sample(connection: Connection, language: str) -> str | None:
    """The sample in the language; one in another, where that is all there is; None when all have been deleted."""
    samples: dict[str, str] = load_preferences(connection).get(SEEDED, {})
    living = {row.id for row in list_cards(connection)}
    wanted = [samples.get(language), *samples.values()]
    return next((card_id for card_id in wanted if card_id in living), None)
