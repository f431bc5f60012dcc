"""Tools for programs that keep their context in a tree of ours: what makes it a store, beside `context_tools`.

English, since it is models that read it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Final

from liyuan.domain.context_tools import CONTEXT_CHECKOUT, CONTEXT_LOG, CONTEXT_TAG, GUIDE, Tool, object_schema

LIST: Final = "conversation_list"
CREATE: Final = "conversation_create"
APPEND: Final = "message_append"
READ: Final = "branch_read"

PAGE: Final = 50
LONGEST_PAGE: Final = 200
SHELF: Final = 20
LONGEST_SHELF: Final = 100
LONGEST_TITLE: Final = 200

_EXPECTED_LEAF: Final = (
    "The entry that you believe to be the last one: the `leaf` that the last answer told you. If the conversation has "
    "moved on meanwhile, nothing is written and you are told where it is."
)


def _object(required: tuple[str, ...] = (), **properties: Mapping[str, Any]) -> dict[str, Any]:
    return object_schema(properties, required)


CONVERSATION_LIST: Final = Tool(
    name=LIST,
    description="List the conversations of this store, the latest first, with their ids, titles and last words.",
    schema=_object(
        query={"type": "string", "maxLength": 500, "description": "Only those that hold these words somewhere."},
        limit={
            "type": "integer",
            "minimum": 1,
            "maximum": LONGEST_SHELF,
            "description": f"How many. Left out: {SHELF}.",
        },
        cursor={"type": "string", "maxLength": 200, "description": "The `next` of the answer before, for more."},
    ),
)

CONVERSATION_CREATE: Final = Tool(
    name=CREATE,
    description="Begin a new, empty conversation and get its id. Its leaf is null until the first message is appended.",
    schema=_object(
        ("title",),
        title={
            "type": "string",
            "minLength": 1,
            "maxLength": LONGEST_TITLE,
            "description": "What it is about, for whoever looks for it later.",
        },
    ),
)

MESSAGE_APPEND: Final = Tool(
    name=APPEND,
    description=(
        "Write one message down at the end of the present path, word for word. No model answers it: you record what "
        "was said elsewhere. The new entry becomes the leaf."
    ),
    schema=_object(
        ("role", "text", "expected_leaf"),
        role={"type": "string", "enum": ["user", "assistant"], "description": "Who said it."},
        text={"type": "string", "minLength": 1, "description": "What was said."},
        expected_leaf={
            "type": ["string", "null"],
            "description": _EXPECTED_LEAF + " Null for an empty conversation.",
        },
    ),
)

BRANCH_READ: Final = Tool(
    name=READ,
    description=(
        "Read the last entries of the present path in full, from the upper one to the leaf. What was left by a "
        "checkout is not on it; read that by giving its last entry as `leaf`."
    ),
    schema=_object(
        limit={
            "type": "integer",
            "minimum": 1,
            "maximum": LONGEST_PAGE,
            "description": f"How many entries. Left out: {PAGE}.",
        },
        before={"type": "string", "description": "The `prev` of the answer before, for the entries above those."},
        leaf={"type": "string", "description": "Read up from this entry, on whichever branch. Left out: the leaf."},
    ),
)


def with_guard(tool: Tool) -> Tool:
    """The tool with an `expected_leaf` that may be left out, for writers who are not alone."""
    words = _EXPECTED_LEAF + " Left out: go from wherever the conversation is now."
    return _with(tool, "expected_leaf", {"type": "string", "description": words})


def in_conversation(tool: Tool, default: str | None) -> Tool:
    """The tool with the argument that names a conversation, required where there is no default."""
    words = "The id of the conversation, as conversation_list shows it."
    if default is None:
        return _with(tool, "conversation", {"type": "string", "description": words}, is_required=True)
    return _with(tool, "conversation", {"type": "string", "description": f"{words} Left out: {default}."})


def _with(tool: Tool, name: str, described: Mapping[str, Any], *, is_required: bool = False) -> Tool:
    required = [name, *tool.schema["required"]] if is_required else tool.schema["required"]
    properties = {name: described, **tool.schema["properties"]}
    return replace(tool, schema={**tool.schema, "properties": properties, "required": required})


#: About the shelf as a whole, and about one conversation.
SHELF_TOOLS: Final[tuple[Tool, ...]] = (CONVERSATION_LIST, CONVERSATION_CREATE)
TREE_TOOLS: Final[tuple[Tool, ...]] = (
    MESSAGE_APPEND,
    BRANCH_READ,
    CONTEXT_TAG,
    CONTEXT_LOG,
    with_guard(CONTEXT_CHECKOUT),
)

STORE_GUIDE: Final = """\
This server keeps conversations as trees, for you and for others at the same time. It answers nothing by itself: you \
append what was said, and it keeps every path.

Begin with conversation_list, or conversation_create for something new. Append each message as it is said \
(message_append), the user's and your own. Every answer tells the `leaf`, the last entry of the present path: give it \
as expected_leaf with the next append. If somebody else was quicker, nothing is written; read what is new with \
branch_read, think again, and append at the new leaf if that still makes sense.

After a checkout, what you work from is the path as it is then: read it with branch_read, and go on from there as if \
the rest had not been said. When you come back after a pause, look at context_log first."""

MCP_GUIDE: Final = f"{STORE_GUIDE}\n\n{GUIDE}"
