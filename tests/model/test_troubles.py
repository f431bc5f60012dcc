"""Every trouble a server can make has its kind, a message that helps, and never the key."""

from __future__ import annotations

import asyncio
import string

import pytest

from liyuan.domain.errors import ModelFailed
from liyuan.model.connect import ModelSettings, Provider
from liyuan.model.troubles import MESSAGES, clean, trouble, trouble_of_status, words_of
from tests.model.conftest import KEY, Wild
from tests.peers import (
    END,
    STREAM,
    Step,
    answer,
    anthropic_piece,
    anthropic_start,
    anthropic_stream,
    chunk,
    event,
    fault,
    free_port,
    google_piece,
    google_stream,
    openai_piece,
    openai_stream,
)

PROVIDERS: tuple[Provider, ...] = ("openai", "anthropic", "google")
SETTINGS = ModelSettings(provider="openai", base_url="http://127.0.0.1:9999", api_key=KEY, name="wild")

BEGUN: dict[Provider, bytes] = {
    "openai": openai_piece("Half a"),
    "anthropic": anthropic_start() + anthropic_piece("Half a"),
    "google": google_piece("Half a"),
}


@pytest.mark.parametrize("provider", PROVIDERS)
async def test_nobody_answers(wild: Wild, provider: Provider) -> None:
    reply = await wild.reply([], provider=provider, base_url=f"http://127.0.0.1:{free_port()}")
    assert reply.kind == "unreachable"
    assert "Nothing answers at 127.0.0.1:" in str(reply.failure)


async def test_a_name_that_does_not_exist(wild: Wild) -> None:
    reply = await wild.reply([], base_url="http://no-such-host.invalid")
    assert reply.kind == "unreachable"
    assert "no computer called no-such-host.invalid" in str(reply.failure)


async def test_a_server_without_tls_behind_https(wild: Wild) -> None:
    async def answer_in_plain(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(b"HTTP/1.1 400 Bad Request\r\n\r\n")
        writer.close()

    async with await asyncio.start_server(answer_in_plain, "127.0.0.1", 0) as server:
        port = server.sockets[0].getsockname()[1]
        reply = await wild.reply([], base_url=f"https://127.0.0.1:{port}")
    assert reply.kind == "unreachable"
    assert "http://" in str(reply.failure)


@pytest.mark.parametrize("provider", PROVIDERS)
@pytest.mark.parametrize(
    ("status", "kind"),
    [
        (400, "rejected"),
        (401, "unauthorized"),
        (402, "out-of-credit"),
        (403, "unauthorized"),
        (404, "no-such-model"),
        (413, "context-too-long"),
        (422, "rejected"),
        (429, "rate-limited"),
        (500, "server-error"),
        (502, "server-error"),
        (503, "server-error"),
        (529, "server-error"),
    ],
)
async def test_a_status_has_its_kind(wild: Wild, provider: Provider, status: int, kind: str) -> None:
    reply = await wild.reply(fault(status, {"error": {"message": "Because."}}), provider=provider)
    assert (reply.kind, reply.text) == (kind, "")
    assert len(wild.server.asked) == 1, "trouble is told at once, not tried again in silence"


@pytest.mark.parametrize("provider", PROVIDERS)
async def test_how_long_to_wait_is_told(wild: Wild, provider: Provider) -> None:
    reply = await wild.reply(fault(429, {"error": {"message": "Slow down"}}, retry_after="7"), provider=provider)
    assert reply.failure is not None
    assert reply.failure.fields["retry_after"] == 7
    assert "7 seconds" in str(reply.failure)


@pytest.mark.parametrize(
    ("provider", "body"),
    [
        ("openai", {"error": {"message": "This model's maximum context length is 8192 tokens.", "code": "x"}}),
        ("openai", {"error": {"message": "no", "code": "context_length_exceeded"}}),
        ("openai", {"error": {"code": 400, "message": "the request exceeds the available context size. try", "n": 1}}),
        (
            "openai",
            {"error": "Trying to keep the first 5000 tokens when context the overflows. context length of 4096"},
        ),
        ("openai", {"detail": "Prompt length 5000 is greater than max_seq_len 4096"}),
        (
            "anthropic",
            {"type": "error", "error": {"type": "invalid_request_error", "message": "prompt is too long: 9 > 8"}},
        ),
        (
            "google",
            {"error": {"code": 400, "message": "The input token count (9) exceeds the maximum number of tokens"}},
        ),
    ],
)
async def test_a_story_too_long_is_told_apart_from_other_refusals(
    wild: Wild, provider: Provider, body: dict[str, object]
) -> None:
    assert (await wild.reply(fault(400, body), provider=provider)).kind == "context-too-long"


async def test_an_empty_account_is_told_apart_from_too_many_requests(wild: Wild) -> None:
    body = {"error": {"message": "You exceeded your current quota.", "code": "insufficient_quota"}}
    assert (await wild.reply(fault(429, body))).kind == "out-of-credit"


async def test_gemini_refuses_a_key_with_400(wild: Wild) -> None:
    body = {"error": {"code": 400, "message": "API key not valid. Please pass a valid API key.", "status": "X"}}
    assert (await wild.reply(fault(400, body), provider="google")).kind == "unauthorized"


async def test_a_missing_key_is_asked_for(wild: Wild) -> None:
    reply = await wild.reply(fault(401, {"error": {"message": "no"}}), api_key="")
    assert "asks for an API key" in str(reply.failure)


@pytest.mark.parametrize("key", ["sk-é", "sk-a b", "密钥", "sk-a\nb"])
async def test_a_key_that_cannot_be_one_is_never_sent(wild: Wild, key: str) -> None:
    reply = await wild.reply(openai_stream("A"), api_key=key)
    assert (reply.kind, wild.server.asked) == ("unauthorized", [])
    assert key not in str(reply.failure)


@pytest.mark.parametrize("provider", PROVIDERS)
@pytest.mark.parametrize(
    "said", [f"Wrong key {KEY}!", "Incorrect API key provided: sk-abcd****wxyz", f"?key={KEY}&x=1"]
)
async def test_no_message_ever_holds_a_key(wild: Wild, provider: Provider, said: str) -> None:
    for status in (400, 401, 403, 500):
        reply = await wild.reply(fault(status, {"error": {"message": said}}), provider=provider)
        assert reply.failure is not None
        everything = f"{reply.failure} {reply.failure.fields}"
        assert KEY not in everything
        assert "sk-abcd" not in everything


async def test_settings_never_show_the_key() -> None:
    assert KEY not in repr(SETTINGS)


@pytest.mark.parametrize("provider", PROVIDERS)
async def test_a_server_that_never_begins(wild: Wild, provider: Provider) -> None:
    reply = await wild.reply([600.0], provider=provider, first_timeout=0.2)
    assert reply.kind == "timeout"
    assert "said nothing" in str(reply.failure)


@pytest.mark.parametrize("provider", PROVIDERS)
async def test_a_server_that_falls_silent_in_the_middle(wild: Wild, provider: Provider) -> None:
    reply = await wild.reply([STREAM, chunk(BEGUN[provider]), 600.0], provider=provider, idle_timeout=0.2)
    assert (reply.kind, reply.text) == ("timeout", "Half a")
    assert "fell silent" in str(reply.failure)


@pytest.mark.parametrize("provider", PROVIDERS)
@pytest.mark.parametrize("ending", [[], [END]], ids=["torn", "closed early"])
async def test_a_connection_that_drops_in_the_middle(wild: Wild, provider: Provider, ending: list[Step]) -> None:
    reply = await wild.reply([STREAM, chunk(BEGUN[provider]), *ending], provider=provider)
    assert (reply.kind, reply.text) == ("cut-off", "Half a")


@pytest.mark.parametrize("provider", PROVIDERS)
@pytest.mark.parametrize("answered", [[], [STREAM]], ids=["at once", "after the head"])
async def test_a_connection_that_drops_before_the_first_word(
    wild: Wild, provider: Provider, answered: list[Step]
) -> None:
    reply = await wild.reply(answered, provider=provider)
    assert (reply.kind, reply.text) == ("cut-off", "")


async def test_a_server_that_gives_no_reason_but_says_done_has_ended(wild: Wild) -> None:
    assert (await wild.reply(openai_stream("A", finish=None))).finish.reason == "stop"


MALFORMED = [
    b'data: {"id": oops\n\n',
    b'data: {"choices": "x"}\n\n',
    b"data: 17\n\n",
    b"\xff\xfe\xfd\n\n",
    b"data: []\n\n",
]


@pytest.mark.parametrize("junk", MALFORMED)
async def test_a_stream_that_is_none(wild: Wild, junk: bytes) -> None:
    reply = await wild.reply([STREAM, chunk(junk), END])
    assert reply.kind in ("malformed", "cut-off")


@pytest.mark.parametrize("junk", MALFORMED[:4])
async def test_a_stream_that_goes_wrong_in_the_middle_keeps_what_was_said(wild: Wild, junk: bytes) -> None:
    reply = await wild.reply([STREAM, chunk(BEGUN["openai"]), chunk(junk), END])
    assert (reply.kind, reply.text) == ("malformed", "Half a")


@pytest.mark.parametrize("provider", ("anthropic", "google"))
async def test_a_malformed_stream_of_other_providers(wild: Wild, provider: Provider) -> None:
    assert (await wild.reply([STREAM, chunk(MALFORMED[0]), END], provider=provider)).kind == "malformed"


@pytest.mark.parametrize("provider", PROVIDERS)
async def test_a_web_page_instead_of_a_model(wild: Wild, provider: Provider) -> None:
    reply = await wild.reply([answer(200, b"<html>Welcome</html>", "text/html; charset=utf-8")], provider=provider)
    assert reply.kind == "malformed"
    assert "web page" in str(reply.failure)


async def test_a_server_that_does_not_stream(wild: Wild) -> None:
    reply = await wild.reply(fault(200, {"choices": [{"message": {"content": "Hello"}}]}))
    assert reply.kind == "malformed"
    assert "does not stream" in str(reply.failure)


async def test_an_error_in_a_good_answer_is_told(wild: Wild) -> None:
    reply = await wild.reply(fault(200, {"error": {"message": "The engine is cold."}}))
    assert "The engine is cold." in str(reply.failure)


@pytest.mark.parametrize("extra", [{}, {"code": 502}], ids=["plain", "with a code"])
async def test_an_error_inside_the_stream_keeps_what_was_said(wild: Wild, extra: dict[str, object]) -> None:
    error = event({"error": {"message": "The upstream died.", **extra}})
    reply = await wild.reply([STREAM, chunk(BEGUN["openai"] + error), END])
    assert (reply.kind, reply.text) == ("server-error", "Half a")
    assert "The upstream died." in str(reply.failure)


async def test_anthropics_error_inside_the_stream(wild: Wild) -> None:
    error = event({"type": "error", "error": {"type": "overloaded_error", "message": "Overloaded"}}, "error")
    reply = await wild.reply([STREAM, chunk(BEGUN["anthropic"] + error), END], provider="anthropic")
    assert (reply.kind, reply.text) == ("server-error", "Half a")


@pytest.mark.parametrize(
    ("provider", "said"),
    [
        ("openai", openai_stream()),
        ("openai", openai_stream("  \n", " ")),
        ("anthropic", anthropic_stream()),
        ("google", google_stream()),
    ],
)
async def test_a_reply_without_a_word(wild: Wild, provider: Provider, said: list[Step]) -> None:
    assert (await wild.reply(said, provider=provider)).kind == "empty"


async def test_a_reply_that_was_all_thinking(wild: Wild) -> None:
    reply = await wild.reply(openai_stream("<think>Let me see", finish="length"))
    assert (reply.kind, reply.thinking) == ("empty", "Let me see")
    assert "thinking" in str(reply.failure)


async def test_a_reply_that_was_filtered_away(wild: Wild) -> None:
    reply = await wild.reply(openai_stream(finish="content_filter"))
    assert reply.kind == "empty"
    assert "filter" in str(reply.failure)


@pytest.mark.parametrize("which", MESSAGES)
def test_every_message_fills_its_fields(which: str) -> None:
    fields = {"retry_after": 5, "seconds": 5, "code": 500, "said": "No."}
    failure = trouble(SETTINGS, which, **fields)
    assert isinstance(failure, ModelFailed)
    assert "{" not in str(failure)
    known = {name for _, name, _, _ in string.Formatter().parse(MESSAGES[which]) if name}
    assert known <= {"server", "model", *fields}


def test_a_message_tells_what_is_safe() -> None:
    assert all("kept" in message for message in MESSAGES.values())


@pytest.mark.parametrize(
    ("body", "words"),
    [
        ({"error": {"message": "Because."}}, "Because."),
        ({"error": "Because."}, "Because."),
        ([{"error": {"message": "Because."}}], "Because."),
        ({"detail": [{"msg": "Because."}]}, "Because."),
        (b'{"message": "Because."}', "Because."),
        ("Because.", "Because."),
        ("<html><body>502</body></html>", ""),
        ("", ""),
        (None, ""),
        ({"error": {}}, ""),
    ],
)
def test_the_words_in_any_error_body_are_found(body: object, words: str) -> None:
    assert words_of(body) == words


def test_a_servers_words_are_made_fit_to_be_shown() -> None:
    assert clean("It  broke\nhere", SETTINGS) == "It broke here."
    assert len(clean("word " * 200, SETTINGS)) < 260
    assert clean("Your organization has no project.", SETTINGS) == "Your organization has no project."


def test_a_server_is_named_without_user_password_or_path() -> None:
    settings = ModelSettings(provider="openai", base_url="https://me:secret@models.example:8443/v1?x=1", name="m")
    assert trouble_of_status(settings, 500, "").fields["server"] == "models.example:8443"
