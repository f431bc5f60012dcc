"""Pictures through Pillow. What people upload is decoded and encoded anew: foreign bytes are never passed on.

Pillow takes a while to load, so this module is loaded by `card_files.pictures` alone, when a picture is first needed.
"""

from __future__ import annotations

import random
import struct
import zlib
from io import BytesIO
from itertools import pairwise

from PIL import Image, ImageDraw, ImageFilter, ImageOps

from liyuan.domain.errors import Invalid, TooLarge
from liyuan.play.png_chunks import is_png, pixels_only

LARGEST_FILE = 30 * 1024 * 1024
LONGEST_SIDE = 10_000
MOST_PIXELS = 50_000_000

KINDS = ("PNG", "JPEG", "WEBP", "GIF")

UNREADABLE = "This picture cannot be read. PNG, JPEG, WebP and GIF are taken; try saving it anew in one of them."
TOO_MANY_PIXELS = "This picture has too many pixels. Make it smaller than {most} megapixels and try again."

PAPER, INK, SEAL = (0xF7, 0xF3, 0xEA), (0x23, 0x20, 0x1A), (0xA8, 0x32, 0x1F)
PORTRAIT = (512, 768)

_TROUBLES = (
    OSError,
    SyntaxError,
    ValueError,
    EOFError,
    IndexError,
    KeyError,
    OverflowError,
    struct.error,
    zlib.error,
)
"""What Pillow's decoders raise on broken files."""


def decoded(content: bytes) -> Image.Image:
    """The first frame, upright, as RGB or RGBA. Raises Invalid or TooLarge."""
    if len(content) > LARGEST_FILE:
        raise TooLarge(limit=f"{LARGEST_FILE // 1024**2} MB")
    try:
        with Image.open(BytesIO(pixels_only(content) if is_png(content) else content), formats=KINDS) as opened:
            _refuse_too_many_pixels(opened)
            upright = ImageOps.exif_transpose(opened)
            return upright.convert("RGBA" if upright.has_transparency_data else "RGB")
    except (Image.DecompressionBombError, Image.DecompressionBombWarning) as error:
        raise Invalid(TOO_MANY_PIXELS, most=MOST_PIXELS // 1_000_000) from error
    except _TROUBLES as error:
        raise Invalid(UNREADABLE) from error


def encoded_anew(content: bytes, longest: int = 2048) -> bytes:
    """An uploaded picture as a PNG file that holds nothing but pixels, no side longer than `longest` pixels."""
    picture = decoded(content)
    picture.thumbnail((longest, longest), Image.Resampling.LANCZOS)
    return _saved(picture, "PNG", optimize=True)


def thumbnail(content: bytes, size: tuple[int, int]) -> bytes:
    """The picture as WebP, fitted into `size` pixels (width, height), never made larger."""
    picture = decoded(content)
    picture.thumbnail(size, Image.Resampling.LANCZOS)
    return _saved(picture, "WEBP", quality=86, method=4)


def default_picture(name: str) -> bytes:
    """A quiet portrait for someone who has none: moon, hills and a seal, placed by the name. PNG, 512×768."""
    lots = random.Random(name)
    width, height = PORTRAIT
    wash = Image.new("L", PORTRAIT, 0)
    pen = ImageDraw.Draw(wash)
    moon, radius = (lots.randint(190, 320), lots.randint(230, 300)), lots.randint(110, 140)
    pen.ellipse(_around(moon, radius), fill=36)
    for ridge in range(3):
        _hill(pen, lots, base=470 + ridge * 90, shade=34 + ridge * 34)
    picture = Image.composite(Image.new("RGB", PORTRAIT, INK), Image.new("RGB", PORTRAIT, PAPER), _soft(wash))
    seal = (width - 96, height - 100)
    ImageDraw.Draw(picture).rounded_rectangle(_around(seal, 26), radius=5, fill=SEAL)
    ImageDraw.Draw(picture).rounded_rectangle(_around(seal, 16), radius=3, outline=PAPER, width=3)
    return _saved(picture, "PNG", optimize=True)


def _hill(pen: ImageDraw.ImageDraw, lots: random.Random, *, base: int, shade: int) -> None:
    width, height = PORTRAIT
    top = [(x, base + lots.randint(-46, 46)) for x in range(-64, width + 129, 96)]
    pen.polygon([(-64, height), *_rounded(top), (width + 128, height)], fill=shade)


def _rounded(points: list[tuple[int, int]]) -> list[tuple[float, float]]:
    """A soft line through the middles of the given one (Chaikin's corner cutting)."""
    line: list[tuple[float, float]] = [(float(x), float(y)) for x, y in points]
    for _ in range(4):
        cut = [
            (a[0] * near + b[0] * (1 - near), a[1] * near + b[1] * (1 - near))
            for a, b in pairwise(line)
            for near in (0.75, 0.25)
        ]
        line = [line[0], *cut, line[-1]]
    return line


def _soft(wash: Image.Image) -> Image.Image:
    return wash.filter(ImageFilter.GaussianBlur(1.6))


def _around(centre: tuple[int, int], reach: int) -> tuple[int, int, int, int]:
    return centre[0] - reach, centre[1] - reach, centre[0] + reach, centre[1] + reach


def _refuse_too_many_pixels(picture: Image.Image) -> None:
    width, height = picture.size
    if width * height > MOST_PIXELS or max(width, height) > LONGEST_SIDE:
        raise Invalid(TOO_MANY_PIXELS, most=MOST_PIXELS // 1_000_000)


def _saved(picture: Image.Image, kind: str, **options: object) -> bytes:
    file = BytesIO()
    picture.save(file, kind, **options)
    return file.getvalue()
