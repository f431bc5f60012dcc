"""From an exception of the model libraries to a trouble in our words. One function knows them all.

Heavy (pydantic-ai, HTTP client): imported only through `providers`.
"""

from __future__ import annotations

from typing import Final

import httpx2
from pydantic_ai.exceptions import (
    AgentRunError,
    ModelAPIError,
    ModelConnectionError,
    ModelHTTPError,
    ModelTimeoutError,
    UserError,
)

from liyuan.domain.errors import ModelFailed
from liyuan.model.causes import causes_of, why_no_line
from liyuan.model.connect import ModelSettings
from liyuan.model.troubles import clean, speaks_of_length, trouble, trouble_of_status, words_of

# What an SDK may throw while it reads an answer that is not in the form it expects.
FORM_ERRORS: Final = (ValueError, TypeError, AttributeError, LookupError, AssertionError)
KNOWN: Final = (AgentRunError, UserError, httpx2.HTTPError, httpx2.StreamError, OSError, *FORM_ERRORS)


def diagnosed(error: BaseException, settings: ModelSettings, *, spoken: bool) -> ModelFailed:
    """The trouble behind one of the KNOWN exceptions. `spoken`: part of the reply has already been heard."""
    ours = next((cause for cause in causes_of(error) if isinstance(cause, ModelFailed)), None)
    if ours is not None:
        return ours
    match error:
        case ModelHTTPError():
            return _of_status(error, settings, spoken=spoken)
        case ModelConnectionError() | httpx2.TransportError() | httpx2.StreamError() | OSError():
            return _of_line(error, settings, spoken=spoken)
        case ModelAPIError():
            return _of_answer(error, settings, spoken=spoken)
        case UserError():
            return trouble(settings, "rejected/detail", said=clean(str(error), settings))
        case _:
            return trouble(settings, "malformed/stream" if spoken else "malformed")


def _of_status(error: ModelHTTPError, settings: ModelSettings, *, spoken: bool) -> ModelFailed:
    failure = trouble_of_status(settings, error.status_code, error.body, error.retry_after)
    said = failure.fields.get("said")
    if spoken and failure.fields["kind"] in ("server-error", "rejected"):
        fields = {"code": error.status_code} | ({"said": said} if said else {})
        return trouble(settings, "server-error/stream" if said else "cut-off", **fields)
    return failure


def _of_line(error: BaseException, settings: ModelSettings, *, spoken: bool) -> ModelFailed:
    causes = list(causes_of(error))
    if any(isinstance(cause, ModelTimeoutError | httpx2.TimeoutException | TimeoutError) for cause in causes):
        return _of_time(causes, settings, spoken=spoken)
    if which := why_no_line(causes):
        return trouble(settings, which)
    if any(isinstance(cause, httpx2.ConnectError) for cause in causes):
        return trouble(settings, "unreachable")
    return trouble(settings, "cut-off" if spoken else "cut-off/early")


def _of_time(causes: list[BaseException], settings: ModelSettings, *, spoken: bool) -> ModelFailed:
    if any(isinstance(cause, httpx2.ConnectTimeout | httpx2.PoolTimeout) for cause in causes):
        return trouble(settings, "timeout/connect", seconds=_seconds(settings.connect_timeout))
    return silence(settings, spoken=spoken)


def silence(settings: ModelSettings, *, spoken: bool) -> ModelFailed:
    """Our own time limits: before the first piece, or between two."""
    if spoken:
        return trouble(settings, "timeout/idle", seconds=_seconds(settings.idle_timeout))
    return trouble(settings, "timeout/first", seconds=_seconds(settings.first_timeout))


def _of_answer(error: ModelAPIError, settings: ModelSettings, *, spoken: bool) -> ModelFailed:
    """An error the server reported inside its stream without a status, or an answer that is no JSON."""
    if any(isinstance(cause, ValueError) for cause in causes_of(error)):
        return trouble(settings, "malformed/stream" if spoken else "malformed")
    words = words_of(error.body) or error.message
    if speaks_of_length(words):
        return trouble(settings, "context-too-long")
    return trouble(settings, "server-error/stream", said=clean(words, settings))


def _seconds(value: float) -> int | float:
    return int(value) if value == int(value) else value
