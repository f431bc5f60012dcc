"""Everything that can go wrong in words a person can use. One base, caught at one edge (`web/errors.py`, `cli.py`).

`message` is an English template and the gettext msgid; the fields fill it after translation. Say what happened, what is
safe, and what to do next.
"""

from __future__ import annotations

from typing import ClassVar


class LiyuanError(Exception):
    """Base of all errors shown to people.

    `type` is the last part of the problem's type URI and `status_code` its HTTP status (see api.md, "problem+json").
    `fields` fill the message and travel as extension members of the problem.
    """

    type: ClassVar[str] = "error"
    title: ClassVar[str] = "Something went wrong"
    status_code: ClassVar[int] = 500
    message: ClassVar[str] = "Something went wrong. Nothing was changed."

    def __init__(self, message: str | None = None, /, **fields: object) -> None:
        self.template = message or self.message
        self.fields = fields
        super().__init__(self.template.format_map(_Lenient(fields)))


class _Lenient(dict[str, object]):
    """Leaves an unfilled field visible instead of hiding the real error behind a KeyError."""

    def __missing__(self, key: str) -> str:
        return "{" + key + "}"


class NotFound(LiyuanError):
    type = "not-found"
    title = "Not found"
    status_code = 404
    message = "There is no {what} with the id {id}."


class Invalid(LiyuanError):
    type = "invalid"
    title = "Not valid"
    status_code = 422
    message = "This cannot be done: {reason}"


class TooLarge(LiyuanError):
    type = "too-large"
    title = "Too large"
    status_code = 413
    message = "This is too large: at most {limit} are taken. Nothing was changed."


class LeafMoved(LiyuanError):
    """The writer believed the reader to be at another entry. Nothing was written (semantics §2, §4)."""

    type = "leaf-moved"
    title = "The story has moved on"
    status_code = 409
    message = "The story has moved on since this page was drawn. Nothing was changed and your words are kept."


class Busy(LiyuanError):
    """A turn is being generated in this conversation; only reading and stopping are possible (semantics §2)."""

    type = "busy"
    title = "A reply is being written"
    status_code = 409
    message = "A reply is being written right now. Wait for it, or stop it, then try again."


class ModelFailed(LiyuanError):
    """The model server gave no usable answer. `kind` tells which trouble; see `model/providers.py`."""

    type = "model-failed"
    title = "The model did not answer"
    status_code = 502
    message = "The model did not answer. Your words are kept and nothing else has changed. Try again."


class Locked(LiyuanError):
    type = "locked"
    title = "Please sign in"
    status_code = 401
    message = "Please sign in first. What you typed is kept on this page."


class Throttled(LiyuanError):
    type = "throttled"
    title = "Too many tries"
    status_code = 429
    message = "Too many tries. Wait {seconds} seconds, then try again."


class Refused(LiyuanError):
    """The request comes from a place we do not take requests from (host, origin, missing token)."""

    type = "refused"
    title = "Not accepted"
    status_code = 403
    message = "This request was not accepted: {reason}"
