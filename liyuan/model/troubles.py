"""Every trouble a model server can make, in words that help. No message ever holds an API key.

A trouble is a `ModelFailed` with the fields `kind` (below, for programs), `server`, `model`, and where they are
known `retry_after` (seconds), `seconds`, `code` (HTTP) and `said` (the server's own words, cleaned).
"""

from __future__ import annotations

import json
import re
from typing import Final, Literal, TypeAlias

from liyuan.domain.errors import ModelFailed
from liyuan.model.connect import ModelSettings

Kind: TypeAlias = Literal[
    "unreachable",  # no connection
    "unauthorized",  # the key is wrong, missing or not allowed
    "out-of-credit",  # the account is empty: waiting does not help
    "no-such-model",
    "rate-limited",
    "server-error",
    "timeout",
    "context-too-long",
    "rejected",  # the server does not take the request as it is
    "malformed",  # the answer is not one
    "empty",
    "cut-off",  # the connection broke in mid-stream
]

MESSAGES: Final[dict[str, str]] = {
    "unreachable": (
        "{server} could not be reached. Check its address and your connection, then try again. Your words are kept."
    ),
    "unreachable/refused": (
        "Nothing answers at {server}. Start the model server there, or correct its address under Connections, "
        "then try again. Your words are kept."
    ),
    "unreachable/name": (
        "There is no computer called {server}. Check the address for a slip and whether this computer is "
        "online, then try again. Your words are kept."
    ),
    "unreachable/secure": (
        "No secure connection to {server} could be made. A server of your own may want an address that begins "
        "with http:// instead of https://. Your words are kept."
    ),
    "unauthorized": (
        "{server} did not accept the API key for {model}. Enter the key again under Connections and check "
        "that it may use this model. Your words are kept."
    ),
    "unauthorized/missing": (
        "{server} asks for an API key. Enter one under Connections, then try again. Your words are kept."
    ),
    "unauthorized/refused": (
        "{server} does not let you use {model} and says: {said} Check the account there, or choose another "
        "connection. Your words are kept."
    ),
    "unauthorized/unreadable": (
        "The API key for {server} holds characters that no key has, such as a space or a letter with an "
        "accent. Paste it again under Connections. Your words are kept."
    ),
    "out-of-credit": (
        "The account at {server} has no credit left. Top it up, or choose another connection, then try again. "
        "Your words are kept."
    ),
    "no-such-model": (
        "{server} has no model called {model}. Choose one from its list under Connections. If the list is "
        "empty, the address may be wrong. Your words are kept."
    ),
    "rate-limited": (
        "{server} takes no more requests for the moment. Wait a minute, then try again. Your words are kept."
    ),
    "rate-limited/wait": (
        "{server} takes no more requests for the moment. Try again in {retry_after} seconds. Your words are kept."
    ),
    "server-error": (
        "{server} has a trouble of its own (error {code}). Nothing is wrong with your story: try again in a "
        "moment. Your words are kept."
    ),
    "server-error/detail": (
        "{server} has a trouble of its own (error {code}) and says: {said} Try again in a moment. Your words are kept."
    ),
    "server-error/stream": ("{server} broke off and says: {said} What was said so far is kept. Try again in a moment."),
    "server-error/busy": (
        "{server} is overloaded. Try again in a moment, or choose another model. Your words are kept."
    ),
    "timeout/connect": (
        "{server} did not answer the call within {seconds} seconds. Check its address and your connection, then "
        "try again. Your words are kept."
    ),
    "timeout/first": (
        "{model} said nothing for {seconds} seconds. A large model may still be loading or reading: try again, "
        "or allow it more time under Connections. Your words are kept."
    ),
    "timeout/idle": (
        "{model} fell silent for {seconds} seconds in the middle of the reply. What was said so far is kept: "
        "let it continue, or try again."
    ),
    "context-too-long": (
        "The story has grown longer than {model} can read at once. Lower the context size in the settings to "
        "what this model takes, or have older turns summarised, then try again. Your words are kept."
    ),
    "rejected": (
        "{server} does not take this request and gives no reason. Reset the sampler settings, or choose another "
        "model, then try again. Your words are kept."
    ),
    "rejected/detail": (
        "{server} does not take this request and says: {said} If that is about a setting, change or clear it, "
        "then try again. Your words are kept."
    ),
    "malformed": (
        "{server} answered in a form that cannot be read. Check under Connections that the address and the "
        "kind of server fit together. Your words are kept."
    ),
    "malformed/page": (
        "{server} answered with a web page instead of a model. The address is probably not quite right: for "
        "most servers it ends in /v1. Your words are kept."
    ),
    "malformed/whole": (
        "{server} does not stream its replies, which is needed here. Choose another server or update this one. "
        "Your words are kept."
    ),
    "malformed/stream": (
        "{server} sent something that cannot be read in the middle of the reply. What was said so far is kept: "
        "let it continue, or try again."
    ),
    "empty": (
        "{model} answered without a single word. Try again; if it stays silent, look at the stop strings and "
        "the prompt, or choose another model. Your words are kept."
    ),
    "empty/thinking": (
        "{model} spent its whole reply on thinking. Allow longer replies in the sampler settings, then try "
        "again. Your words are kept."
    ),
    "empty/filtered": (
        "A filter at {server} held the reply back. Change your words or the scene, or choose another model, "
        "then try again. Your words are kept."
    ),
    "cut-off": (
        "The connection to {server} broke off in the middle of the reply. What was said so far is kept: let it "
        "continue, or try again."
    ),
    "cut-off/early": ("The connection to {server} broke off before the first word. Try again. Your words are kept."),
}

_CONTEXT_WORDS: Final = re.compile(
    r"context[_ ](?:length|window|size|limit)|maximum context|exceed_context|prompt is too long"
    r"|input is too long|input token count|max_seq_len|too many tokens|exceeds? the (?:model'?s )?(?:max|context)"
    r"|reduce the length of the (?:messages|prompt)|tokens? to keep from the initial prompt|longer than the model",
    re.IGNORECASE,
)
_CREDIT_WORDS: Final = re.compile(
    r"insufficient[_ ](?:quota|balance|credit|funds)|exceeded your current quota|credit balance|billing|余额不足|欠费",
    re.IGNORECASE,
)
_MODEL_WORDS: Final = re.compile(
    r"model[_ ]not[_ ]found|model\b.{0,80}\b(?:not found|does not exist|not exist|not loaded|is not available)"
    r"|no such model|unknown model|模型不存在",
    re.IGNORECASE | re.DOTALL,
)
_KEYLIKE: Final = re.compile(
    r"\b(?:sk|pk|gsk|xai|key|org|proj|hf)[-_][\w*.\-]{6,}|\bAIza[\w\-]{8,}|Bearer\s+\S+"
    r"|(?<=key=)[^\s&\"']+|[A-Za-z0-9_\-]{32,}",
    re.IGNORECASE,
)
_DETAIL_LENGTH: Final = 240


def trouble(settings: ModelSettings, which: str, **fields: object) -> ModelFailed:
    """The error for one key of MESSAGES. The part of the key before the slash is its `kind`."""
    kind = which.partition("/")[0]
    shown = {"server": settings.server, "model": settings.name, **fields}
    return ModelFailed(MESSAGES[which], kind=kind, **shown)


def trouble_of_status(
    settings: ModelSettings, status: int, said: object, retry_after: float | None = None
) -> ModelFailed:
    """The error for an HTTP status and the body that came with it (text, bytes or decoded JSON)."""
    words = words_of(said)
    cleaned = clean(words, settings)
    fields: dict[str, object] = {"code": status}
    if cleaned:
        fields["said"] = cleaned
    if retry_after is not None:
        fields["retry_after"] = max(1, round(retry_after))
    return trouble(settings, _which(settings, status, f"{words} {said!r}", fields), **fields)


def words_of(said: object) -> str:
    """The sentence for people inside an error body, whatever its shape; empty when there is none."""
    if isinstance(said, bytes):
        said = said.decode("utf-8", "replace")
    if isinstance(said, str):
        text = said.strip()
        if text[:1] not in "{[" or not text:
            return "" if text.lower().startswith(("<!doctype", "<html")) else text
        try:
            said = json.loads(text)
        except ValueError:
            return text
    return _sentence(said)


def clean(words: str, settings: ModelSettings) -> str:
    """A server's own words, fit to be shown: one line, no keys, not endless, ending like a sentence."""
    if key := settings.api_key.strip():
        words = words.replace(key, "…")
    words = " ".join(_KEYLIKE.sub("…", words).split())
    if len(words) > _DETAIL_LENGTH:
        words = words[:_DETAIL_LENGTH].rstrip() + "…"
    return words if not words or words[-1] in ".!?…。！？" else words + "."


def speaks_of_length(words: str) -> bool:
    return bool(_CONTEXT_WORDS.search(words))


def _which(settings: ModelSettings, status: int, words: str, fields: dict[str, object]) -> str:
    if speaks_of_length(words) or status == 413:
        return "context-too-long"
    if status == 402 or (status in (400, 403, 429) and _CREDIT_WORDS.search(words)):
        return "out-of-credit"
    if status in (401, 403) or "api key not valid" in words.lower():
        return _which_refusal(settings, status, fields)
    if status == 404 or _MODEL_WORDS.search(words):
        return "no-such-model"
    if status == 429:
        return "rate-limited/wait" if "retry_after" in fields else "rate-limited"
    if status in (503, 529) or "overloaded" in words.lower():
        return "server-error/busy"
    return ("server-error" if status >= 500 else "rejected") + ("/detail" if "said" in fields else "")


def _which_refusal(settings: ModelSettings, status: int, fields: dict[str, object]) -> str:
    if not settings.api_key.strip():
        return "unauthorized/missing"
    return "unauthorized/refused" if status == 403 and "said" in fields else "unauthorized"


def _sentence(said: object, depth: int = 0) -> str:
    if isinstance(said, str):
        return said.strip()
    if isinstance(said, list) and said and depth < 4:
        return _sentence(said[0], depth + 1)
    if isinstance(said, dict) and depth < 4:
        for key in ("error", "message", "msg", "detail", "details", "reason", "code", "type"):
            if words := _sentence(said.get(key), depth + 1):
                return words
    return ""
