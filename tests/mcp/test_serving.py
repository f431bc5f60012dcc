"""`liyuan mcp` as other programs meet it: in a process of its own, over the standard streams and over HTTP."""

from __future__ import annotations

import asyncio
import json
import os
from itertools import chain
from pathlib import Path
from typing import Any

import httpx
import pytest
from mcp.shared.exceptions import MCPError

from liyuan.cli import main
from liyuan.domain.entry import ConversationId
from liyuan.mcp.serving import over_http as application
from liyuan.settings import Settings
from liyuan.store.database import Database
from liyuan.store.verify import verify
from tests.mcp.clients import Agent, over_http, over_stdio, spoken_to, started
from tests.peers import STREAM, WildServer, chunk, openai_piece, openai_stream

PASSWORD = "the rain at Qingwu’s inn"
CALL = {"jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": {}}
ACCEPT = {"accept": "application/json, text/event-stream"}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "data"


async def goes_the_whole_way(agent: Agent) -> None:
    """List, create, append, read, tag, look, check out, come back, and the guide."""
    assert len((await agent.client.list_tools()).tools) == 7
    conversation = (await agent.ask("conversation_create", title="雨夜"))["conversation"]
    assert [one["title"] for one in (await agent.ask("conversation_list"))["conversations"]] == ["雨夜"]
    asked, answered = await agent.tell(conversation, "Where is the ledger?", "In the cellar, perhaps.")
    await agent.ask("context_tag", conversation=conversation, name="before")
    *_, found = await agent.tell(conversation, "Look!", "A key marked 7.", leaf=answered)
    done = await agent.ask(
        "context_checkout", conversation=conversation, target="before", message="Only a key.", backup_tag="cellar"
    )
    assert (done["target"], done["left"]) == (answered, found)
    told = await agent.ask("context_log", conversation=conversation)
    assert told["dashboard"]["steps"] == 1
    assert "Only a key." in told["log"]
    read = await agent.ask("branch_read", conversation=conversation)
    assert [entry["id"] for entry in read["entries"]] == [asked, answered, done["leaf"]]
    late = await agent.refusal(
        "message_append", conversation=conversation, role="user", text="late", expected_leaf=found
    )
    assert late["leaf_id"] == done["leaf"]
    assert (
        "attic"
        in (await agent.refusal("context_checkout", conversation=conversation, target="attic", message="Off."))[
            "message"
        ]
    )
    (message,) = (await agent.client.get_prompt("context_guide")).messages
    assert "backup_tag" in message.content.text  # type: ignore[union-attr]


@pytest.mark.slow
@pytest.mark.parametrize("mode", ["auto", "legacy"])
async def test_an_agent_that_starts_it_goes_the_whole_way(folder: Path, mode: str) -> None:
    folder.parent.joinpath(".env").write_text("LIYUAN_EMBEDDINGS=off\n")
    async with over_stdio(folder, mode=mode) as agent:
        await goes_the_whole_way(agent)


@pytest.mark.slow
@pytest.mark.parametrize("mode", ["auto", "legacy"])
async def test_an_agent_that_calls_an_address_goes_the_whole_way(folder: Path, mode: str) -> None:
    async with started(folder, "mcp", "--http", "--port", "0") as address:
        assert address.endswith("/mcp")
        async with over_http(address, mode=mode) as agent:
            await goes_the_whole_way(agent)


@pytest.mark.slow
async def test_the_password_is_asked_for_and_taken_as_a_bearer(folder: Path) -> None:
    settings = {"LIYUAN_PASSWORD": PASSWORD}
    async with started(folder, "mcp", "--http", "--port", "0", "--host", "0.0.0.0", **settings) as address:
        async with over_http(address, Authorization=f"Bearer {PASSWORD}".encode()) as agent:
            assert (await agent.ask("conversation_list"))["conversations"] == []
        with pytest.raises(ExceptionGroup) as refused:
            async with over_http(address, Authorization=b"Bearer guess"):
                pass
        assert refused.group_contains(MCPError)
        async with httpx.AsyncClient() as stranger:
            assert (await stranger.post(address, json=CALL, headers=ACCEPT)).status_code == 401


@pytest.mark.parametrize(
    ("headers", "status", "error"),
    [
        ({"host": "evil.example"}, 421, "foreign-host"),
        ({"origin": "http://evil.example"}, 403, "foreign-origin"),
        ({"sec-fetch-site": "cross-site"}, 403, "foreign-origin"),
        ({}, 401, "locked"),
        ({"authorization": "Bearer guess"}, 401, "locked"),
    ],
)
async def test_a_stranger_is_turned_away_and_told_why(
    folder: Path, headers: dict[str, str], status: int, error: str
) -> None:
    async with calling(folder, password=PASSWORD) as line:
        answer = await line.post("/mcp", json=CALL, headers=ACCEPT | headers)
    assert (answer.status_code, answer.json()["error"]) == (status, error)
    assert ("www-authenticate" in answer.headers) == (status == 401)


async def test_guessing_is_slowed_down(folder: Path) -> None:
    async with calling(folder, password=PASSWORD) as line:
        for guess in "abcdef":
            answer = await line.post("/mcp", json=CALL, headers=ACCEPT | {"authorization": f"Bearer {guess}"})
    assert answer.status_code == 429
    assert int(answer.headers["retry-after"]) > 0


async def test_a_name_that_was_allowed_is_ours(folder: Path) -> None:
    async with calling(folder, allowed_hosts="story.example.org", password=PASSWORD) as line:
        answer = await line.post("/mcp", json=CALL, headers=ACCEPT | {"host": "story.example.org"})
    assert answer.status_code == 401


def calling(folder: Path, **settings: Any) -> httpx.AsyncClient:
    """Calls the application where it stands, for what never comes further than its door."""
    made = Settings(data_dir=folder, _env_file=None, **settings)
    return httpx.AsyncClient(transport=httpx.ASGITransport(application(made)), base_url="http://127.0.0.1:7621")


@pytest.fixture
def _alone(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """For commands in this process: their folder, and no other setting."""
    for name in [name for name in os.environ if name.startswith("LIYUAN_")]:
        monkeypatch.delenv(name)
    monkeypatch.chdir(folder.parent)
    monkeypatch.setenv("LIYUAN_DATA_DIR", str(folder))


@pytest.mark.usefixtures("_alone")
def test_it_refuses_to_be_reached_by_others_without_a_password(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["mcp", "--http", "--host", "0.0.0.0"]) == 2
    assert "LIYUAN_PASSWORD" in capsys.readouterr().err
    assert not folder.exists()


@pytest.mark.usefixtures("_alone")
@pytest.mark.parametrize("port", ["65536", "-1", "http", "9" * 40])
def test_a_port_that_is_none_is_told_before_anything_is_started(
    folder: Path, port: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as refused:
        main(["mcp", "--http", f"--port={port}"])
    assert refused.value.code == 2
    assert "65535" in capsys.readouterr().err
    assert not folder.exists()


@pytest.mark.usefixtures("_alone")
def test_a_conversation_that_is_not_there_is_told_at_the_start(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["mcp", "--conversation", "none"]) == 2
    assert "no story with the id none" in capsys.readouterr().err


@pytest.mark.slow
async def test_two_processes_write_one_conversation_and_nothing_is_lost(folder: Path) -> None:
    """A server and an agent's own process append to one path at the same time: each entry is there once, in a line."""
    async with (
        started(folder, "serve", LIYUAN_PORT="0", LIYUAN_EMBEDDINGS="off") as address,
        over_stdio(folder) as agent,
        over_stdio(folder) as another,
        httpx.AsyncClient(base_url=f"{address}/api/v1", timeout=60) as api,
    ):
        conversation = (await agent.ask("conversation_create", title="Shared"))["conversation"]
        writers = (insisting(agent, conversation, "a"), insisting(another, conversation, "b"))
        said = list(chain(*await asyncio.gather(*writers, playing(api, conversation))))
        read = await agent.ask("branch_read", conversation=conversation, limit=200)
        shown = (await api.get(f"/conversations/{conversation}/branch", params={"limit": 500})).json()
    texts = [entry["text"] for entry in read["entries"] if entry["kind"] == "message"]
    assert sorted(text for text in texts if text in said) == sorted(said)
    assert [entry["depth"] for entry in read["entries"]] == list(range(len(read["entries"])))
    assert [entry["id"] for entry in shown["items"]] == [entry["id"] for entry in read["entries"]]
    assert len(texts) == len(said) + TURNS  # The understudy has answered each turn.
    with Database(f"sqlite:///{folder / 'liyuan.sqlite3'}").reading_now() as connection:
        assert list(verify(connection, ConversationId(conversation))) == []


TIMES, TURNS = 12, 4


async def insisting(agent: Agent, conversation: str, name: str) -> list[str]:
    """Appends until it is done, each time at the leaf it was told of last. Answers what it said."""
    said = [f"{name}{number}" for number in range(TIMES)]
    leaf = None
    for text in said:
        while True:
            given = {"conversation": conversation, "role": "user", "text": text, "expected_leaf": leaf}
            done = await agent.client.call_tool("message_append", given)
            told = done.structured_content or {}
            if not done.is_error:
                leaf = told["leaf"]
                break
            assert told["error"] in ("leaf-moved", "busy"), told
            leaf = told["leaf_id"]
            await asyncio.sleep(0.01)
    return said


async def playing(api: httpx.AsyncClient, conversation: str) -> list[str]:
    """Plays turns at the server until they are heard out."""
    said = [f"turn {number}" for number in range(TURNS)]
    leaf = None
    for text in said:
        while True:
            answer = await api.post(f"/conversations/{conversation}/turns", json={"text": text, "expected_leaf": leaf})
            told = answer.json()
            if answer.status_code == 201:
                leaf = told["reply"]["id"]
                break
            assert told["type"].endswith(("leaf-moved", "busy")), told
            leaf = told["leaf_id"]
            await asyncio.sleep(0.01)
    return said


@pytest.mark.slow
async def test_while_a_server_lets_its_model_speak_another_process_waits_its_turn(folder: Path) -> None:
    go_on = asyncio.Event()
    model = WildServer([STREAM, chunk(openai_piece("Come ")), go_on, *openai_stream("in.")[1:]])
    settings = {"LIYUAN_PORT": "0", "LIYUAN_EMBEDDINGS": "off", "LIYUAN_MODEL_NAME": "slow"}
    async with (
        model.serving(),
        started(folder, "serve", LIYUAN_MODEL_BASE_URL=f"{model.url}/v1", **settings) as address,
        over_stdio(folder) as agent,
        httpx.AsyncClient(base_url=f"{address}/api/v1", timeout=60) as api,
    ):
        conversation = (await agent.ask("conversation_create", title="Shared"))["conversation"]
        (greeting,) = await agent.tell(conversation, "Good evening.")
        asked = {"text": "Is there a room?", "expected_leaf": greeting}
        turn = asyncio.create_task(api.post(f"/conversations/{conversation}/turns", json=asked))
        await someone_performs(agent)
        heard = (await agent.ask("branch_read", conversation=conversation))["leaf"]
        given = {"conversation": conversation, "role": "user", "text": "Well?"}
        leave = {"conversation": conversation, "target": "root", "message": "Off."}
        assert (await agent.refusal("message_append", **given, expected_leaf=heard))["error"] == "busy"
        assert (await agent.refusal("context_checkout", **leave))["error"] == "busy"
        go_on.set()
        reply = (await turn).json()["reply"]
        assert reply["text"] == "Come in."
        assert (await agent.refusal("message_append", **given, expected_leaf=heard))["leaf_id"] == reply["id"]
        await agent.ask("message_append", **given, expected_leaf=reply["id"])


async def someone_performs(agent: Agent) -> None:
    """Waits until the latest conversation is in the middle of a turn."""
    for _ in range(500):
        (latest, *_) = (await agent.ask("conversation_list"))["conversations"]
        if latest["status"] == "generating":
            return
        await asyncio.sleep(0.02)
    raise AssertionError("nobody performs")


async def test_a_line_that_cannot_be_read_is_answered(folder: Path) -> None:
    half = {"jsonrpc": "2.0", "id": 7, "method": "tools/call", "params": {"name": "x", "arguments": {"t": "\ud83d"}}}
    ping = {"jsonrpc": "2.0", "id": 8, "method": "ping"}
    answers = await spoken_to(folder, json.dumps(half), "{oops", "[]", json.dumps(ping))
    assert [(answer["id"], answer.get("error", {}).get("code")) for answer in answers] == [
        (7, -32700),
        (None, -32700),
        (None, -32600),
        (8, None),
    ]
    assert "middle of a character" in answers[0]["error"]["message"]
