"""Fields of a form as they are meant: text with plain line ends, whole numbers, uploaded files that are there."""

from __future__ import annotations

from starlette.datastructures import FormData, UploadFile


def text(form: FormData, name: str) -> str:
    """The field's text; empty when it is missing. Browsers send line ends as CR LF, stories have LF."""
    value = form.get(name)
    return plain_lines(value) if isinstance(value, str) else ""


def texts(form: FormData, name: str) -> tuple[str, ...]:
    """All fields of one name, in their order."""
    return tuple(plain_lines(value) for value in form.getlist(name) if isinstance(value, str))


def plain_lines(value: str) -> str:
    return value.replace("\r\n", "\n").replace("\r", "\n")


async def upload(form: FormData, name: str) -> bytes | None:
    """An uploaded file's bytes; None when none was chosen."""
    value = form.get(name)
    return await value.read() or None if isinstance(value, UploadFile) else None


def uploads(form: FormData, name: str) -> list[UploadFile]:
    """The files of one field that were chosen; a field left empty is sent as a file without a name."""
    return [value for value in form.getlist(name) if isinstance(value, UploadFile) and value.filename]
