"""A conversation as a store for other agents: what each tool does, and what it says when it does nothing."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from mcp.shared.exceptions import MCPError

from liyuan.domain.context_tools import CONTEXT_TOOLS, GUIDE
from liyuan.domain.entry import ConversationId
from liyuan.store.conversations import delete
from liyuan.store.database import Database
from liyuan.store.verify import verify
from tests.mcp.clients import Agent, beside


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "data"


@pytest.fixture
async def agent(folder: Path) -> AsyncIterator[Agent]:
    """Connected in a task of its own: a fixture may end in another task than it began in, and a client may not."""
    connected: asyncio.Future[Agent] = asyncio.get_running_loop().create_future()
    over = asyncio.Event()

    async def stay() -> None:
        async with beside(folder) as made:
            connected.set_result(made)
            await over.wait()

    staying = asyncio.create_task(stay())
    yield await connected
    over.set()
    await staying


@pytest.fixture
async def conversation(agent: Agent) -> str:
    """An empty one, by its id."""
    return str((await agent.ask("conversation_create", title="Cellar"))["conversation"])


async def texts(agent: Agent, conversation: str) -> list[str]:
    return [entry["text"] for entry in (await agent.ask("branch_read", conversation=conversation))["entries"]]


async def test_the_tools_are_those_that_the_story_model_has_and_what_makes_a_store(agent: Agent) -> None:
    offered = {tool.name: tool for tool in (await agent.client.list_tools()).tools}
    assert {"conversation_list", "conversation_create", "message_append", "branch_read"} < offered.keys()
    for tool in CONTEXT_TOOLS:
        assert offered[tool.name].description == tool.description
        properties = offered[tool.name].input_schema["properties"]
        assert tool.schema["properties"].items() <= properties.items()
        assert "conversation" in offered[tool.name].input_schema["required"]


async def test_the_guide_for_models_is_a_prompt(agent: Agent) -> None:
    (prompt,) = (await agent.client.list_prompts()).prompts
    (message,) = (await agent.client.get_prompt(prompt.name)).messages
    assert GUIDE in message.content.text  # type: ignore[union-attr]
    assert "expected_leaf" in message.content.text  # type: ignore[union-attr]


async def test_a_new_conversation_is_listed_and_begins_empty(agent: Agent, conversation: str) -> None:
    listed = (await agent.ask("conversation_list"))["conversations"]
    assert [(one["conversation"], one["title"], one["leaf"]) for one in listed] == [(conversation, "Cellar", None)]
    assert (await agent.ask("branch_read", conversation=conversation))["entries"] == []


async def test_the_list_is_turned_page_by_page_and_searched(agent: Agent) -> None:
    for title in ("one", "two", "three"):
        await agent.ask("conversation_create", title=title)
    first = await agent.ask("conversation_list", limit=2)
    then = await agent.ask("conversation_list", limit=2, cursor=first["next"])
    assert [one["title"] for one in first["conversations"] + then["conversations"]] == ["three", "two", "one"]
    assert then["next"] is None
    assert [one["title"] for one in (await agent.ask("conversation_list", query="tw"))["conversations"]] == ["two"]


async def test_a_title_stands_on_one_line_and_a_blank_one_is_none(agent: Agent) -> None:
    given = (" The cellar\nand the key ", " \n ")
    assert [(await agent.ask("conversation_create", title=title))["title"] for title in given] == [
        "The cellar and the key",
        "",
    ]


async def test_messages_are_kept_word_for_word(agent: Agent, conversation: str) -> None:
    said = ["  {{user}} asks:\n\n```\nx = {{roll:d6}}\n```", "It is 4. 是四。"]
    await agent.tell(conversation, *said)
    assert await texts(agent, conversation) == said


async def test_a_branch_is_read_page_by_page(agent: Agent, conversation: str) -> None:
    await agent.tell(conversation, "a", "b", "c", "d", "e")
    last = await agent.ask("branch_read", conversation=conversation, limit=3)
    above = await agent.ask("branch_read", conversation=conversation, limit=3, before=last["prev"])
    assert [entry["text"] for entry in above["entries"] + last["entries"]] == ["a", "b", "c", "d", "e"]
    assert above["prev"] is None


async def test_a_detour_is_filed_away_and_its_result_carried_over(agent: Agent, conversation: str) -> None:
    asked, _ = await agent.tell(conversation, "Where is the ledger?", "Let me look in the cellar.")
    leaf = (await agent.ask("branch_read", conversation=conversation))["leaf"]
    assert (await agent.ask("context_tag", conversation=conversation, name="before"))["entry"] == leaf
    *_, far = await agent.tell(conversation, "Search!", "Barrels.", "And behind?", "A key marked 7.", leaf=leaf)
    done = await agent.ask(
        "context_checkout",
        conversation=conversation,
        target="before",
        message="The cellar holds a key marked 7, no ledger.",
        backup_tag="cellar",
    )
    assert (done["target"], done["left"]) == (leaf, far)
    read = await agent.ask("branch_read", conversation=conversation)
    assert [entry["text"] for entry in read["entries"]] == [
        "Where is the ledger?",
        "Let me look in the cellar.",
        "The cellar holds a key marked 7, no ledger.",
    ]
    assert read["entries"][-1]["from"] == far
    left = await agent.ask("branch_read", conversation=conversation, leaf=done["left"])
    assert left["entries"][-1]["text"] == "A key marked 7."
    assert left["leaf"] == read["leaf"] == done["leaf"], "where the next append goes on"
    back = await agent.ask("context_checkout", conversation=conversation, target="cellar", message="Look again.")
    assert back["target"] == far
    assert (await texts(agent, conversation))[-2:] == ["A key marked 7.", "Look again."]
    assert asked


async def test_pages_of_two_branches_are_not_read_as_one(agent: Agent, conversation: str) -> None:
    ids = await agent.tell(conversation, "One.", "Two.", "Three.", "Four.")
    last = await agent.ask("branch_read", conversation=conversation, limit=1)
    await agent.ask("context_checkout", conversation=conversation, target=ids[0], message="Back.")
    refused = await agent.refusal("branch_read", conversation=conversation, limit=1, before=last["prev"])
    assert refused["entry_id"] == last["prev"]
    whole = await agent.ask("branch_read", conversation=conversation, limit=1, before=last["prev"], leaf=ids[-1])
    assert [entry["text"] for entry in whole["entries"]] == ["Three."]


async def test_the_log_shows_the_way_with_its_tags_and_how_full_the_context_is(agent: Agent, conversation: str) -> None:
    ids = await agent.tell(conversation, "one", "two", "three", "four")
    await agent.ask("context_tag", conversation=conversation, name="early", entry=ids[1])
    told = await agent.ask("context_log", conversation=conversation)
    board = told["dashboard"]
    assert (board["steps"], board["tag"], board["depth"]) == (2, "early", 3)
    assert 0 < board["tokens"] < board["window"]
    assert told["tags"] == {"early": ids[1]}
    assert told["leaf"] == ids[-1]
    assert "[early]" in told["log"] and "HEAD" in told["log"] and f"{board['tokens']} of" in told["log"]


async def test_a_stretch_of_the_log_is_told_in_full(agent: Agent, conversation: str) -> None:
    long = "A long account of the inn. " * 40
    ids = await agent.tell(conversation, "one", long, *("more",) * 8)
    assert long.strip() not in (await agent.ask("context_log", conversation=conversation))["log"]
    stretch = await agent.ask("context_log", conversation=conversation, from_=ids[1], to=ids[1])
    assert long.strip() in stretch["log"]


async def test_whoever_was_slower_is_told_where_the_conversation_is(agent: Agent, conversation: str) -> None:
    first, second = await agent.tell(conversation, "one", "two")
    told = await agent.refusal(
        "message_append", conversation=conversation, role="user", text="late", expected_leaf=first
    )
    assert told["error"] == "leaf-moved"
    assert told["leaf_id"] == second
    assert second in told["message"] and "page" not in told["message"]
    assert await texts(agent, conversation) == ["one", "two"]


async def test_a_checkout_from_a_place_that_is_no_longer_the_leaf_goes_nowhere(agent: Agent, conversation: str) -> None:
    ids = await agent.tell(conversation, "one", "two", "three")
    given = {"conversation": conversation, "target": "root", "message": "Back."}
    told = await agent.refusal("context_checkout", **given, expected_leaf=ids[1])
    assert told["leaf_id"] == ids[2]
    assert (await agent.ask("context_checkout", **given, expected_leaf=ids[2]))["target"] == ids[0]


async def test_a_target_that_is_nowhere_is_named(agent: Agent, conversation: str) -> None:
    await agent.tell(conversation, "one", "two")
    told = await agent.refusal("context_checkout", conversation=conversation, target="attic", message="Off.")
    assert told["error"] == "not-found"
    assert "“attic”" in told["message"]


async def test_a_tag_that_stands_for_another_place_is_not_moved(agent: Agent, conversation: str) -> None:
    ids = await agent.tell(conversation, "one", "two")
    await agent.ask("context_tag", conversation=conversation, name="here", entry=ids[0])
    told = await agent.refusal("context_tag", conversation=conversation, name="here")
    assert "here" in told["message"]
    assert (await agent.ask("context_log", conversation=conversation))["tags"] == {"here": ids[0]}


@pytest.mark.parametrize(
    ("tool", "given", "word"),
    [
        ("message_append", {"role": "system", "text": "x", "expected_leaf": None}, "role"),
        ("message_append", {"role": "user", "text": "x"}, "expected_leaf"),
        ("message_append", {"role": "user", "text": "\0", "expected_leaf": None}, "zero byte"),
        ("message_append", {"role": "user", "text": " \n", "expected_leaf": None}, "empty"),
        ("message_append", {"role": "user", "text": "x" * 200_001, "expected_leaf": None}, "200001"),
        ("context_log", {"limit": 0}, "limit"),
        ("context_log", {"since": "x"}, "since"),
        ("branch_read", {"leaf": "none"}, "none"),
    ],
)
async def test_arguments_that_do_not_fit_are_told_and_change_nothing(
    agent: Agent, conversation: str, tool: str, given: dict[str, object], word: str
) -> None:
    assert word in (await agent.refusal(tool, conversation=conversation, **given))["message"]
    assert await texts(agent, conversation) == []


async def test_a_conversation_must_be_named_where_none_is_meant(agent: Agent) -> None:
    assert "conversation" in (await agent.refusal("branch_read"))["message"]
    assert "no-such" in (await agent.refusal("branch_read", conversation="no-such"))["message"]


async def test_a_conversation_that_was_deleted_is_not_there(agent: Agent, conversation: str, folder: Path) -> None:
    await agent.tell(conversation, "one")
    database = Database(f"sqlite:///{folder / 'liyuan.sqlite3'}")
    with database.writing_now() as connection:
        delete(connection, ConversationId(conversation))
    database.close()
    for tool, given in (("context_tag", {"name": "x"}), ("context_log", {}), ("branch_read", {})):
        assert (await agent.refusal(tool, conversation=conversation, **given))["error"] == "not-found"


async def test_the_conversation_that_is_meant_need_not_be_named(agent: Agent, conversation: str, folder: Path) -> None:
    async with beside(folder, ConversationId(conversation)) as other:
        tools = {tool.name: tool for tool in (await other.client.list_tools()).tools}
        assert "conversation" not in tools["context_log"].input_schema["required"]
        await other.ask("message_append", role="user", text="one", expected_leaf=None)
        assert (await other.ask("context_log"))["conversation"] == conversation
    assert await texts(agent, conversation) == ["one"]


async def test_a_tool_or_a_prompt_that_is_not_offered_is_a_fault_of_the_protocol(agent: Agent) -> None:
    with pytest.raises(MCPError, match="context_burn"):
        await agent.client.call_tool("context_burn", {})
    with pytest.raises(MCPError, match="other"):
        await agent.client.get_prompt("other")


async def test_what_was_written_is_sound(agent: Agent, conversation: str, folder: Path) -> None:
    await agent.tell(conversation, "one", "two", "three", "four")
    await agent.ask("context_checkout", conversation=conversation, target="root", message="Start over.")
    database = Database(f"sqlite:///{folder / 'liyuan.sqlite3'}")
    with database.reading_now() as connection:
        assert list(verify(connection, ConversationId(conversation))) == []
    database.close()
