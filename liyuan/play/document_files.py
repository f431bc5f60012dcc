"""Text out of the files that people keep their notes in: txt, md, pdf, docx. The readers are imported when needed."""

from __future__ import annotations

from importlib import import_module
from io import BytesIO
from pathlib import PurePath
from typing import Any, Final

from liyuan.domain.errors import Invalid, TooLarge

KINDS: Final = ("txt", "md", "pdf", "docx")
# Characters of one document: a thick novel, and some hours of a small model's time.
LONGEST: Final = 2_000_000
# What a text file may be written in, in the order of trying; the last one takes nearly anything Chinese.
ENCODINGS: Final = ("utf-8-sig", "gb18030")


def kind_of(name: str) -> str:
    """The kind of a file by its name. Raises Invalid for one that cannot be read."""
    kind = PurePath(name).suffix.lower().removeprefix(".").replace("markdown", "md")
    if kind not in KINDS:
        raise Invalid("Only text (.txt), Markdown (.md), PDF and Word (.docx) can be read. Save it as one of these.")
    return kind


def read_document(name: str, content: bytes) -> str:
    """The text of a file. Raises Invalid when it cannot be read or holds no text, TooLarge when it holds too much."""
    kind = kind_of(name)
    try:
        text = {"pdf": _pdf, "docx": _docx}.get(kind, _plain)(content)
    except Invalid:
        raise
    except Exception as error:  # The readers of PDF and Word raise whatever a broken file makes them stumble over.
        raise Invalid("“{name}” cannot be read: the file seems to be damaged or locked.", name=name) from error
    text = text.replace("\r\n", "\n").replace("\r", "\n").replace("\0", "").strip()
    if not text:
        raise Invalid("“{name}” holds no text. Pages that were scanned are pictures; have them read first.", name=name)
    if len(text) > LONGEST:
        raise TooLarge(limit=f"{LONGEST:,}")
    return text


def _plain(content: bytes) -> str:
    if content.startswith((b"\xff\xfe", b"\xfe\xff")):
        return content.decode("utf-16")
    for encoding in ENCODINGS:
        try:
            return content.decode(encoding)
        except UnicodeDecodeError:
            continue
    raise Invalid("This is no text file, or written in an encoding that is not known. Save it as UTF-8.")


def _pdf(content: bytes) -> str:
    pages: Any = import_module("pypdf").PdfReader(BytesIO(content)).pages
    return "\n\n".join(page.extract_text() or "" for page in pages)


def _docx(content: bytes) -> str:
    document: Any = import_module("docx").Document(BytesIO(content))
    rows = (" | ".join(cell.text for cell in row.cells) for table in document.tables for row in table.rows)
    return "\n".join([*(paragraph.text for paragraph in document.paragraphs), *rows])
