"""A character's card as a value over the JSON it came from. Tolerant in, strict out, and what we do not know is kept.

Sources: Character Card V1 and V2 (malfoyslastname/character-card-spec-v2), V3 (kwaroran/character-card-spec-v3).
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, TypeAlias, TypedDict

from typing_extensions import Unpack

from liyuan.domain.card_layout import (
    LIST_KEYS,
    OPTIONAL_SHAPES,
    TEXT_KEYS,
    copy_keys,
    has_data,
    home_of,
    key_of,
    number_of,
    older_key_in_use,
    refuse_other_files,
    renew_copies,
    strict_optionals,
)
from liyuan.domain.card_name import note_the_name, shown_name
from liyuan.domain.note import Note
from liyuan.domain.tolerant import Json, Reader, storable

CardVersion: TypeAlias = Literal["v1", "v2", "v3"]
Language: TypeAlias = Literal["zh", "en"]

OLDER_KEY = "“{field}” was found under the older name “{older}”."
BESIDE_DATA = "“{field}” is empty inside “data” and was taken from the copy beside it."
TOLD_TWICE = "“{field}” is there twice, with different text. The one inside “data” was taken."
UNKNOWN_SPEC = "The card says it is a “{spec}”, which is not a known kind. It was read by what it holds."
NEWER_VERSION = "The card is of version {version}, newer than 3.0. What is known was read, the rest is kept."
NO_EXTENSIONS = "“extensions” is missing. It was read as empty."
TALKATIVENESS = "“talkativeness” is not written as a number. The card keeps it as it is."
NO_GREETING = "The card has no greeting. A story with it begins with your words."
BROKEN_BOOK = "The lorebook inside the card cannot be read. The card keeps it as it is."
BOOK_WAITS = "The card brings a lorebook. It is kept with the card, but play does not use it yet."
NOTE_DEPTH = "The depth of the character's note is not a number. {depth} was taken."

USUAL_NOTE_DEPTH = 4


@dataclass(frozen=True, slots=True, kw_only=True)
class DepthNote:
    """The character's note (`extensions.depth_prompt`), said `depth` messages above the end of the story."""

    text: str
    depth: int
    role: Literal["system", "user", "assistant"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Card:
    """What is known of a card, read out of `raw`. Treat `raw` as frozen: `revise` makes the changed card.

    `name` is what people see: one line, never empty, never endless. `written_name` is the name as the card has it.
    Texts hold their macros unexpanded. `creator_notes` are for the person, never for the model.
    """

    raw: Mapping[str, Any] = field(hash=False, repr=False)
    version: CardVersion
    name: str
    written_name: str
    nickname: str
    description: str
    personality: str
    scenario: str
    first_message: str
    example_dialogue: str
    system_prompt: str
    post_history_instructions: str
    creator: str
    creator_notes: str
    character_version: str
    alternate_greetings: tuple[str, ...]
    group_only_greetings: tuple[str, ...]
    tags: tuple[str, ...]
    extensions: Mapping[str, Any] = field(hash=False, repr=False)
    depth_note: DepthNote | None

    @property
    def char(self) -> str:
        """What {{char}} becomes: the nickname where there is one (V3), else the name."""
        return shown_name(self.nickname) or self.name

    @property
    def greetings(self) -> tuple[str, ...]:
        """Every greeting that is not blank, the first message first."""
        return tuple(text for text in (self.first_message, *self.alternate_greetings) if text.strip())

    @property
    def example_messages(self) -> tuple[str, ...]:
        """The example dialogues, split at <START>, blank ones left out."""
        parts = re.split("<START>", self.example_dialogue, flags=re.IGNORECASE)
        return tuple(part.strip() for part in parts if part.strip())

    @property
    def language(self) -> Language:
        """A guess by script: Chinese when Han letters carry the text and Japanese kana do not."""
        return _language(self.description, self.first_message, self.personality, self.scenario, self.name)

    def creator_notes_in(self, language: str) -> str:
        """The creator's words in the person's language where the card has them (V3)."""
        told = home_of(self.raw).get("creator_notes_multilingual")
        translated = told.get(language) if isinstance(told, dict) else None
        return translated if isinstance(translated, str) and translated.strip() else self.creator_notes


class CardFields(TypedDict, total=False):
    """What the editor may change."""

    name: str
    nickname: str
    description: str
    personality: str
    scenario: str
    first_message: str
    example_dialogue: str
    system_prompt: str
    post_history_instructions: str
    creator: str
    creator_notes: str
    character_version: str
    alternate_greetings: tuple[str, ...]
    group_only_greetings: tuple[str, ...]
    tags: tuple[str, ...]


def parse_card(raw: Mapping[str, Any]) -> tuple[Card, list[Note]]:
    """Read a card of any version from its JSON object, with a note for each oddity.

    Raises Invalid when the object is no card (lorebooks, presets and chats are told apart) or is nested without end.
    """
    reader = Reader()
    kept = storable(raw, reader)
    refuse_other_files(kept)
    version = _version(kept, reader)
    card = _read(kept, version, reader)
    _note_what_is_odd(card, reader)
    return card, reader.notes


def revise(card: Card, **fields: Unpack[CardFields]) -> Card:
    """The card with these fields changed, in `raw` too; every other field stays as it came.

    A field given its present value is left as it is written, so saving an editor without a change changes nothing.
    """
    raw, home = dict(card.raw), dict(home_of(card.raw))
    for name, value in fields.items():
        if value == getattr(card, name):
            continue
        home[key_of(name)] = list(value) if isinstance(value, tuple | list) else value
        for older in TEXT_KEYS.get(name, (name,))[1:]:
            home.pop(older, None)
        renew_copies(raw, name, home[key_of(name)])
    return parse_card({**raw, "data": home} if has_data(card.raw) else home)[0]


def card_to_json(card: Card, version: Literal["v2", "v3"] = "v3") -> Json:
    """The card as a strict V2 or V3 object, unknown fields where they were.

    Copies of fields beside `data` stay only where the card had them, and say what `data` says.
    """
    data = _strict_data(card, version)
    spec = {"spec": f"chara_card_{version}", "spec_version": "2.0" if version == "v2" else "3.0", "data": data}
    moved = set() if has_data(card.raw) else _moved_keys(card.raw)
    beside = {key: value for key, value in card.raw.items() if key not in spec.keys() | moved}
    for name in (*TEXT_KEYS, *LIST_KEYS):
        renew_copies(beside, name, data.get(key_of(name), ""))
    return {**spec, **beside}


def _version(raw: Json, reader: Reader) -> CardVersion:
    spec, number = raw.get("spec"), number_of(raw.get("spec_version"))
    if spec == "chara_card_v3":
        if number > 3.0:
            reader.note(NEWER_VERSION, version=number)
        return "v3"
    if spec not in (None, "", "chara_card_v2"):
        reader.note(UNKNOWN_SPEC, spec=str(spec)[:80])
    return "v2" if has_data(raw) else "v1"


def _read(raw: Json, version: CardVersion, reader: Reader) -> Card:
    home = home_of(raw)
    texts = {name: _text(raw, home, name, reader) for name in TEXT_KEYS}
    lists = {key: home.get(key) or raw.get(key) for key in LIST_KEYS}
    name = texts.pop("name")
    extensions = reader.mapping(home.get("extensions"), "extensions")
    return Card(
        raw=raw,
        version=version,
        name=shown_name(name) or _nameless(texts["description"], texts["first_message"]),
        written_name=name,
        alternate_greetings=reader.texts(lists["alternate_greetings"], "alternate_greetings"),
        group_only_greetings=reader.texts(lists["group_only_greetings"], "group_only_greetings"),
        tags=reader.texts(lists["tags"], "tags", commas=True),
        extensions=extensions,
        depth_note=_depth_note(extensions.get("depth_prompt"), reader),
        **texts,
    )


def _text(raw: Json, home: Mapping[str, Any], name: str, reader: Reader) -> str:
    """One text: from its own key, else from an older key, else from the copy beside `data`."""
    older = older_key_in_use(home, name)
    own = key_of(name)
    if older:
        reader.note(OLDER_KEY, field=own, older=older)
    inside = reader.text(home.get(older or own), own)
    if home is raw:
        return inside
    beside = next(filter(str.strip, (reader.text(raw.get(key), key) for key in copy_keys(name))), "")
    if beside and not inside.strip():
        reader.note(BESIDE_DATA, field=own)
        return beside
    if beside and beside.strip() != inside.strip():
        reader.note(TOLD_TWICE, field=own)
    return inside


def _depth_note(value: object, reader: Reader) -> DepthNote | None:
    if not isinstance(value, dict):
        return None
    text = reader.text(value.get("prompt"), "depth_prompt")
    depth, role = number_of(value.get("depth")), value.get("role")
    if not text.strip():
        return None
    if depth < 0:
        depth = USUAL_NOTE_DEPTH
        reader.note(NOTE_DEPTH, depth=USUAL_NOTE_DEPTH)
    return DepthNote(
        text=text,
        depth=int(depth),
        role="user" if role == "user" else "assistant" if role == "assistant" else "system",
    )


def _note_what_is_odd(card: Card, reader: Reader) -> None:
    home = home_of(card.raw)
    note_the_name(card.written_name, card.name, reader)
    if card.version != "v1" and home.get("extensions") is None:
        reader.note(NO_EXTENSIONS)
    if isinstance(card.extensions.get("talkativeness", card.raw.get("talkativeness")), str):
        reader.note(TALKATIVENESS)
    if not card.greetings:
        reader.note(NO_GREETING)
    if book := home.get("character_book"):
        sound = isinstance(book, dict) and isinstance(book.get("entries"), dict | list)
        reader.note(BOOK_WAITS if sound else BROKEN_BOOK)


def _strict_data(card: Card, version: Literal["v2", "v3"]) -> Json:
    home = home_of(card.raw)
    texts: Json = {key_of(name): getattr(card, name) for name in TEXT_KEYS if name != "nickname" or card.nickname}
    lists = {key: list(getattr(card, key)) for key in LIST_KEYS}
    if version == "v2" and not (card.group_only_greetings or "group_only_greetings" in home):
        del lists["group_only_greetings"]
    unknown = home.keys() - _moved_keys(home) if has_data(card.raw) else ()
    return {
        **texts,
        "name": card.written_name,
        **lists,
        "extensions": dict(card.extensions),
        **strict_optionals(home),
        **{key: home[key] for key in home if key in unknown},
    }


def _moved_keys(place: Mapping[str, Any]) -> set[str]:
    """Keys of a card's place whose content a strict card says in its own way."""
    own = {key_of(name) for name in (*TEXT_KEYS, *LIST_KEYS)}
    return (
        {"extensions"}
        | OPTIONAL_SHAPES.keys()
        | own
        | {older for name in TEXT_KEYS if (older := older_key_in_use(place, name))}
    )


def _nameless(*texts: str) -> str:
    return "无名" if _language(*texts) == "zh" else "Nameless"


def _language(*texts: str) -> Language:
    text = "".join(texts)
    han = len(re.findall("[\u3400-\u9fff\U00020000-\U0003ffff]", text))
    kana = len(re.findall("[\u3041-\u30ff]", text))
    latin = len(re.findall("[A-Za-z\u00c0-\u024f]", text))
    return "zh" if han and han * 3 >= latin and kana * 4 <= han else "en"
