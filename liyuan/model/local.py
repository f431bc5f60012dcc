"""Looks for model servers on this computer: the usual loopback ports, briefly, all at once, and nowhere else."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

import httpx

from liyuan.model.trial import names_in

_SECONDS: Final = 1.5
USUAL_PORTS: Final[Mapping[int, str]] = {
    11434: "Ollama",
    1234: "LM Studio",
    8080: "llama.cpp",
    5001: "KoboldCpp",
    5000: "text-generation-webui",
    8000: "vLLM",
}
# Who a server says it is, where more than one kind sits on a port.
_OWNERS: Final[Mapping[str, str]] = {
    "tabbyapi": "TabbyAPI",
    "vllm": "vLLM",
    "llamacpp": "llama.cpp",
    "koboldcpp": "KoboldCpp",
    "library": "Ollama",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """A server that answered as an OpenAI-compatible one. `models` is empty when it wants a key first."""

    kind: str
    base_url: str
    models: tuple[str, ...]


async def find_local(ports: Mapping[int, str] | None = None, *, host: str = "127.0.0.1") -> list[Found]:
    """Every server found, in the order of the ports. Never raises for a port that is silent or speaks otherwise."""
    asked = USUAL_PORTS if ports is None else ports
    async with httpx.AsyncClient(timeout=httpx.Timeout(_SECONDS), trust_env=False) as client:
        answers = await asyncio.gather(*(_ask(client, host, port, kind) for port, kind in asked.items()))
    return [found for found in answers if found is not None]


async def _ask(client: httpx.AsyncClient, host: str, port: int, kind: str) -> Found | None:
    base_url = f"http://{host}:{port}/v1"
    try:
        answer = await client.get(f"{base_url}/models")
        listed = answer.json()
    except (httpx.HTTPError, ValueError):
        return None
    if answer.status_code in (401, 403):
        # Of the two that live on port 5000, TabbyAPI is the one that asks for a key by default.
        return Found(kind="TabbyAPI" if port == 5000 else kind, base_url=base_url, models=())
    names = names_in(listed) if answer.status_code == 200 else None
    return None if names is None else Found(kind=_kind(listed, kind), base_url=base_url, models=tuple(names))


def _kind(listed: Any, usual: str) -> str:
    """The kind by what the first entry says of itself, else the one that is usual on this port."""
    entries = listed.get("data") if isinstance(listed, dict) else None
    entry = entries[0] if isinstance(entries, list) and entries and isinstance(entries[0], dict) else {}
    if str(entry.get("id", "")).startswith("koboldcpp/"):
        return "KoboldCpp"
    return _OWNERS.get(str(entry.get("owned_by", "")).lower(), usual)
