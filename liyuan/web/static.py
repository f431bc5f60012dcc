"""The browser's files. An address with the hash of its content is kept for ever; any other is asked for again."""

from __future__ import annotations

import hashlib
import os
from functools import lru_cache
from pathlib import Path

from starlette.responses import Response
from starlette.staticfiles import StaticFiles
from starlette.types import Scope

from liyuan.assets import static_dir

FOR_EVER = "public, max-age=31536000, immutable"
ASK_AGAIN = "no-cache"


def static_address(path: str) -> str:
    """`css/base.css` → `/static/css/base.css?v=…`. Raises FileNotFoundError for a file that is not there."""
    return f"/static/{path}?v={_content_hash(path)}"


def _content_hash(path: str) -> str:
    file = static_dir() / path
    return _hash_of(file, file.stat().st_mtime_ns)


@lru_cache(maxsize=512)
def _hash_of(file: Path, _changed: int) -> str:
    return hashlib.sha256(file.read_bytes()).hexdigest()[:12]


class HashedFiles(StaticFiles):
    """StaticFiles that tells the browser how long a file may be kept."""

    def __init__(self) -> None:
        super().__init__(directory=static_dir())

    async def get_response(self, path: str, scope: Scope) -> Response:
        response = await super().get_response(path, scope)
        response.headers["Cache-Control"] = FOR_EVER if self._is_current(path, scope) else ASK_AGAIN
        return response

    @staticmethod
    def _is_current(path: str, scope: Scope) -> bool:
        try:
            current = f"v={_content_hash(path.replace(os.sep, '/'))}"
        except OSError:
            return False
        return bool(scope.get("query_string") == current.encode())
