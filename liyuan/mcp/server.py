"""The MCP server: which tools and which prompt it offers, and how it answers. A refusal is an answer, in plain words.

Transports are `serving`'s. What a tool does is `acts`'; what models are told of it is the domain's.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from contextlib import AbstractAsyncContextManager
from importlib.metadata import version
from typing import Any, Final, TypeAlias

from jsonschema import Draft202012Validator  # type: ignore[import-untyped]
from mcp.server.context import ServerRequestContext
from mcp.server.lowlevel.server import Server
from mcp.shared.exceptions import MCPError
from mcp_types import (
    INVALID_PARAMS,
    CallToolRequestParams,
    CallToolResult,
    GetPromptRequestParams,
    GetPromptResult,
    ListPromptsResult,
    ListToolsResult,
    PaginatedRequestParams,
    Prompt,
    PromptMessage,
    TextContent,
    ToolAnnotations,
)
from mcp_types import Tool as Offered

from liyuan.domain import context_tools, conversation_tools
from liyuan.domain.context_tools import Tool
from liyuan.domain.conversation_tools import MCP_GUIDE, SHELF_TOOLS, STORE_GUIDE, TREE_TOOLS, in_conversation
from liyuan.domain.entry import ConversationId
from liyuan.domain.errors import LeafMoved, LiyuanError
from liyuan.mcp.acts import IN_A_TREE, ON_THE_SHELF, Answer, Given
from liyuan.resources import Resources, open_resources
from liyuan.settings import Settings
from liyuan.store.conversations import load_conversation

Asked: TypeAlias = ServerRequestContext[Resources]

PROMPT = "context_guide"
PROMPT_WORDS: Final = "How to keep your context in a tree: when to tag, when to check out, what a good message holds."
READERS = frozenset({conversation_tools.LIST, conversation_tools.READ, context_tools.LOG})


def context_server(settings: Settings, conversation: ConversationId | None = None) -> Server[Resources]:
    """A server over the stories of `settings`. `conversation` is meant where a call names none.

    Memory stays closed: its index is for one process, and that is `liyuan serve`.
    """
    quiet = settings.model_copy(update={"embeddings": "off"})
    tools = {tool.name: tool for tool in _tools(conversation)}

    def lifespan(_: Server[Resources]) -> AbstractAsyncContextManager[Resources]:
        return open_resources(quiet)

    async def list_tools(_asked: Asked, _page: PaginatedRequestParams | None) -> ListToolsResult:
        return ListToolsResult(tools=[_offered(tool) for tool in tools.values()])

    async def call_tool(asked: Asked, call: CallToolRequestParams) -> CallToolResult:
        tool = tools.get(call.name)
        if tool is None:
            raise MCPError(code=INVALID_PARAMS, message=f"There is no tool “{call.name}”.")
        return await _called(asked.lifespan_context, tool, call.arguments or {}, conversation)

    return Server(
        "liyuan",
        title="Liyuan",
        version=version("liyuan"),
        instructions=f"{STORE_GUIDE}\n\nThe prompt {PROMPT} holds the whole guide.",
        lifespan=lifespan,
        on_list_tools=list_tools,
        on_call_tool=call_tool,
        on_list_prompts=_list_prompts,
        on_get_prompt=_tell_prompt,
    )


def _tools(conversation: ConversationId | None) -> tuple[Tool, ...]:
    return (*SHELF_TOOLS, *(in_conversation(tool, conversation) for tool in TREE_TOOLS))


def _offered(tool: Tool) -> Offered:
    hints = ToolAnnotations(
        read_only_hint=tool.name in READERS,
        destructive_hint=False,  # Nothing is ever lost by a call.
        open_world_hint=False,
    )
    return Offered(name=tool.name, description=tool.description, input_schema=dict(tool.schema), annotations=hints)


async def _called(
    resources: Resources, tool: Tool, given: Given, conversation: ConversationId | None
) -> CallToolResult:
    if wrong := _misfits(tool, given):
        return _refused({"error": "invalid", "message": f"{wrong} Nothing was changed."})
    try:
        return _answered(await _act(resources, tool.name, given, conversation))
    except LiyuanError as error:
        return _refused(_explained(error))


async def _act(resources: Resources, name: str, given: Given, conversation: ConversationId | None) -> Answer:
    if shelf_act := ON_THE_SHELF.get(name):
        return await shelf_act(resources, given)
    conversation_id = ConversationId(given.get("conversation") or conversation or "")
    await resources.database.read(load_conversation, conversation_id)
    return await IN_A_TREE[name](resources, conversation_id, given)


def _misfits(tool: Tool, given: Given) -> str:
    """What is wrong with the arguments, in a sentence each; empty when nothing is."""
    faults = Draft202012Validator(tool.schema).iter_errors(given)
    said = [f"{'.'.join(map(str, fault.absolute_path)) or 'arguments'}: {fault.message[:200]}." for fault in faults]
    said += [f"{name}: a text cannot hold a zero byte." for name, value in given.items() if "\0" in str(value)]
    return " ".join(said)


def _explained(error: LiyuanError) -> Answer:
    told = {name: value for name, value in error.fields.items() if isinstance(value, str | int | None)}
    return {"error": error.type, "message": _words(error), **told}


def _words(error: LiyuanError) -> str:
    """What happened and what to do next. Most errors say so; this one speaks of a page, and here there is none."""
    if not isinstance(error, LeafMoved):
        return str(error)
    return (
        f"The conversation has moved on: its leaf is {error.fields['leaf_id']}, and you expected "
        f"{error.fields['expected_leaf']}. Nothing was changed. Read what is new with {conversation_tools.READ} or "
        f"{context_tools.LOG}, then call again with the present leaf if that still makes sense."
    )


def _answered(answer: Answer) -> CallToolResult:
    return CallToolResult(content=[_text(answer)], structured_content=answer)


def _refused(answer: Answer) -> CallToolResult:
    words = TextContent(type="text", text=str(answer["message"]))
    return CallToolResult(content=[words], structured_content=answer, is_error=True)


def _text(answer: Mapping[str, Any]) -> TextContent:
    return TextContent(type="text", text=json.dumps(answer, ensure_ascii=False))


async def _list_prompts(_asked: Asked, _page: PaginatedRequestParams | None) -> ListPromptsResult:
    return ListPromptsResult(prompts=[Prompt(name=PROMPT, title="Context guide", description=PROMPT_WORDS)])


async def _tell_prompt(_asked: Asked, wish: GetPromptRequestParams) -> GetPromptResult:
    if wish.name != PROMPT:
        raise MCPError(code=INVALID_PARAMS, message=f"There is no prompt “{wish.name}”.")
    message = PromptMessage(role="user", content=TextContent(type="text", text=MCP_GUIDE))
    return GetPromptResult(description=PROMPT_WORDS, messages=[message])
