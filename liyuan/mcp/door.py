"""The door of the HTTP endpoint: our names only, no foreign pages, and the password where one is set.

The same rules as for the pages and the API. Whoever is turned away hears why, in JSON.
"""

from __future__ import annotations

from starlette.datastructures import Headers
from starlette.responses import JSONResponse, Response
from starlette.types import ASGIApp, Receive, Scope, Send

from liyuan.domain.errors import Throttled
from liyuan.settings import Settings
from liyuan.web.gate import has_bearer
from liyuan.web.hosts import ForeignHost, host_of, is_ours
from liyuan.web.origins import ForeignOrigin, is_same_origin
from liyuan.web.password import Password

ASKS = {"WWW-Authenticate": 'Bearer realm="liyuan"'}


class Door:
    """Lets a request in, or answers it."""

    def __init__(self, app: ASGIApp, settings: Settings) -> None:
        self.app = app
        self.settings = settings
        self.password = Password(settings.password.get_secret_value()) if settings.password else None

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        refusal = await self._refusal(scope) if scope["type"] == "http" else None
        await (refusal or self.app)(scope, receive, send)

    async def _refusal(self, scope: Scope) -> Response | None:
        if not is_ours(host_of(scope["headers"]), self.settings):
            return _told(421, ForeignHost.type, ForeignHost.message)
        if not is_same_origin(Headers(scope=scope)):
            return _told(403, ForeignOrigin.type, ForeignOrigin.message)
        try:
            is_known = self.password is None or await has_bearer(scope, self.password)
        except Throttled as error:
            return _told(429, error.type, str(error), {"Retry-After": str(error.fields["seconds"])})
        words = "This server asks for its password: send it as `Authorization: Bearer …`."
        return None if is_known else _told(401, "locked", words, ASKS)


def _told(status: int, kind: str, words: str, headers: dict[str, str] | None = None) -> Response:
    return JSONResponse({"error": kind, "message": words}, status, headers)
