"""Serving the MCP server: over the standard streams to the program that started it, or over HTTP to several.

Loaded by the one command that needs it, since the protocol's library takes a second to import.
"""

from __future__ import annotations

from mcp.server.stdio import stdio_server
from mcp.server.transport_security import TransportSecuritySettings
from starlette.types import ASGIApp

from liyuan.domain.entry import ConversationId
from liyuan.mcp.door import Door
from liyuan.mcp.hearing import readable
from liyuan.mcp.server import context_server
from liyuan.settings import Settings

PATH = "/mcp"


async def over_stdio(settings: Settings, conversation: ConversationId | None = None) -> None:
    """Answers on the standard output until the standard input ends."""
    server = context_server(settings, conversation)
    async with stdio_server() as (heard, said), readable(heard, said) as messages:
        await server.run(messages, said, server.create_initialization_options())


def over_http(settings: Settings, conversation: ConversationId | None = None) -> ASGIApp:
    """Streamable HTTP at `/mcp`, without sessions: a restart is no trouble to those who are connected.

    `settings.host` is where it will listen. The library's own check of hosts is off: `Door` knows all our names.
    """
    app = context_server(settings, conversation).streamable_http_app(
        streamable_http_path=PATH,
        json_response=True,
        stateless_http=True,
        max_request_body_size=settings.body_limit,
        transport_security=TransportSecuritySettings(enable_dns_rebinding_protection=False),
    )
    return Door(app, settings)
