"""Settings come from the environment or a file beside the server, and mean what the reference says."""

from __future__ import annotations

from pathlib import Path

import pytest
from pydantic import ValidationError

from liyuan.settings import Settings, is_loopback


def settings(env_file: Path | None = None, **given: object) -> Settings:
    return Settings(_env_file=env_file, **given)  # type: ignore[arg-type, call-arg]


@pytest.fixture(autouse=True)
def nothing_set(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)
    for name in Settings.model_fields:
        monkeypatch.delenv(f"LIYUAN_{name.upper()}", raising=False)


def test_without_any_setting_it_serves_this_machine_alone() -> None:
    assert (settings().host, settings().port, settings().password) == ("127.0.0.1", 7620, None)
    assert settings().is_loopback


def test_the_database_lies_in_the_data_folder_unless_another_is_named(tmp_path: Path) -> None:
    assert settings(data_dir=tmp_path).database_url == f"sqlite:///{tmp_path}/liyuan.sqlite3"
    named = "postgresql+psycopg://inn@localhost/stories"
    assert settings(data_dir=tmp_path, database_url=named).database_url == named


def test_the_data_folder_is_found_again_from_anywhere(tmp_path: Path) -> None:
    assert settings().data_dir == tmp_path / "data"
    assert settings(data_dir="~/stories").data_dir == Path.home() / "stories"


def test_a_file_beside_the_server_sets_and_the_environment_overrides(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / ".env").write_text("LIYUAN_PORT=7700\nLIYUAN_MODEL_NAME=青梧\nSOMETHING_ELSE=1\n", encoding="utf-8")
    monkeypatch.setenv("LIYUAN_PORT", "7800")
    read = Settings()
    assert (read.port, read.model_name) == (7800, "青梧")


def test_an_empty_value_is_no_value(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LIYUAN_PASSWORD", "")
    monkeypatch.setenv("LIYUAN_PORT", "")
    assert (settings().password, settings().port) == (None, 7620)


def test_a_password_of_spaces_is_none() -> None:
    assert settings(password="  ").password is None


def test_hosts_are_listed_with_commas(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LIYUAN_ALLOWED_HOSTS", " Inn.example, *.rain.example ,")
    assert settings().allowed_hosts == ("inn.example", "*.rain.example")


def test_secrets_do_not_show_when_settings_are_printed() -> None:
    assert "p4ss" not in repr(settings(password="p4ss", model_api_key="p4ss", embeddings_api_key="p4ss"))


@pytest.mark.parametrize(
    "wrong",
    [{"port": 70000}, {"compact_at": 1.5}, {"keep_turns": 0}, {"embeddings": "cloud"}, {"model_provider": "oracle"}],
)
def test_a_value_out_of_range_is_refused(wrong: dict[str, object]) -> None:
    with pytest.raises(ValidationError):
        settings(**wrong)


@pytest.mark.parametrize("host", ["127.0.0.1", "127.8.8.8", "::1", "[::1]", "localhost", "LocalHost."])
def test_only_this_machine_reaches_loopback(host: str) -> None:
    assert is_loopback(host)


@pytest.mark.parametrize("host", ["0.0.0.0", "::", "192.168.1.5", "inn.example", "localhost.example", ""])
def test_others_reach_every_other_host(host: str) -> None:
    assert not is_loopback(host)


def test_the_address_of_a_memory_server_may_be_typed_without_its_scheme() -> None:
    bare = settings(chroma_url="chroma:8000", embeddings_base_url="127.0.0.1:11434/v1")
    assert (bare.chroma_url, bare.embeddings_base_url) == ("http://chroma:8000", "http://127.0.0.1:11434/v1")
    whole = settings(chroma_url="https://vectors.example.org")
    assert (whole.chroma_url, whole.embeddings_base_url) == ("https://vectors.example.org", None)
