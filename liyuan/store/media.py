"""Pictures as files, named by what they hold. An id leads to a file of this folder or to nothing."""

from __future__ import annotations

import hashlib
import os
import re
import secrets
from pathlib import Path

from liyuan.domain.errors import Invalid, NotFound

SUFFIXES = (".png", ".jpg", ".webp", ".gif", ".svg")

_ID = re.compile(r"[0-9a-f]{40}")


def save_media(folder: Path, content: bytes, suffix: str) -> str:
    """Keeps a picture and returns its id: 40 hex digits, the same for the same bytes.

    `suffix` is one of SUFFIXES, else Invalid is raised. The file is there whole or not at all.
    """
    if suffix not in SUFFIXES:
        raise Invalid("This cannot be done: pictures of the kind “{suffix}” are not kept.", suffix=suffix)
    media_id = hashlib.sha256(content).hexdigest()[:40]
    place = _place(folder, media_id, suffix)
    if not place.exists():
        place.parent.mkdir(parents=True, exist_ok=True)
        unfinished = place.with_name(f".{media_id}.{secrets.token_hex(4)}")
        unfinished.write_bytes(content)
        os.replace(unfinished, place)
    return media_id


def media_path(folder: Path, media_id: str) -> Path:
    """The file behind an id. Raises NotFound."""
    if _ID.fullmatch(media_id):
        for suffix in SUFFIXES:
            place = _place(folder, media_id, suffix)
            if place.is_file():
                return place
    raise NotFound(what="picture", id=media_id)


def load_media(folder: Path, media_id: str | None) -> bytes | None:
    """The picture's bytes, None when there is no id or its file is gone."""
    try:
        return media_path(folder, media_id).read_bytes() if media_id else None
    except NotFound:
        return None


def _place(folder: Path, media_id: str, suffix: str) -> Path:
    return folder / media_id[:2] / f"{media_id}{suffix}"
