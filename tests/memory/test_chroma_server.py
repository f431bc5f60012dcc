"""Vectors on a Chroma server, as LIYUAN_CHROMA_URL names one: the same answers, and a server that is away is told."""

from __future__ import annotations

import gc
import socket
import sys
import time
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from subprocess import DEVNULL, Popen
from urllib.error import URLError
from urllib.request import urlopen

import pytest

from liyuan.memory.chroma import ChromaVectors
from liyuan.memory.recall import StoreFailed
from tests.memory.test_chroma import finds_what_comparing_finds, vectors

# Besides what the library says of itself at import: its client leaves lines to the server for the collector to close.
pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::pytest.PytestUnraisableExceptionWarning")
PATIENCE = 60


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The server that comes with the library."""
    folder = tmp_path_factory.mktemp("chroma")
    with socket.socket() as some:
        some.bind(("127.0.0.1", 0))
        port = some.getsockname()[1]
    command = [str(Path(sys.executable).with_name("chroma")), "run", "--host", "127.0.0.1", "--port", str(port)]
    running = Popen([*command, "--path", str(folder)], cwd=folder, stdout=DEVNULL, stderr=DEVNULL)
    try:
        yield waited_for(f"http://127.0.0.1:{port}", running)
    finally:
        running.terminate()
        running.wait(PATIENCE)


def waited_for(url: str, running: Popen[bytes]) -> str:
    until = time.monotonic() + PATIENCE
    while running.poll() is None and time.monotonic() < until:
        try:
            with urlopen(f"{url}/api/v2/heartbeat", timeout=5):
                return url
        except URLError:
            time.sleep(0.1)
    raise AssertionError("the server did not come up")


@pytest.fixture
async def store(server: str, tmp_path: Path) -> AsyncIterator[ChromaVectors]:
    made = ChromaVectors(tmp_path / "unused", server, short=20)
    yield made
    for shelf in await made.shelves():
        await made.drop(shelf)
    await made.close()
    del made
    gc.collect()
    assert not (tmp_path / "unused").exists(), "nothing is kept here"


@pytest.mark.parametrize("allowed", [5, 200])
async def test_a_server_finds_what_the_embedded_store_finds(store: ChromaVectors, allowed: int) -> None:
    await finds_what_comparing_finds(store, allowed)


async def test_what_is_erased_is_found_no_more(store: ChromaVectors) -> None:
    kept = vectors(60)
    await store.add("story", kept)
    await store.erase("story", [7])
    assert await store.held("story") == set(kept) - {7}
    assert await store.count("story") == 59
    assert 7 not in [near.id for near in await store.around("story", kept[7], 60)]


async def test_shelves_come_and_go(store: ChromaVectors) -> None:
    assert await store.is_there()
    assert await store.count("story") == 0
    await store.add("story", vectors(3))
    await store.add("other", vectors(2))
    assert await store.shelves() == {"story", "other"}
    await store.drop("story")
    assert await store.shelves() == {"other"}


async def test_a_server_that_is_away_is_told_and_nothing_is_given_up(tmp_path: Path) -> None:
    with socket.socket() as some:
        some.bind(("127.0.0.1", 0))
        nowhere = f"http://127.0.0.1:{some.getsockname()[1]}"
    store = ChromaVectors(tmp_path, nowhere)
    with pytest.raises(StoreFailed, match="Chroma"):
        await store.count("story")
    assert not await store.mend("story"), "what a server keeps is not ours to throw away"
    await store.close()
