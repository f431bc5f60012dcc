"""The ready choices of the page that connects a model: what each server is, where it is, whether it wants a key."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from liyuan.model.connect import Provider


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
    """One ready choice. `hint` is an English sentence and a gettext msgid; `key_url` is where a key comes from."""

    id: str
    label: str
    provider: Provider
    base_url: str
    needs_key: bool
    hint: str
    key_url: str = ""
    local: bool = False


READY_CHOICES: Final = (
    Choice(
        id="openai",
        label="OpenAI",
        provider="openai",
        base_url="https://api.openai.com/v1",
        needs_key=True,
        hint="GPT models, paid by use.",
        key_url="https://platform.openai.com/api-keys",
    ),
    Choice(
        id="openrouter",
        label="OpenRouter",
        provider="openai",
        base_url="https://openrouter.ai/api/v1",
        needs_key=True,
        hint="Models of many makers under one key; some are free.",
        key_url="https://openrouter.ai/settings/keys",
    ),
    Choice(
        id="deepseek",
        label="DeepSeek",
        provider="openai",
        base_url="https://api.deepseek.com/v1",
        needs_key=True,
        hint="Strong in Chinese and English, and cheap.",
        key_url="https://platform.deepseek.com/api_keys",
    ),
    Choice(
        id="anthropic",
        label="Anthropic",
        provider="anthropic",
        base_url="https://api.anthropic.com",
        needs_key=True,
        hint="Claude models. What does not change in the prompt is read from a cache and costs less.",
        key_url="https://console.anthropic.com/settings/keys",
    ),
    Choice(
        id="gemini",
        label="Google Gemini",
        provider="google",
        base_url="https://generativelanguage.googleapis.com",
        needs_key=True,
        hint="Gemini models, with a free allowance.",
        key_url="https://aistudio.google.com/apikey",
    ),
    Choice(
        id="ollama",
        label="Ollama",
        provider="openai",
        base_url="http://127.0.0.1:11434/v1",
        needs_key=False,
        hint="On your own computer. Fetch a model with “ollama pull” first, and give it a large enough context.",
        local=True,
    ),
    Choice(
        id="lm-studio",
        label="LM Studio",
        provider="openai",
        base_url="http://127.0.0.1:1234/v1",
        needs_key=False,
        hint="On your own computer. Load a model and start the server on the Developer page.",
        local=True,
    ),
    Choice(
        id="llama.cpp",
        label="llama.cpp",
        provider="openai",
        base_url="http://127.0.0.1:8080/v1",
        needs_key=False,
        hint="On your own computer, with llama-server. It serves the one model it was started with.",
        local=True,
    ),
    Choice(
        id="koboldcpp",
        label="KoboldCpp",
        provider="openai",
        base_url="http://127.0.0.1:5001/v1",
        needs_key=False,
        hint="On your own computer. It serves the one model it was started with.",
        local=True,
    ),
    Choice(
        id="tabbyapi",
        label="TabbyAPI",
        provider="openai",
        base_url="http://127.0.0.1:5000/v1",
        needs_key=True,
        hint="On your own computer. The key stands in api_tokens.yml, unless authentication is switched off.",
        local=True,
    ),
    Choice(
        id="other",
        label="Any compatible server",
        provider="openai",
        base_url="",
        needs_key=False,
        hint="Any server that speaks OpenAI's chat completions, such as vLLM or text-generation-webui.",
    ),
)
