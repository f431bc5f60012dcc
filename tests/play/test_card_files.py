"""A character comes in from whatever file holds it, goes out for every program, and brings no foreign bytes along."""

from __future__ import annotations

import base64
import json
import zlib
from collections.abc import Callable
from io import BytesIO
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from liyuan.domain import card_layout
from liyuan.domain.card import card_to_json, parse_card
from liyuan.domain.errors import Invalid, LiyuanError, TooLarge
from liyuan.play import card_files, json_files, pictures, png_chunks
from liyuan.play.card_files import card_file_name, read_card_file, write_card_json, write_card_png
from liyuan.play.png_chunks import SIGNATURE, Chunk, as_text, chunks_of, text_of

RAW: dict[str, Any] = {
    "spec": "chara_card_v2",
    "spec_version": "2.0",
    "data": {"name": "青梧", "first_mes": "“客官，里面请。”", "extensions": {}, "unknown": "kept"},
}
CARD = parse_card(RAW)[0]


def picture(mode: str = "RGB", kind: str = "PNG", size: tuple[int, int] = (8, 12), **options: object) -> bytes:
    file = BytesIO()
    Image.new(mode, size, 1).save(file, kind, **options)
    return file.getvalue()


def packed(raw: object) -> bytes:
    return base64.b64encode(json.dumps(raw, ensure_ascii=False).encode())


def chunk(kind: bytes, data: bytes) -> bytes:
    return len(data).to_bytes(4) + kind + data + zlib.crc32(kind + data).to_bytes(4)


def plain(keyword: str, content: bytes) -> bytes:
    return chunk(b"tEXt", keyword.encode() + b"\0" + content)


def squeezed(keyword: str, content: bytes) -> bytes:
    return chunk(b"zTXt", keyword.encode() + b"\0\0" + zlib.compress(content))


def international(keyword: str, content: bytes) -> bytes:
    return chunk(b"iTXt", keyword.encode() + b"\0\0\0zh\0" + "角色".encode() + b"\0" + content)


def international_squeezed(keyword: str, content: bytes) -> bytes:
    return chunk(b"iTXt", keyword.encode() + b"\0\1\0\0\0" + zlib.compress(content))


def png(*parts: bytes, at_the_end: bool = False) -> bytes:
    """A small picture with these chunks after IHDR, or before IEND."""
    blank = picture()
    at = len(blank) - 12 if at_the_end else len(SIGNATURE) + 25
    return blank[:at] + b"".join(parts) + blank[at:]


def refused(content: bytes) -> LiyuanError:
    with pytest.raises(LiyuanError) as error:
        read_card_file(content, "x.png")
    return error.value


@pytest.mark.parametrize("write", [plain, squeezed, international, international_squeezed])
@pytest.mark.parametrize("keyword", ["chara", "Chara", "CCV3"])
@pytest.mark.parametrize("at_the_end", [False, True])
def test_every_kind_of_text_chunk_is_read(write: Callable[[str, bytes], bytes], keyword: str, at_the_end: bool) -> None:
    card, image, _ = read_card_file(png(write(keyword, packed(RAW)), at_the_end=at_the_end))
    assert card == CARD
    assert image == picture()


def test_the_newer_part_wins_wherever_it_stands() -> None:
    newer = {**RAW, "spec": "chara_card_v3", "data": {**RAW["data"], "name": "New"}}
    old, new = plain("chara", packed(RAW)), plain("ccv3", packed(newer))
    assert read_card_file(png(old, new))[0].name == read_card_file(png(new, old))[0].name == "New"


def test_version_3_in_the_part_for_version_2_is_read_as_that() -> None:
    card, _, notes = read_card_file(png(plain("chara", packed({**RAW, "spec": "chara_card_v3"}))))
    assert card.version == "v3"
    assert card_files.V3_IN_CHARA in {note.template for note in notes}


def test_a_damaged_newer_part_leaves_the_older_one() -> None:
    card, _, notes = read_card_file(png(plain("ccv3", b"!!"), plain("chara", packed(RAW))))
    assert card == CARD
    assert [note.template for note in notes] == [card_files.OLDER_PART_TAKEN]


def test_of_equal_parts_the_first_is_taken() -> None:
    second = {**RAW, "data": {**RAW["data"], "name": "Second"}}
    card, _, notes = read_card_file(png(plain("chara", packed(RAW)), plain("chara", packed(second))))
    assert card == CARD
    assert [note.template for note in notes] == [card_files.SEVERAL_PARTS]


def test_large_foreign_chunks_are_passed_over_and_kept() -> None:
    foreign = chunk(b"tEXt", b"Comment\0" + b"x" * 5_000_000) + squeezed("Lore", b"y" * 20_000_000)
    _, image, _ = read_card_file(png(foreign, plain("chara", packed(RAW))))
    assert image == png(foreign)


@pytest.mark.parametrize(
    "spelled",
    [
        json.dumps(RAW).encode(),
        packed(RAW).rstrip(b"="),
        b"\n".join(packed(RAW)[at : at + 76] for at in range(0, 999, 76)),
        base64.b64encode(b"\xef\xbb\xbf" + json.dumps(RAW).encode()),
    ],
    ids=["json itself", "no padding", "broken into lines", "with a mark"],
)
def test_spellings_of_the_part_that_programs_write(spelled: bytes) -> None:
    assert read_card_file(png(plain("chara", spelled)))[0] == CARD


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", json_files.EMPTY),
        (b"\0" * 64, json_files.EMPTY),
        (b"hello", json_files.NEITHER),
        (b"\x00\x01\x02\x80\xff", json_files.NOT_TEXT),
        (picture(kind="JPEG"), json_files.OTHER_PICTURE),
        (picture(kind="WEBP"), json_files.OTHER_PICTURE),
        (picture(kind="GIF"), json_files.OTHER_PICTURE),
        (b"PK\3\4rest", json_files.ARCHIVE),
        (b'{"name": "x", ', json_files.NOT_JSON),
        (b'{"name": "x", "n": ' + b"1" * 5000 + b"}", json_files.TOO_LONG_A_NUMBER),
        (b'{"name":' * 100_000, json_files.TOO_NESTED),
        (b"[1, 2]", json_files.NOT_AN_OBJECT),
        (b'{"user_name": "a"}\n{"mes": "b"}\n', json_files.LINE_BY_LINE),
        (b'{"entries": {}}', card_layout.IS_LOREBOOK),
        (picture(), card_files.NO_CARD_INSIDE),
        (SIGNATURE, png_chunks.NO_PICTURE),
        (SIGNATURE + chunk(b"IDAT", b""), png_chunks.NO_PICTURE),
        (picture()[:-20], card_files.CUT_OFF),
        (png(plain("chara", packed(RAW)))[:120], card_files.CUT_OFF),
        (png(plain("chara", b"not base 64!")), card_files.NOT_BASE64),
        (png(plain("chara", packed([1]))), json_files.NOT_AN_OBJECT),
        (png(chunk(b"zTXt", b"chara\0\0not packed")), png_chunks.DAMAGED_TEXT),
        (png(chunk(b"zTXt", b"chara\0\0" + zlib.compress(packed(RAW))[:-9])), png_chunks.DAMAGED_TEXT),
    ],
)
def test_a_file_that_cannot_be_taken_says_what_to_do(content: bytes, message: str) -> None:
    error = refused(content)
    assert isinstance(error, Invalid)
    assert error.template == message


def test_a_wrong_checksum_of_the_card_is_told() -> None:
    spoilt = bytearray(png(plain("chara", packed(RAW))))
    spoilt[spoilt.index(b"chara\0") + 40] ^= 1
    assert refused(bytes(spoilt)).template == card_files.DAMAGED


def test_text_that_unpacks_without_end_is_refused() -> None:
    bomb = zlib.compress(b"A" * (png_chunks.LONGEST_TEXT + 10))
    assert len(bomb) < 100_000
    assert isinstance(refused(png(chunk(b"zTXt", b"chara\0\0" + bomb))), TooLarge)


def test_a_file_beyond_all_measure_is_refused() -> None:
    assert isinstance(refused(b"{" + b" " * card_files.LARGEST_FILE), TooLarge)


def test_a_card_whose_picture_is_damaged_comes_without_it() -> None:
    whole = png(plain("chara", packed(RAW)))
    cut = whole[: whole.index(b"IDAT") + 6]
    card, image, notes = read_card_file(cut)
    assert (card, image) == (CARD, None)
    assert [note.template for note in notes] == [card_files.PICTURE_DAMAGED]


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "gb18030"])
def test_a_json_file_is_read_in_the_encodings_people_have(encoding: str) -> None:
    card, image, notes = read_card_file(json.dumps(RAW, ensure_ascii=False).encode(encoding), "x.json")
    assert (card, image) == (CARD, None)
    assert [note.template for note in notes] == ([json_files.NOT_UTF8] if encoding == "gb18030" else [])


def test_a_file_is_known_by_its_content_and_not_by_its_name() -> None:
    assert read_card_file(json.dumps(RAW).encode(), "card.png")[0] == CARD
    assert read_card_file(png(plain("chara", packed(RAW))), "card.json")[0] == CARD


@pytest.mark.parametrize(
    ("filename", "name"),
    [
        ("Mira.png", "Mira"),
        ("../../etc/passwd", "passwd"),
        ("C:\\cards\\Mira v2.json", "Mira v2"),
        ("", "Nameless"),
        ("..", "Nameless"),
        ("\u202e.png", "Nameless"),
    ],
)
def test_a_nameless_card_is_called_after_its_file(filename: str, name: str) -> None:
    raw = {"name": "", "first_mes": "Hello."}
    assert read_card_file(json.dumps(raw).encode(), filename)[0].name == name


def test_macros_that_will_stay_are_told() -> None:
    raw = {"name": "x", "first_mes": "{{user}} has {{getvar::gold}}."}
    _, _, notes = read_card_file(json.dumps(raw).encode())
    assert [str(note) for note in notes] == [card_files.UNKNOWN_MACROS.format(names="getvar")]


def test_a_picture_inside_a_json_file_is_taken_and_an_address_is_not_fetched() -> None:
    uri = "data:image/png;base64," + base64.b64encode(picture()).decode()
    icons = [
        {"type": "icon", "name": "other", "uri": "https://example.invalid/x.png", "ext": "png"},
        {"type": "icon", "name": "main", "uri": uri, "ext": "png"},
    ]
    raw = {**RAW, "data": {**RAW["data"], "assets": icons}}
    image = read_card_file(json.dumps(raw).encode())[1]
    assert image is not None
    assert Image.open(BytesIO(image)).size == (8, 12)
    raw["data"]["assets"] = icons[:1]
    assert read_card_file(json.dumps(raw).encode())[1] is None


def test_what_is_written_holds_both_versions_and_reads_the_same() -> None:
    written = write_card_png(CARD, picture())
    texts = {text.keyword: text_of(text) for text in map(as_text, chunks_of(written)) if text}
    assert json.loads(base64.b64decode(texts["chara"])) == card_to_json(CARD, "v2")
    assert json.loads(base64.b64decode(texts["ccv3"])) == card_to_json(CARD, "v3")
    assert Image.open(BytesIO(written)).size == (8, 12)
    again, image, notes = read_card_file(written)
    assert card_to_json(again) == card_to_json(CARD)
    assert again.raw["data"]["unknown"] == "kept"
    assert (image, notes) == (picture(), [])


def test_other_chunks_go_from_file_to_file_byte_by_byte() -> None:
    foreign = chunk(b"iTXt", b"XML:com.adobe.xmp\0\0\0\0\0\xe2\x82\xac") + chunk(b"prVt", b"\0\xff" * 9)
    _, image, _ = read_card_file(png(foreign, plain("chara", packed(RAW))))
    again = read_card_file(write_card_png(CARD, image))[1]
    assert again == image == png(foreign)


def test_an_older_card_in_the_picture_is_replaced() -> None:
    old = png(plain("chara", packed({"name": "Old", "first_mes": "x"})), squeezed("CCV3", packed(RAW)))
    keywords = [text.keyword for text in map(as_text, chunks_of(write_card_png(CARD, old))) if text]
    assert keywords == ["chara", "ccv3"]


@pytest.mark.parametrize("kind", ["JPEG", "WEBP", "GIF"])
def test_a_picture_of_another_kind_becomes_a_png(kind: str) -> None:
    assert read_card_file(write_card_png(CARD, picture(kind=kind)))[0].name == "青梧"


def test_a_card_without_a_picture_gets_a_plain_one() -> None:
    written = write_card_png(CARD, None)
    assert Image.open(BytesIO(written)).size == (512, 768)
    assert written == write_card_png(CARD, None)
    assert card_files.default_picture("a") != card_files.default_picture("b")


def test_json_goes_out_readable_and_comes_back() -> None:
    written = write_card_json(CARD)
    assert "青梧" in written.decode()
    assert written.endswith(b"}\n")
    assert card_to_json(read_card_file(written)[0]) == card_to_json(CARD)
    assert json.loads(write_card_json(CARD, "v2"))["spec"] == "chara_card_v2"


@pytest.mark.parametrize(
    ("name", "file"),
    [
        ("青梧", "青梧.png"),
        ("../../etc/passwd", "etc-passwd.png"),
        ('a"b\\c;d', "a-b-c-d.png"),
        ("...", "character.png"),
        ("CON", "character.png"),
        ("x" * 500, "x" * 60 + ".png"),
    ],
)
def test_the_name_of_a_saved_file_is_safe_everywhere(name: str, file: str) -> None:
    assert card_file_name(parse_card({"name": name, "first_mes": "x"})[0], "png") == file


@pytest.mark.parametrize("kind", ["PNG", "JPEG", "WEBP", "GIF"])
def test_an_upload_is_encoded_anew_and_holds_only_pixels(kind: str) -> None:
    uploaded = picture(kind=kind, size=(3000, 30), comment=b"secret") + b"<script>alert(1)</script>"
    clean = card_files.clean_picture(uploaded)
    assert {chunk.kind for chunk in chunks_of(clean)} <= png_chunks.PIXEL_KINDS
    assert Image.open(BytesIO(clean)).size[0] == 2048
    assert b"script" not in clean
    assert b"secret" not in clean


@pytest.mark.parametrize("mode", ["1", "L", "LA", "P", "RGBA", "I;16"])
def test_every_kind_of_pixel_is_taken(mode: str) -> None:
    assert Image.open(BytesIO(card_files.clean_picture(picture(mode)))).mode in ("RGB", "RGBA")


def test_a_photograph_is_turned_upright() -> None:
    sideways = Image.Exif()
    sideways[0x0112] = 6
    clean = card_files.clean_picture(picture(kind="JPEG", size=(30, 10), exif=sideways))
    assert Image.open(BytesIO(clean)).size == (10, 30)


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"GIF89a",
        b"<svg xmlns='http://www.w3.org/2000/svg'/>",
        picture()[:40],
        picture(kind="JPEG")[:200],
        SIGNATURE,
    ],
)
def test_what_is_no_sound_picture_is_refused(content: bytes) -> None:
    with pytest.raises(Invalid):
        card_files.clean_picture(content)


@pytest.mark.parametrize("side", [8_000, 11_000, 60_000])
def test_a_picture_of_too_many_pixels_is_refused_before_it_is_unpacked(side: int) -> None:
    header = side.to_bytes(4) + side.to_bytes(4) + b"\x08\x02\0\0\0"
    bomb = SIGNATURE + chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(b"\0" * 1000)) + chunk(b"IEND", b"")
    with pytest.raises(Invalid) as error:
        card_files.clean_picture(bomb)
    assert error.value.template == pictures.TOO_MANY_PIXELS


def test_a_thumbnail_fits_its_size_and_is_never_made_larger() -> None:
    small = Image.open(BytesIO(card_files.thumbnail(picture(size=(400, 800)), (96, 96))))
    assert (small.format, small.size) == ("WEBP", (48, 96))
    assert Image.open(BytesIO(card_files.thumbnail(picture(size=(20, 10)), (96, 96)))).size == (20, 10)


def test_see_through_pictures_stay_so() -> None:
    assert Image.open(BytesIO(card_files.thumbnail(picture("RGBA"), (96, 96)))).mode == "RGBA"


def test_chunks_are_whole_and_sound_or_say_that_they_are_not() -> None:
    cut = picture()[:-16]
    assert [(chunk.kind, chunk.whole, chunk.sound) for chunk in chunks_of(cut)] == [
        (b"IHDR", True, True),
        (b"IDAT", False, False),
    ]
    assert list(chunks_of(png_chunks.joined([Chunk(b"IHDR", b"x")])))[-1] == Chunk(b"IEND", b"")


WHOLE = png(plain("chara", packed(RAW)), squeezed("ccv3", packed(RAW)))


@given(st.integers(0, len(WHOLE)), st.integers(0, len(WHOLE) - 1), st.integers(0, 255))
def test_a_file_that_was_cut_or_spoilt_anywhere_is_taken_or_refused_in_words(cut: int, at: int, byte: int) -> None:
    spoilt = bytearray(WHOLE)
    spoilt[at] = byte
    for content in (WHOLE[:cut], bytes(spoilt), json.dumps(RAW).encode()[:cut]):
        try:
            assert read_card_file(content, "x.png")[0] == CARD
        except LiyuanError as error:
            assert str(error)
