"""Characters as files: PNG and JSON in, PNG and JSON out. What a file is, its content says, never its name."""

from __future__ import annotations

import base64
import binascii
import importlib
import json
import re
from collections.abc import Mapping
from pathlib import PurePosixPath
from types import ModuleType
from typing import Any, Literal

from liyuan.domain.card import Card, card_to_json, parse_card, revise
from liyuan.domain.card_layout import home_of
from liyuan.domain.card_name import NAMELESS, one_line, shown_name
from liyuan.domain.errors import Invalid, LiyuanError, TooLarge
from liyuan.domain.macros import unknown_macros
from liyuan.domain.note import Note
from liyuan.play.json_files import object_in
from liyuan.play.png_chunks import Chunk, as_text, chunks_of, is_complete, is_png, joined, text_chunk, text_of

LARGEST_FILE = 64 * 1024 * 1024

NO_CARD_INSIDE = (
    "There is no character inside this picture. Sites often show a converted copy: download the original PNG, "
    "or the JSON file."
)
CUT_OFF = "This file ends before the character does, as when a download is interrupted. Download it again."
DAMAGED = "The character inside this picture is damaged: its checksum is wrong. Download the file again."
NOT_BASE64 = "The character inside this picture cannot be decoded. Export it again from the program it came from."

NAMED_AFTER_FILE = "The card has no name. It is called “{name}” after its file."
OLDER_PART_TAKEN = "The part of the picture with the newer card is damaged. The older part was taken."
SEVERAL_PARTS = "The picture holds the same part “{keyword}” several times. The first was taken."
V3_IN_CHARA = "The part of the picture meant for version 2 holds a card of version 3. It was read as that."
PICTURE_DAMAGED = "The picture is damaged and was left out. The character itself is whole."
UNKNOWN_MACROS = "These macros are not known here and stay as they are written: {names}."

KEYWORDS = ("ccv3", "chara")
"""The newer part first: it wins where both are there."""

_RESERVED = re.compile("(?:con|prn|aux|nul|com[0-9]|lpt[0-9])", re.IGNORECASE)


def read_card_file(content: bytes, filename: str = "") -> tuple[Card, bytes | None, list[Note]]:
    """The card in a file, its picture as PNG without the card in it, and notes on what was odd.

    The picture is None when there is none or it is damaged; its other chunks are kept, for the next export. The name
    of the file only serves as a name for a card that has none. Raises Invalid or TooLarge, with what to do.
    """
    if len(content) > LARGEST_FILE:
        raise TooLarge(limit=f"{LARGEST_FILE // 1024**2} MB")
    notes: list[Note] = []
    if is_png(content):
        raw, picture = _card_in_png(content, notes), _picture_of(content, notes)
    else:
        raw = object_in(content, notes)
        picture = _picture_inside(raw, notes)
    card, odd = parse_card(raw)
    card, odd = _named_after_file(card, odd, filename)
    if names := unknown_macros("\n".join(_prose(card))):
        odd.append(Note(UNKNOWN_MACROS, {"names": ", ".join(names[:12])}))
    return card, picture, notes + odd


def write_card_png(card: Card, picture: bytes | None) -> bytes:
    """The card inside its picture, as V2 (`chara`) and V3 (`ccv3`), for every program there is.

    The picture's other chunks stay as they are. A picture that is no PNG is turned into one, and a card without one
    gets a plain one. We do not add the warning to `creator_notes` that V3 suggests for the V2 part, since programs that
    read only V2 would keep it for good.
    """
    png = picture or default_picture(card.name)
    if not is_png(png):
        png = clean_picture(png)
    chunks = [chunk for chunk in chunks_of(png) if chunk.whole and not _is_card(chunk)]
    at = next((at for at, chunk in enumerate(chunks) if chunk.kind == b"IDAT"), len(chunks) - 1)
    parts = [text_chunk("chara", _packed(card, "v2")), text_chunk("ccv3", _packed(card, "v3"))]
    return joined(chunks[:at] + parts + chunks[at:])


def write_card_json(card: Card, version: Literal["v2", "v3"] = "v3") -> bytes:
    return json.dumps(card_to_json(card, version), ensure_ascii=False, indent=2).encode() + b"\n"


def card_file_name(card: Card, suffix: str) -> str:
    """A safe name for the file a browser saves, such as `青梧.png`: letters and digits of any script, and `-`."""
    stem = re.sub(r"[^\w]+", "-", card.name.replace("…", "")).strip("-_")[:60]
    return f"{'character' if not stem or _RESERVED.fullmatch(stem) else stem}.{suffix}"


def clean_picture(content: bytes) -> bytes:
    """An uploaded picture (PNG, JPEG, WebP, GIF) encoded anew as PNG, at most 2048 pixels a side, pixels only."""
    made: bytes = pictures().encoded_anew(content)
    return made


def thumbnail(picture: bytes, size: tuple[int, int]) -> bytes:
    """The picture for the page, encoded anew as WebP and fitted into `size` (width, height) pixels."""
    made: bytes = pictures().thumbnail(picture, size)
    return made


def default_picture(name: str) -> bytes:
    """A plain portrait, 512×768 PNG, the same for the same name."""
    made: bytes = pictures().default_picture(name)
    return made


def pictures() -> ModuleType:
    """`play/pictures.py`, loaded when first needed: start-up must not wait for Pillow."""
    return importlib.import_module("liyuan.play.pictures")


def _card_in_png(png: bytes, notes: list[Note]) -> Mapping[str, Any]:
    found = _parts_of(png, notes)
    failed: LiyuanError | None = None
    for keyword in KEYWORDS:
        if keyword not in found:
            continue
        try:
            raw = _unpacked(found[keyword])
        except LiyuanError as error:
            failed = failed or error
            continue
        if failed:
            notes.append(Note(OLDER_PART_TAKEN))
        elif keyword == "chara" and raw.get("spec") == "chara_card_v3":
            notes.append(Note(V3_IN_CHARA))
        return raw
    raise failed or Invalid(NO_CARD_INSIDE if is_complete(png) else CUT_OFF)


def _parts_of(png: bytes, notes: list[Note]) -> dict[str, Chunk]:
    """The first chunk for each keyword of a card."""
    found: dict[str, Chunk] = {}
    for chunk in chunks_of(png):
        text = as_text(chunk)
        if not text or text.keyword not in KEYWORDS:
            continue
        if text.keyword in found:
            notes.append(Note(SEVERAL_PARTS, {"keyword": text.keyword}))
        found.setdefault(text.keyword, chunk)
    return found


def _unpacked(chunk: Chunk) -> Mapping[str, Any]:
    if not chunk.whole:
        raise Invalid(CUT_OFF)
    if not chunk.sound:
        raise Invalid(DAMAGED)
    text = as_text(chunk)
    content = b"".join(text_of(text).split()) if text else b""
    if not content.startswith(b"{"):
        content = _from_base64(content)
    elif text:
        content = text_of(text)
    return object_in(content, [])


def _from_base64(content: bytes) -> bytes:
    try:
        return base64.b64decode(content.rstrip(b"=") + b"=" * (-len(content.rstrip(b"=")) % 4), b"+/", validate=True)
    except (binascii.Error, ValueError) as error:
        raise Invalid(NOT_BASE64) from error


def _picture_of(png: bytes, notes: list[Note]) -> bytes | None:
    """The picture without the card in it; None, with a note, when it cannot be decoded."""
    try:
        pictures().decoded(png)
    except LiyuanError:
        notes.append(Note(PICTURE_DAMAGED))
        return None
    return joined(chunk for chunk in chunks_of(png) if chunk.whole and not _is_card(chunk))


def _picture_inside(raw: Mapping[str, Any], notes: list[Note]) -> bytes | None:
    """A picture that a JSON file carries in itself as a data URI. Addresses on the network are never fetched."""
    assets = home_of(raw).get("assets")
    icons = [asset for asset in assets if _is_icon(asset)] if isinstance(assets, list) else []
    icons.sort(key=lambda asset: asset.get("name") != "main")
    for uri in (*(asset.get("uri") for asset in icons), raw.get("avatar")):
        if isinstance(uri, str) and re.match("data:image/[a-z+]+;base64,", uri):
            try:
                return clean_picture(_from_base64(uri.partition(",")[2].encode()))
            except LiyuanError:
                notes.append(Note(PICTURE_DAMAGED))
    return None


def _is_icon(asset: object) -> bool:
    return isinstance(asset, dict) and asset.get("type") == "icon"


def _is_card(chunk: Chunk) -> bool:
    text = as_text(chunk)
    return text is not None and text.keyword in KEYWORDS


def _named_after_file(card: Card, notes: list[Note], filename: str) -> tuple[Card, list[Note]]:
    name = shown_name(PurePosixPath(filename.replace("\\", "/")).stem)
    if one_line(card.written_name) or not name.strip(". "):
        return card, notes
    told = Note(NAMED_AFTER_FILE, {"name": name})
    return revise(card, name=name), [told if note.template == NAMELESS else note for note in notes]


def _prose(card: Card) -> tuple[str, ...]:
    told = (card.description, card.personality, card.scenario, *card.greetings, card.example_dialogue)
    return (*told, card.system_prompt, card.post_history_instructions)


def _packed(card: Card, version: Literal["v2", "v3"]) -> bytes:
    content = json.dumps(card_to_json(card, version), ensure_ascii=False, separators=(",", ":"))
    return base64.b64encode(content.encode())
