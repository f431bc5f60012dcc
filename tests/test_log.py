"""What is written down: enough to find a fault, and nothing that somebody said."""

from __future__ import annotations

import io
import json
import logging
from collections.abc import Iterator

import pytest
import structlog

from liyuan.log import write_logs

SAID = "Wait for me by the river"


@pytest.fixture
def written() -> Iterator[io.StringIO]:
    """What was logged as JSON; the logging of the tests is put back afterwards."""
    root = logging.getLogger()
    handlers, level = root.handlers[:], root.level
    stream = io.StringIO()
    write_logs("info", "json", stream)
    yield stream
    structlog.reset_defaults()
    root.handlers[:] = handlers
    root.setLevel(level)


def lines(written: io.StringIO) -> list[dict[str, object]]:
    return [json.loads(line) for line in written.getvalue().splitlines()]


def test_a_line_is_an_event_with_its_fields(written: io.StringIO) -> None:
    structlog.get_logger().info("migrated", revision="abc")
    (line,) = lines(written)
    assert (line["event"], line["revision"], line["level"]) == ("migrated", "abc", "info")


def test_an_exception_is_told_by_kind_and_place_and_not_by_its_words(written: io.StringIO) -> None:
    try:
        raise ValueError(SAID)
    except ValueError:
        structlog.get_logger().exception("performance failed")
        logging.getLogger("library").exception("library failed")
    assert SAID not in written.getvalue()
    for line in lines(written):
        assert line["kind"] == "ValueError"
        assert "test_log.py" in str(line["at"])


def test_what_caused_an_exception_is_told_too(written: io.StringIO) -> None:
    try:
        try:
            raise KeyError(SAID)
        except KeyError as error:
            raise RuntimeError(SAID) from error
    except RuntimeError:
        structlog.get_logger().exception("failed")
    (line,) = lines(written)
    assert "from KeyError" in list(line["at"])  # type: ignore[call-overload]
    assert SAID not in written.getvalue()


def test_addresses_that_libraries_would_write_down_are_not(written: io.StringIO) -> None:
    logging.getLogger("httpx").info("HTTP Request: GET https://server.example/?key=sk-1")
    logging.getLogger("uvicorn.access").info("GET /conversations?query=%s", SAID)
    assert written.getvalue() == ""


def test_only_what_is_asked_for_is_written(written: io.StringIO) -> None:
    structlog.get_logger().debug("a request")
    assert written.getvalue() == ""
