"""Addresses are understood as people write them, and nothing heavy is loaded before the first word."""

from __future__ import annotations

import subprocess
import sys

import pytest

from liyuan.domain.errors import Invalid
from liyuan.model.connect import ModelSettings, Provider, is_near, open_model
from liyuan.model.understudy import Understudy


@pytest.mark.parametrize(
    ("provider", "given", "address"),
    [
        ("openai", "", "https://api.openai.com/v1"),
        ("openai", "http://127.0.0.1:11434", "http://127.0.0.1:11434/v1"),
        ("openai", "localhost:1234/", "http://localhost:1234/v1"),
        ("openai", "  https://openrouter.ai/api/v1/ ", "https://openrouter.ai/api/v1"),
        ("openai", "https://api.deepseek.com/v1/chat/completions", "https://api.deepseek.com/v1"),
        ("openai", "models.example/openai", "https://models.example/openai"),
        ("openai", "192.168.1.20:5000", "http://192.168.1.20:5000/v1"),
        ("openai", "[::1]:8080", "http://[::1]:8080/v1"),
        ("anthropic", "", "https://api.anthropic.com"),
        ("anthropic", "https://proxy.example/v1/messages", "https://proxy.example"),
        ("google", "https://generativelanguage.googleapis.com/v1beta", "https://generativelanguage.googleapis.com"),
    ],
)
def test_an_address_is_understood_as_people_paste_it(provider: Provider, given: str, address: str) -> None:
    assert ModelSettings(provider=provider, base_url=given).address == address


@pytest.mark.parametrize(
    "given", ["file:///etc/passwd", "ftp://x", "http://", "http://a b", "http://x:99999", "http://[x"]
)
def test_what_is_no_address_is_refused(given: str) -> None:
    with pytest.raises(Invalid):
        open_model(ModelSettings(provider="openai", base_url=given, name="m"))


def test_a_model_must_be_chosen() -> None:
    with pytest.raises(Invalid):
        open_model(ModelSettings(provider="openai", name="  "))


def test_an_unknown_provider_is_refused() -> None:
    with pytest.raises(Invalid):
        open_model(ModelSettings(provider="nobody", name="m"))  # type: ignore[arg-type]


def test_without_settings_the_understudy_plays() -> None:
    assert isinstance(open_model(), Understudy)
    assert isinstance(open_model(ModelSettings()), Understudy)


@pytest.mark.parametrize("host", ["localhost", "127.0.0.1", "::1", "10.0.0.8", "192.168.1.2", "nas.local", "box"])
def test_a_host_nearby(host: str) -> None:
    assert is_near(host)


@pytest.mark.parametrize("host", ["api.openai.com", "8.8.8.8", "example.org"])
def test_a_host_far_away(host: str) -> None:
    assert not is_near(host)


def test_nothing_heavy_is_loaded_to_open_a_model() -> None:
    code = (
        "import sys; from liyuan.model.connect import ModelSettings, open_model\n"
        "open_model(ModelSettings(provider='anthropic', name='m'))\n"
        "heavy = {'pydantic_ai', 'openai', 'anthropic', 'google.genai', 'httpx', 'httpx2', 'genai_prices'}\n"
        "print(sorted(heavy & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
