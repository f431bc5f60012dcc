"""A liyuan server in a process of its own, on a folder of its own, as a person would start it."""

from __future__ import annotations

import http.client
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path

PATIENCE = 120.0


@dataclass
class House:
    """A running server. `port` is where, `process` what runs."""

    port: int
    process: subprocess.Popen[bytes]

    def caller(self) -> http.client.HTTPConnection:
        """A connection that stays open."""
        return http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)

    @property
    def resident(self) -> int:
        """Bytes of memory the process holds."""
        pages = Path(f"/proc/{self.process.pid}/statm").read_text(encoding="ascii").split()[1]
        return int(pages) * os.sysconf("SC_PAGE_SIZE")

    @property
    def processor(self) -> float:
        """Seconds of processor time the process has used."""
        fields = Path(f"/proc/{self.process.pid}/stat").read_text(encoding="ascii").rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def wait_until_quiet(self) -> None:
        """Waits until what a server does after its first page (libraries loaded, the queue woken) is done."""
        until, quiet = time.monotonic() + PATIENCE, 0
        while time.monotonic() < until and quiet < 4:
            before = self.processor
            time.sleep(1)
            quiet = quiet + 1 if self.processor - before < 0.05 else 0

    def end(self) -> None:
        self.process.send_signal(signal.SIGTERM)
        self.process.wait(PATIENCE)


@contextmanager
def open_house(folder: Path, **settings: object) -> Iterator[House]:
    """Serves from `folder` until left. Settings are those of the environment, without their prefix: `model_name=…`."""
    house = start(folder, **settings)
    try:
        wait_for_page(house, "/healthz")
        yield house
    finally:
        house.end()


def start(folder: Path, **settings: object) -> House:
    """Starts a server and does not wait for it."""
    port = _free_port()
    given = {f"LIYUAN_{name.upper()}": str(value) for name, value in settings.items()}
    kept = {name: value for name, value in os.environ.items() if not name.startswith("LIYUAN_")}
    environment = kept | {"LIYUAN_DATA_DIR": str(folder), "LIYUAN_PORT": str(port), "LIYUAN_LOG_LEVEL": "error"} | given
    command = [sys.executable, "-m", "liyuan.cli", "serve"]
    return House(port, subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL))


def wait_for_page(house: House, path: str) -> bytes:
    """Asks until a page is served. Raises TimeoutError."""
    until = time.monotonic() + PATIENCE
    while time.monotonic() < until:
        try:
            with closing(house.caller()) as caller:
                caller.request("GET", path)
                answer = caller.getresponse()
                body = answer.read()
            if answer.status == 200:
                return body
            raise RuntimeError(f"{path} answered {answer.status}: {body[:200]!r}")
        except ConnectionError:
            if house.process.poll() is not None:
                raise RuntimeError("the server ended by itself") from None
            time.sleep(0.005)
    raise TimeoutError(path)


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])
