"""Somebody who plays over the JSON API and looks at the clock."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from dataclasses import dataclass
from http.client import HTTPConnection
from typing import Any

from .house import House
from .prompter import WRAP

REST = 5.0


@dataclass(frozen=True, slots=True)
class Turn:
    """Seconds from the moment the words were sent: until they were safe, until the first and the last of the reply.

    `first_added` and `added` have the model's own time taken off.
    """

    safe: float
    first: float
    whole: float
    first_added: float
    added: float


class Player:
    """Plays one conversation over a connection that stays open."""

    def __init__(self, house: House, conversation_id: str) -> None:
        self._house = house
        self._caller = house.caller()
        self._base = f"/api/v1/conversations/{conversation_id}"
        self._leaf: str | None = None

    def turn(self, text: str) -> Turn:
        """Says something and hears the reply out."""
        body = {"text": text, "expected_leaf": self._leaf or self._read("")["leaf_id"]}
        self._caller.close()
        self._caller.connect()
        began = time.perf_counter()
        arrived: dict[str, float] = {}
        said: list[str] = []
        for name, data in sent(self._caller, f"{self._base}/turns", body):
            arrived.setdefault(name, time.perf_counter() - began)
            if name == "delta":
                said.append(data["text"])
            elif name == "reply":
                self._leaf = data["id"]
            elif name == "error":
                raise RuntimeError(data)
        first_own, own = _own_time("".join(said))
        safe, first, whole = arrived["user"], arrived["delta"], arrived["reply"]
        return Turn(safe, first, whole, first - first_own, whole - own)

    def rest(self) -> None:
        """Waits until what comes after a turn has been done, as somebody does who reads."""
        until = time.monotonic() + REST
        while time.monotonic() < until:
            runs = self._read("/jobs")["items"]
            if not any(run["state"] in ("queued", "running") for run in runs):
                return
            time.sleep(0.02)

    def _read(self, path: str) -> Any:
        return json.loads(fetch(self._caller, self._base + path))


def fetch(caller: HTTPConnection, path: str, headers: dict[str, str] | None = None) -> bytes:
    """The body of a page. Raises RuntimeError when it is not served."""
    caller.request("GET", path, headers=headers or {})
    answer = caller.getresponse()
    body = answer.read()
    if answer.status != 200:
        raise RuntimeError(f"{path} answered {answer.status}: {body[:300]!r}")
    return body


def sent(caller: HTTPConnection, path: str, body: object) -> Iterator[tuple[str, Any]]:
    """The events that answer a POST, as they come."""
    headers = {"content-type": "application/json", "accept": "text/event-stream"}
    caller.request("POST", path, json.dumps(body), headers)
    answer = caller.getresponse()
    if answer.status != 200:
        raise RuntimeError(f"{path} answered {answer.status}: {answer.read()[:300]!r}")
    name = ""
    while line := answer.readline():
        field, _, value = line.decode().rstrip("\r\n").partition(": ")
        if field == "event":
            name = value
        elif field == "data":
            yield name, json.loads(value)
    answer.read()


def _own_time(said: str) -> tuple[float, float]:
    """Seconds the model itself took to its first and to its last word, from what it said (see `prompter`)."""
    first, *rest = said.split()
    asked, spoke = map(int, first.split(":"))
    last = int(rest[-1]) if rest else spoke
    return (spoke - asked) % WRAP / 1e6, (last - asked) % WRAP / 1e6
