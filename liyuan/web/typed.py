"""What a person typed into a form, kept beside the request: no refusal, no expired sign-in and no fault eats it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from starlette.exceptions import HTTPException
from starlette.formparsers import MultiPartException
from starlette.requests import Request
from starlette.types import Message, Receive, Scope

#: Where the kept body lies in the state of a request, and the start of one that is too long to be kept.
KEPT = "typed_body"
START = "typed_start"
FORMS = ("application/x-www-form-urlencoded", "multipart/form-data")
#: Endings of the names of fields that never go back to the browser.
SECRET = ("password", "key", "token", "secret")
#: Fields that a person types into. Any other counts when it holds what no page puts there: spaces, foreign letters.
WRITTEN = frozenset({"text", "title", "name", "description", "query", "base_url", "model"})
_FIRST_PART = re.compile(
    rb'--[^\r\n]{1,200}\r\ncontent-disposition: form-data; name="csrf"\r\n\r\n([\w-]{1,100})\r\n', re.IGNORECASE
)


@dataclass(frozen=True, slots=True)
class Typed:
    """One field as it was sent."""

    name: str
    text: str


def is_form(scope: Scope) -> bool:
    return content_type(scope) in FORMS


def content_type(scope: Scope) -> str:
    """The media type of the body without its parameters, in lower case."""
    for name, value in scope["headers"]:
        if name == b"content-type":
            return bytes(value).decode("latin-1").partition(";")[0].strip().lower()
    return ""


async def keep_body(scope: Scope, receive: Receive, limit: int) -> Receive:
    """Reads a form's body up to `limit` bytes, keeps it when it was whole, and gives a `receive` that repeats it."""
    told: list[Message] = []
    size = 0
    while size <= limit:
        message = await receive()
        told.append(message)
        size += len(message.get("body", b""))
        if message["type"] != "http.request" or not message.get("more_body", False):
            break
    body = b"".join(message.get("body", b"") for message in told)
    scope.setdefault("state", {}).update({KEPT: body} if size <= limit else {START: body[:2000]})
    return _again(told, receive)


def _again(told: list[Message], receive: Receive) -> Receive:
    waiting: Iterator[Message] = iter(told)

    async def replay() -> Message:
        return next(waiting, None) or await receive()

    return replay


async def sent_token(scope: Scope) -> str:
    """The field `csrf` of a form. In an upload too long to be kept it must stand first, as it does in our forms."""
    if start := scope.get("state", {}).get(START):
        return match[1].decode() if (match := _FIRST_PART.match(start)) else ""
    return (await form_of(scope)).get("csrf", "")


async def form_of(scope: Scope) -> dict[str, str]:
    """The text fields of the kept body, the last of each name; empty when there was none, or it cannot be read."""
    body = scope.get("state", {}).get(KEPT)
    if body is None:
        return {}

    async def tell() -> Message:
        return {"type": "http.request", "body": body, "more_body": False}

    try:
        async with Request(scope, tell).form() as form:
            return {name: value for name, value in form.multi_items() if isinstance(value, str)}
    except (HTTPException, MultiPartException):
        return {}


async def typed_words(scope: Scope) -> tuple[Typed, ...]:
    """The fields of a kept form that a person may have typed, in their order."""
    form = await form_of(scope)
    return tuple(Typed(name, text) for name, text in form.items() if text.strip() and _is_written(name, text))


def _is_written(name: str, text: str) -> bool:
    if name.endswith(SECRET):
        return False
    return name in WRITTEN or not text.isascii() or any(letter.isspace() for letter in text)
