"""What lies behind an exception of an HTTP library: the whole chain, and what it says of the line. Pure."""

from __future__ import annotations

import socket
import ssl
from collections.abc import Iterable, Iterator
from typing import Final

_NO_LINE: Final = (
    (socket.gaierror, "unreachable/name"),
    (ssl.SSLError, "unreachable/secure"),
    (ConnectionRefusedError, "unreachable/refused"),
)


def causes_of(error: BaseException) -> Iterator[BaseException]:
    """The error and everything behind it, nearest first, groups opened."""
    waiting, seen = [error], set[int]()
    while waiting:
        cause = waiting.pop(0)
        if id(cause) in seen:
            continue
        seen.add(id(cause))
        yield cause
        if isinstance(cause, BaseExceptionGroup):
            waiting.extend(cause.exceptions)
        waiting.extend(behind for behind in (cause.__cause__, cause.__context__) if behind is not None)


def why_no_line(causes: Iterable[BaseException]) -> str | None:
    """The key of `troubles.MESSAGES` when the causes tell why there is no connection."""
    found = list(causes)
    return next((which for kind, which in _NO_LINE if any(isinstance(cause, kind) for cause in found)), None)
