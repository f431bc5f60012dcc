"""Only requests that call this server by one of its names come in: no other name can be bound to it (rebinding)."""

from __future__ import annotations

from collections.abc import Iterable
from ipaddress import ip_address

from starlette.types import ASGIApp, Receive, Scope, Send

from liyuan.domain.errors import Refused
from liyuan.settings import Settings, is_loopback


class ForeignHost(Refused):
    type = "foreign-host"
    message = (
        "This server does not go by that name. If it should, add the name to LIYUAN_ALLOWED_HOSTS and start it again."
    )


class HostGuard:
    """Raises ForeignHost for a request whose `Host` is missing, doubled, or no name of ours."""

    def __init__(self, app: ASGIApp, settings: Settings) -> None:
        self.app = app
        self.settings = settings

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] in ("http", "websocket") and not is_ours(host_of(scope["headers"]), self.settings):
            raise ForeignHost
        await self.app(scope, receive, send)


def is_ours(host: str, settings: Settings) -> bool:
    """Whether a name (no port, lower case) is ours. A bare address cannot be rebound: any will do beyond loopback."""
    if not host:
        return False
    if is_loopback(host) or host == settings.host.lower():
        return True
    if any(_fits(host, pattern) for pattern in settings.allowed_hosts):
        return True
    return _is_address(host) and not settings.is_loopback


def host_of(headers: Iterable[tuple[bytes, bytes]]) -> str:
    """The name in the one Host header, without port and brackets; empty when there is none, or more than one."""
    hosts = [value.decode("latin-1") for name, value in headers if name == b"host"]
    if len(hosts) != 1:
        return ""
    host = hosts[0].strip().lower()
    name = host[1:].partition("]")[0] if host.startswith("[") else host.partition(":")[0]
    return name.rstrip(".")


def _fits(host: str, pattern: str) -> bool:
    return host == pattern or pattern == "*" or (pattern.startswith("*.") and host.endswith(pattern[1:]))


def _is_address(host: str) -> bool:
    try:
        ip_address(host)
    except ValueError:
        return False
    return True
