"""The server of a browser test, and what a test looks at with other eyes: accessibility, width, pictures for people."""

from __future__ import annotations

import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import uvicorn
from fastapi import FastAPI
from playwright.sync_api import Page

from liyuan.app import create_app
from liyuan.model.chat import ChatModel
from liyuan.resources import Backstage
from liyuan.settings import Settings
from tests.house.repository import ROOT
from tests.routes import sharing_routes

AXE = ROOT / "node_modules/axe-core/axe.min.js"
SCREENSHOTS = ROOT / "screenshots"
#: On a phone or not, dark or not, in which language: every two of these come together in one of four.
LOOKS = ((False, False, "en"), (False, True, "zh"), (True, False, "zh"), (True, True, "en"))


@dataclass(frozen=True)
class House:
    """A server that is up. `url` has no path."""

    url: str
    app: FastAPI
    data: Path


@contextmanager
def serving(
    data: Path, model: ChatModel | None = None, *, worker: Backstage | None = None, **given: Any
) -> Iterator[House]:
    """A server in a thread on a free port; with `model`, that one plays in place of the understudy.

    Only with a `worker` is anything done after a turn.
    """
    app = sharing_routes(create_app(Settings(data_dir=data, _env_file=None, **given), model=model, worker=worker))
    with socket.socket() as line:
        line.bind(("127.0.0.1", 0))
        config = uvicorn.Config(app, log_level="error", lifespan="on", timeout_graceful_shutdown=2)
        server = uvicorn.Server(config)
        thread = threading.Thread(target=server.run, kwargs={"sockets": [line]})
        thread.start()
        try:
            while not server.started and thread.is_alive():
                thread.join(0.01)
            yield House(f"http://127.0.0.1:{line.getsockname()[1]}", app, data)
        finally:
            server.should_exit = True
            thread.join()


def faults(page: Page) -> list[str]:
    """What axe finds wrong with the page as it stands, one line for each element."""
    page.wait_for_timeout(250)  # Colours that still change are measured wrongly.
    page.evaluate(AXE.read_text(encoding="utf-8") + "; true")
    result = page.evaluate("axe.run(document, {resultTypes: ['violations']})")
    return [
        f"{violation['id']}: {' '.join(map(str, node['target']))}: {node['failureSummary']}"
        for violation in result["violations"]
        for node in violation["nodes"]
    ]


def overflow(page: Page) -> int:
    """How many pixels the page is wider than the window."""
    return int(page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth"))


def ground(page: Page) -> str:
    """The colour that everything lies on."""
    return str(page.evaluate("getComputedStyle(document.documentElement).backgroundColor"))


def shoot(page: Page, name: str, *, whole: bool = False) -> None:
    """Keeps a picture for people in `screenshots/`."""
    SCREENSHOTS.mkdir(exist_ok=True)
    page.screenshot(path=SCREENSHOTS / f"{name}.png", full_page=whole)
