"""Where a card's JSON holds what. One table says it; reading, revising and writing all go by that table."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any

from liyuan.domain.errors import Invalid
from liyuan.domain.tolerant import Json, Reader

TEXT_KEYS: Mapping[str, tuple[str, ...]] = {
    "name": ("name", "char_name"),
    "nickname": ("nickname",),
    "description": ("description", "char_persona", "context"),
    "personality": ("personality",),
    "scenario": ("scenario", "world_scenario"),
    "first_message": ("first_mes", "first_message", "char_greeting", "greeting"),
    "example_dialogue": ("mes_example", "example_dialogue"),
    "system_prompt": ("system_prompt",),
    "post_history_instructions": ("post_history_instructions",),
    "creator": ("creator",),
    "creator_notes": ("creator_notes", "creatorcomment"),
    "character_version": ("character_version",),
}
"""Our word for a text, then the specification's key, then keys that older programs used."""

LIST_KEYS = ("alternate_greetings", "group_only_greetings", "tags")

NO_CARD = "This is not a character card: it holds none of the texts a card is made of. Nothing was taken in."
IS_LOREBOOK = "This is a lorebook, not a character card. Nothing was taken in."
IS_PRESET = "This is a preset for prompts or sampling, not a character card. Nothing was taken in."
IS_CHAT = "This is a chat, not a character card. Nothing was taken in."

_LOREBOOK_SIGNS = frozenset({"entries"})
_PRESET_SIGNS = frozenset(
    {"prompts", "prompt_order", "temperature", "temp", "temp_openai", "top_p", "input_sequence", "story_string"}
)
_CHAT_SIGNS = frozenset({"chat_metadata", "user_name", "mapping", "messages", "mes"})


def key_of(name: str) -> str:
    """The specification's key for our word."""
    return TEXT_KEYS[name][0] if name in TEXT_KEYS else name


def copy_keys(name: str) -> tuple[str, ...]:
    """The keys under which programs repeat a field beside `data`, for readers of V1."""
    return TEXT_KEYS["creator_notes"] if name == "creator_notes" else (key_of(name),)


def has_data(raw: Mapping[str, Any]) -> bool:
    return isinstance(raw.get("data"), dict) and (bool(raw["data"]) or "spec" in raw)


def home_of(raw: Mapping[str, Any]) -> Mapping[str, Any]:
    """Where the card's fields live: inside `data`, or `raw` itself in a V1 card."""
    home: Mapping[str, Any] = raw["data"] if has_data(raw) else raw
    return home


def older_key_in_use(place: Mapping[str, Any], name: str) -> str | None:
    """The older key whose text stands in for a missing or blank one."""
    own, *older = TEXT_KEYS.get(name, (name,))
    if not _blank(place.get(own)):
        return None
    return next((key for key in older if not _blank(place.get(key))), None)


def renew_copies(beside: Json, name: str, value: object) -> None:
    """Let the copies of a field beside `data`, where there are any, say what `data` says."""
    for key in copy_keys(name):
        if key in beside:
            beside[key] = value


def refuse_other_files(raw: Mapping[str, Any]) -> None:
    """Raises Invalid, with what the file is, when it is not a card."""
    home = home_of(raw)
    keys = raw.keys() | home.keys()
    telling = {key for known in TEXT_KEYS.values() for key in known} - {"name", "description", "nickname"}
    other = {IS_LOREBOOK: _LOREBOOK_SIGNS, IS_PRESET: _PRESET_SIGNS, IS_CHAT: _CHAT_SIGNS}
    is_card = str(raw.get("spec", "")).startswith("chara_card")
    if is_card or (telling & keys and not keys & {"input_sequence", "story_string"}):
        return
    for message, signs in other.items():
        if signs & keys:
            raise Invalid(message)
    if not keys & {"name", "description"}:
        raise Invalid(NO_CARD)


def strict_optionals(home: Mapping[str, Any]) -> Json:
    """Fields that may be missing, in the shape V2 and V3 ask for. What cannot be brought into shape is left out."""
    shaped = {key: shape(home.get(key)) for key, shape in OPTIONAL_SHAPES.items()}
    return {key: value for key, value in shaped.items() if value is not None}


def number_of(value: object) -> float:
    """The number, also when written as text; -1 where there is none."""
    try:
        number = float(value) if isinstance(value, int | float | str) else -1.0
    except (ValueError, OverflowError):
        return -1.0
    return number if math.isfinite(number) else -1.0


def _blank(value: object) -> bool:
    return not Reader().text(value, "").strip()


def _book(value: object) -> Json | None:
    book = {"entries": value} if isinstance(value, list) and value else value
    if not isinstance(book, dict) or not book:
        return None
    return {"extensions": {}, **book, "entries": book.get("entries") or []}


def _texts(value: object) -> list[str] | None:
    return list(Reader().texts(value, "source")) or None


def _objects(value: object) -> list[Json] | None:
    return [part for part in value if isinstance(part, dict)] if isinstance(value, list) else None


def _translations(value: object) -> Json | None:
    if not isinstance(value, dict):
        return None
    return {language: text for language, text in value.items() if isinstance(text, str)}


def _seconds(value: object) -> int | None:
    """Unix time in seconds. Some programs write milliseconds; what is later than the year 5000 is no time."""
    number = number_of(value)
    seconds = number / 1000 if number > 1e11 else number
    return int(seconds) if 0 <= seconds <= 1e11 else None


OPTIONAL_SHAPES: Mapping[str, Callable[[object], object]] = {
    "character_book": _book,
    "assets": _objects,
    "source": _texts,
    "creator_notes_multilingual": _translations,
    "creation_date": _seconds,
    "modification_date": _seconds,
}
