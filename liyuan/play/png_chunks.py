"""The chunks of a PNG file, as bytes. What is not ours to change is carried from file to file untouched.

Our own reader, because Pillow refuses files whose text chunks are larger than it likes (cards with long lorebooks are),
reads text only in part before the pixels, and writes a new file without the chunks it does not know.

Source: PNG (Third Edition), "Chunk layout" and "Textual information".
"""

from __future__ import annotations

import zlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from liyuan.domain.errors import Invalid, TooLarge

SIGNATURE = b"\x89PNG\r\n\x1a\n"

LONGEST_TEXT = 32 * 1024 * 1024
"""Bytes of one text after unpacking. The longest honest card seen has about a tenth of it."""

NO_PICTURE = "This PNG file does not begin as a PNG picture does. Save it again from where it came, and try once more."
DAMAGED_TEXT = "The packed text in this PNG file is damaged. Download the file again; nothing was taken in."

PIXEL_KINDS = frozenset({b"IHDR", b"PLTE", b"tRNS", b"IDAT", b"IEND"})
"""The chunks that make the picture itself."""

_HEADER = 8
_FRAME = 12


@dataclass(frozen=True, slots=True)
class Chunk:
    """`whole` is False when the file ends inside it, `sound` when its checksum fits."""

    kind: bytes
    data: bytes
    sound: bool = True
    whole: bool = True


@dataclass(frozen=True, slots=True)
class TextChunk:
    """`keyword` in lower case; `packed` text is unpacked by `text_of`."""

    keyword: str
    content: bytes
    packed: bool


def is_png(content: bytes) -> bool:
    return content.startswith(SIGNATURE)


def chunks_of(png: bytes) -> Iterator[Chunk]:
    """The chunks in order up to IEND, or up to where the file breaks off. Raises Invalid when the first is no IHDR."""
    at = len(SIGNATURE)
    if png[at + 4 : at + 8] != b"IHDR":
        raise Invalid(NO_PICTURE)
    while at + _HEADER <= len(png):
        length = int.from_bytes(png[at : at + 4])
        kind, end = png[at + 4 : at + 8], at + _FRAME + length
        data = png[at + 8 : at + 8 + length]
        checksum = int.from_bytes(png[end - 4 : end])
        whole = end <= len(png)
        yield Chunk(kind, data, sound=whole and checksum == zlib.crc32(kind + data), whole=whole)
        if kind == b"IEND":
            return
        at = end


def is_complete(png: bytes) -> bool:
    """Whether the file goes on to its end mark."""
    return any(chunk.kind == b"IEND" for chunk in chunks_of(png))


def joined(chunks: Iterable[Chunk]) -> bytes:
    """A PNG file of these chunks, each with a right checksum, and with an end mark."""
    held = [chunk for chunk in chunks if chunk.kind != b"IEND"]
    return SIGNATURE + b"".join(map(_written, [*held, Chunk(b"IEND", b"")]))


def pixels_only(png: bytes) -> bytes:
    """The same picture without texts, animation, profiles and whatever else came along."""
    return joined(chunk for chunk in chunks_of(png) if chunk.kind in PIXEL_KINDS and chunk.whole)


def as_text(chunk: Chunk) -> TextChunk | None:
    """The chunk as a text chunk; None when it is of another kind or makes no sense as one."""
    keyword, found, rest = chunk.data.partition(b"\0")
    if not found or chunk.kind not in (b"tEXt", b"zTXt", b"iTXt"):
        return None
    name = keyword.decode("latin-1").strip().lower()
    if chunk.kind == b"tEXt":
        return TextChunk(name, rest, packed=False)
    if chunk.kind == b"zTXt":
        return TextChunk(name, rest[1:], packed=True)
    packed, fields = rest[:1] == b"\1", rest[2:].split(b"\0", 2)
    return TextChunk(name, fields[2], packed) if len(fields) == 3 else None


def text_of(chunk: TextChunk) -> bytes:
    """The text's bytes. Raises TooLarge beyond LONGEST_TEXT (a small file can unpack to gigabytes), else Invalid."""
    if not chunk.packed:
        return chunk.content
    unpacking = zlib.decompressobj()
    try:
        text = unpacking.decompress(chunk.content, LONGEST_TEXT + 1)
    except zlib.error as error:
        raise Invalid(DAMAGED_TEXT) from error
    if len(text) > LONGEST_TEXT:
        raise TooLarge(limit=f"{LONGEST_TEXT // 1024**2} MB")
    if not unpacking.eof:
        raise Invalid(DAMAGED_TEXT)
    return text


def text_chunk(keyword: str, text: bytes) -> Chunk:
    """A plain tEXt chunk; `text` must be ASCII, as base64 is."""
    return Chunk(b"tEXt", keyword.encode("latin-1") + b"\0" + text)


def _written(chunk: Chunk) -> bytes:
    checksum = zlib.crc32(chunk.kind + chunk.data)
    return len(chunk.data).to_bytes(4) + chunk.kind + chunk.data + checksum.to_bytes(4)
