"""The three tools of a story's own context (semantics §8): names, descriptions, schemas, and a guide to their use.

One description for everybody who offers them: the story model inside a turn, and other programs over MCP. English,
since it is models that read it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

TAG: Final = "context_tag"
LOG: Final = "context_log"
CHECKOUT: Final = "context_checkout"


@dataclass(frozen=True, slots=True, kw_only=True)
class Tool:
    """A tool as a model is told of it. `schema` is the JSON schema of its arguments, an object."""

    name: str
    description: str
    schema: Mapping[str, Any]


def object_schema(properties: Mapping[str, Any], required: tuple[str, ...] = ()) -> dict[str, Any]:
    """The JSON schema of a tool's arguments: these properties and no others."""
    return {
        "type": "object",
        "properties": properties,
        "required": list(required),
        "additionalProperties": False,
    }


CONTEXT_TAG: Final = Tool(
    name=TAG,
    description=(
        "Give a place in the conversation a name, so that you can come back to it with context_checkout. Nothing else "
        "changes: no text moves and nothing is forgotten. Tag before you begin something that may turn out to be a "
        "detour, and when something is settled."
    ),
    schema=object_schema(
        {
            "name": {
                "type": "string",
                "description": (
                    "Short and telling, at most 64 characters, such as “before-the-cellar”. A name that stands for "
                    "another place already is refused. “root” is taken: it always names the beginning."
                ),
            },
            "entry": {
                "type": "string",
                "description": "The id of the entry to name, as context_log shows it. Left out: where you are now.",
            },
        },
        ("name",),
    ),
)

CONTEXT_LOG: Final = Tool(
    name=LOG,
    description=(
        "Look at the conversation from above: how full your context is, how far the last tag lies back, and the way "
        "from the beginning to where you are, with its tags, summaries, forks and the ids of its entries. Long "
        "stretches are folded; ask for one with `from` and `to` to read it in full. Changes nothing."
    ),
    schema=object_schema(
        {
            "limit": {
                "type": "integer",
                "minimum": 1,
                "maximum": 500,
                "description": "How many lines to show, counted back from where you are. Left out: 40.",
            },
            "from": {"type": "string", "description": "The id of the first entry of a stretch to read in full."},
            "to": {"type": "string", "description": "The id of the last entry of that stretch."},
        }
    ),
)

CONTEXT_CHECKOUT: Final = Tool(
    name=CHECKOUT,
    description=(
        "Go back to an earlier place and take only a message along. What you leave is filed away: it goes out of your "
        "context and stays in the tree, where it can be returned to. Your message is all you will know of it, so write "
        "down what was learnt, what was decided and what is still open."
    ),
    schema=object_schema(
        {
            "target": {
                "type": "string",
                "description": "A tag, the id of an entry as context_log shows it, or “root” for the beginning.",
            },
            "message": {
                "type": "string",
                "description": (
                    "What you carry over, complete enough to go on from: facts with their names and numbers, "
                    "decisions, open questions. It will stand in your context at the place you go to."
                ),
            },
            "backup_tag": {
                "type": "string",
                "description": "A tag for the place that you leave, so that you can return to it by name.",
            },
        },
        ("target", "message"),
    ),
)

CONTEXT_TOOLS: Final[tuple[Tool, ...]] = (CONTEXT_TAG, CONTEXT_LOG, CONTEXT_CHECKOUT)

GUIDE: Final = """\
You have three tools to keep your own context in order. The conversation is a tree; you see the one path from its \
root to where you are. Nothing on it is ever lost: what you leave stays in the tree and can be returned to.

When to tag (context_tag). Before a detour: a long examination, an attempt that may fail, a scene apart from the \
main thread. After something is settled. Use names that tell what they mark: “before-the-cellar”, “plan-agreed”.

When to look (context_log). When you no longer know what lies behind you, when your context fills up, and always \
before a checkout to an entry that you have no tag for. It costs nothing but its own length.

When to check out (context_checkout). When a detour is over and only its result matters; when an attempt has failed \
and its traces would mislead you; when your context is nearly full of things you need no longer. Do not check out in\
 the middle of something, to be rid of what somebody said, or merely because you can: a few times in a long \
conversation is much.

What a good message holds. You will know nothing of what you left but this message. Write it for somebody who has \
not been there: what was looked for, what was found (names, numbers, places, exact words where they matter), what \
was decided and why, what is still open, and what comes next. Do not write “as discussed above”: there will be no \
above. Give a backup_tag when you may want to come back.

Before: context_tag("before-the-cellar"). Afterwards: context_checkout("before-the-cellar", "We searched the cellar \
for the ledger (about twenty exchanges). It is not there. Found: a brass key marked 7, and that the north wall is \
newer than the rest. Mira knows that we were there; Joss does not. Open: which door the key fits.", \
backup_tag="cellar")."""

STORY_GUIDE: Final = """\
[Your own context. You may use context_tag, context_log and context_checkout while you write a reply; most replies \
need none. Tag the place before a long detour; when it is over and only its result matters, check out to that tag \
with a message that holds all one must still know: what happened counts as played, but you will remember your \
message alone. The reader's last words come along, and you answer them there. “Where you are” is the reader's last \
message. The reader sees each use beside your reply, so never speak of it in the story.]"""
