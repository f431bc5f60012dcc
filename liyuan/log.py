"""What the server writes down: one line an event, for people or machines. Never the words of a story, and never a key.

An exception is told by its kind and the places it passed, not by its message: a message may quote what somebody typed.
"""

from __future__ import annotations

import logging
import sys
import traceback
from pathlib import Path
from typing import TextIO

import structlog
from structlog.typing import EventDict, Processor, WrappedLogger

DEEPEST = 30
#: Libraries whose own lines would name addresses or repeat ours.
QUIET = {
    "alembic": logging.WARNING,
    "httpx": logging.WARNING,
    "httpcore": logging.WARNING,
    "mcp": logging.WARNING,
    "uvicorn.access": logging.CRITICAL,
}


def write_logs(level: str, style: str, stream: TextIO = sys.stderr) -> None:
    """From here on everything logged goes to `stream`, `style` being "console" or "json", libraries' lines too."""
    steps: list[Processor] = [
        structlog.contextvars.merge_contextvars,
        structlog.stdlib.add_log_level,
        structlog.processors.TimeStamper(fmt="iso", utc=True),
        tell_places,
    ]
    last: Processor = (
        structlog.processors.JSONRenderer(ensure_ascii=False)
        if style == "json"
        else structlog.dev.ConsoleRenderer(colors=stream.isatty())
    )
    formatter = structlog.stdlib.ProcessorFormatter(
        foreign_pre_chain=steps, processors=[structlog.stdlib.ProcessorFormatter.remove_processors_meta, last]
    )
    handler = logging.StreamHandler(stream)
    handler.setFormatter(formatter)
    logging.basicConfig(handlers=[handler], level=level.upper(), force=True)
    for name, quiet in QUIET.items():
        logging.getLogger(name).setLevel(quiet)
    structlog.configure(
        processors=[*steps, structlog.stdlib.ProcessorFormatter.wrap_for_formatter],
        logger_factory=structlog.stdlib.LoggerFactory(),
        wrapper_class=structlog.make_filtering_bound_logger(logging.getLevelName(level.upper())),
    )


def tell_places(_logger: WrappedLogger, _name: str, event: EventDict) -> EventDict:
    """Puts kind and places where an exception was handed in."""
    error = _error(event.pop("exc_info", None))
    if error is not None:
        event["kind"] = type(error).__name__
        event["at"] = places(error)
    return event


def places(error: BaseException) -> list[str]:
    """The places of ours that an error came through and the innermost one, then the same of what caused it."""
    passed = traceback.extract_tb(error.__traceback__)
    ours = [frame for frame in passed[:-1] if "site-packages" not in frame.filename] + passed[-1:]
    frames = [f"{'/'.join(Path(frame.filename).parts[-3:])}:{frame.lineno} {frame.name}" for frame in ours]
    causes = error.exceptions if isinstance(error, BaseExceptionGroup) else (error.__cause__ or error.__context__,)
    for cause in causes:
        if cause is not None:
            frames += [f"from {type(cause).__name__}", *places(cause)]
    return frames[-DEEPEST:]


def _error(given: object) -> BaseException | None:
    if isinstance(given, BaseException):
        return given
    if isinstance(given, tuple):
        return next((part for part in given if isinstance(part, BaseException)), None)
    return sys.exc_info()[1] if given else None
