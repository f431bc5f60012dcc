"""What went wrong, as a value a person can be shown: any exception comes in, and no inside of the server comes out."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException

from liyuan.domain.errors import LiyuanError, NotFound, TooLarge
from liyuan.web.visitor import Visitor

#: Fields of an error that are words of ours and so have a translation.
WORDS = frozenset({"what", "reason"})


class NoPage(NotFound):
    message = "There is nothing at this address. It may have been deleted, or the link is old."


class NoMethod(LiyuanError):
    type = "method-not-allowed"
    title = "Not possible here"
    status_code = 405
    message = "This address does not take {method} requests."


class BadRequest(LiyuanError):
    type = "bad-request"
    title = "Not understood"
    status_code = 400
    message = "The request could not be read. Nothing was changed."


class BadFields(LiyuanError):
    type = "invalid"
    title = "Not valid"
    status_code = 422
    message = "Some of what was sent cannot be taken: {summary}. Nothing was changed."


class Broken(LiyuanError):
    """A fault of ours. The log has it under the same number."""

    type = "internal"
    title = "A fault in the server"
    status_code = 500
    message = "A fault in the server. What was saved before is safe. Try again; the log has more under {number}."


@dataclass(frozen=True, slots=True, kw_only=True)
class Problem:
    """One trouble in the visitor's language. `fields` are what a program can use (RFC 9457, extension members)."""

    type: str
    title: str
    status: int
    detail: str
    fields: Mapping[str, object] = field(default_factory=dict)
    headers: Mapping[str, str] = field(default_factory=dict)

    def members(self) -> dict[str, object]:
        own = {"type": self.type, "title": self.title, "status": self.status, "detail": self.detail}
        return {**{name: value for name, value in self.fields.items() if name not in own}, **own}


def explain(error: Exception, visitor: Visitor, method: str) -> Problem:
    """The problem in the visitor's words."""
    known = _known(error, method)
    told = visitor.words.gettext
    return Problem(
        type=known.type,
        title=told(known.title),
        status=error.status_code if isinstance(error, HTTPException) else known.status_code,
        detail=told(known.template).format_map(_Words(known.fields, told)),
        fields={name: value for name, value in known.fields.items() if _is_plain(value)},
        headers=_headers(known, error),
    )


def _known(error: Exception, method: str) -> LiyuanError:
    if isinstance(error, LiyuanError):
        return error
    if isinstance(error, RequestValidationError):
        return _bad_fields(error)
    if isinstance(error, HTTPException):
        return _of_status(error, method)
    return Broken(number=secrets.token_hex(4))


def _bad_fields(error: RequestValidationError) -> LiyuanError:
    """Names the fields and what is wrong with them, and never repeats what was typed."""
    faults = [{"loc": [str(part) for part in fault["loc"]], "msg": str(fault["msg"])} for fault in error.errors()]
    summary = "; ".join(f"{'.'.join(fault['loc'][1:] or fault['loc'])}: {fault['msg']}" for fault in faults[:5])
    return BadFields(summary=summary, errors=faults)


def _of_status(error: HTTPException, method: str) -> LiyuanError:
    made: dict[int, Callable[[], LiyuanError]] = {
        404: NoPage,
        405: lambda: NoMethod(method=method),
        413: lambda: TooLarge(limit=error.detail),
    }
    return made.get(error.status_code, BadRequest)()


def _headers(known: LiyuanError, error: Exception) -> dict[str, str]:
    headers = dict(error.headers or {}) if isinstance(error, HTTPException) else {}
    if "seconds" in known.fields and known.status_code in (429, 503):
        headers["Retry-After"] = str(known.fields["seconds"])
    if known.status_code == 401:
        headers["WWW-Authenticate"] = 'Bearer realm="liyuan"'
    return headers


def _is_plain(value: object) -> bool:
    return value is None or isinstance(value, str | int | float | bool | list | tuple | dict)


class _Words(dict[str, object]):
    """Fills a message: our own words translated, an unfilled field left visible."""

    def __init__(self, fields: Mapping[str, object], told: Callable[[str], str]) -> None:
        super().__init__(
            {
                name: told(value) if name in WORDS and isinstance(value, str) and value else value
                for name, value in fields.items()
            }
        )

    def __missing__(self, key: str) -> str:
        return "{" + key + "}"
