"""The commands, as somebody types them: what they say, what they leave, how they exit."""

from __future__ import annotations

import os
import re
import signal
import socket
import subprocess
import sys
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from sqlalchemy import update

from liyuan.cli import address, look_around, main
from liyuan.domain.entry import Draft, EntryId
from liyuan.settings import Settings
from liyuan.store.conversations import create
from liyuan.store.database import Database, new_id
from liyuan.store.secrets import Secrets
from liyuan.store.tables import entries
from liyuan.store.tree import append


@pytest.fixture(autouse=True)
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The data folder of every command here, and no other setting."""
    for name in [name for name in os.environ if name.startswith("LIYUAN_")]:
        monkeypatch.delenv(name)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("LIYUAN_DATA_DIR", str(tmp_path / "data"))
    return tmp_path / "data"


@pytest.fixture
def database(data: Path) -> Iterator[Database]:
    """A migrated database where the commands look for it."""
    main(["migrate"])
    made = Database(f"sqlite:///{data / 'liyuan.sqlite3'}")
    yield made
    made.close()


@pytest.fixture
def story(database: Database) -> str:
    """A story of two messages."""
    with database.writing_now() as connection:
        conversation = create(connection, title="雨夜")
        first = append(connection, conversation.id, said("Good evening.", None), expected_leaf=None)
        append(connection, conversation.id, said("A room, please.", first.id), expected_leaf=first.id)
    return conversation.id


def said(text: str, after: EntryId | None) -> Draft:
    return Draft(id=EntryId(new_id()), parent_id=after, role="user", text=text)


def test_migrate_makes_the_database_and_says_so(data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["migrate"]) == 0
    assert "brought up to date" in capsys.readouterr().out
    assert (data / "liyuan.sqlite3").is_file()
    assert main(["migrate"]) == 0
    assert "is up to date" in capsys.readouterr().out


def test_verify_finds_a_sound_story_sound(story: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["verify"]) == 0
    assert main(["verify", story]) == 0
    assert "as the parent links say" in capsys.readouterr().out


def test_verify_lists_what_is_off_and_exits_1(
    story: str, database: Database, capsys: pytest.CaptureFixture[str]
) -> None:
    with database.writing_now() as connection:
        connection.execute(update(entries).values(depth=entries.c.depth + 7))
    assert main(["verify", story]) == 1
    assert story in capsys.readouterr().out


def test_verify_does_not_know_a_story_that_is_not_there(database: Database, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["verify", "none"]) == 2
    assert "no story with the id none" in capsys.readouterr().err


@pytest.mark.parametrize("command", [["verify"], ["export", "c1"], ["import", "-"]])
def test_a_database_that_is_not_there_is_not_made_by_reading(
    command: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(command) == 2
    assert "liyuan migrate" in capsys.readouterr().err


def test_a_story_goes_out_and_comes_back_equal(
    story: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    first, second = tmp_path / "first.jsonl", tmp_path / "second.jsonl"
    assert main(["export", story, str(first)]) == 0
    monkeypatch.setenv("LIYUAN_DATA_DIR", str(tmp_path / "elsewhere"))
    main(["migrate"])
    assert main(["import", str(first), "--policy", "reject"]) == 0
    assert "2 entries" in capsys.readouterr().out
    assert main(["export", story, str(second)]) == 0
    assert second.read_bytes() == first.read_bytes()


def test_a_file_with_faults_is_told_line_by_line(
    story: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "story.jsonl"
    main(["export", story, str(file)])
    file.write_text(file.read_text(encoding="utf-8") + "{broken\n", encoding="utf-8")
    capsys.readouterr()
    assert main(["import", str(file), "--policy", "reject"]) == 2
    assert re.search(r"^line \d+: ", capsys.readouterr().err, re.MULTILINE)
    assert main(["import", str(file)]) == 0
    assert "Left out: 1" in capsys.readouterr().out


def test_a_file_that_is_not_there_is_told_as_such(database: Database, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["import", "nowhere.jsonl"]) == 2
    assert "nowhere.jsonl" in capsys.readouterr().err


def spoil(data: Path) -> None:
    data.mkdir()
    (data / "liyuan.sqlite3").write_text("This is no database.")


@pytest.mark.parametrize("spoil", [spoil, Path.touch], ids=["no database", "no folder"])
@pytest.mark.parametrize("command", ["serve", "migrate", "verify"])
def test_stories_that_cannot_be_opened_are_told_in_a_sentence(
    command: str, spoil: Callable[[Path], None], data: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    spoil(data)
    assert main([command]) == 2
    told = capsys.readouterr().err
    assert str(data) in told
    assert "Nothing was changed" in told


@pytest.mark.parametrize(
    "address", ["stories", "oracle://inn/stories", "postgresql+psycopg://inn:s3cret@127.0.0.1:1/x"]
)
def test_a_database_that_cannot_be_reached_is_told_without_its_password(
    address: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("LIYUAN_DATABASE_URL", address)
    assert main(["serve"]) == 2
    told = capsys.readouterr().err
    assert "cannot be opened" in told
    assert "s3cret" not in told


def test_serve_refuses_to_be_reached_by_others_without_a_password(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("LIYUAN_HOST", "0.0.0.0")
    assert main(["serve"]) == 2
    assert "LIYUAN_PASSWORD" in capsys.readouterr().err


def test_an_empty_password_is_none(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LIYUAN_HOST", "0.0.0.0")
    monkeypatch.setenv("LIYUAN_PASSWORD", "")
    assert main(["serve"]) == 2


def test_a_setting_that_cannot_be_used_is_named_and_not_repeated(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("LIYUAN_PORT", "s3cret")
    assert main(["serve"]) == 2
    told = capsys.readouterr().err
    assert "LIYUAN_PORT" in told
    assert "s3cret" not in told


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("LIYUAN_MODEL_BASE_URL", "notaurl"),
        ("LIYUAN_MODEL_BASE_URL", "ftp://127.0.0.1/v1"),
        ("LIYUAN_CHROMA_URL", "http://127.0.0.1:notaport"),
        ("LIYUAN_MODEL_PROVIDER", "nobody"),
        ("LIYUAN_EMBEDDINGS", "openai"),
    ],
)
def test_a_setting_that_leads_nowhere_is_named_before_anything_is_started(
    name: str, value: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], data: Path
) -> None:
    monkeypatch.setenv(name, value)
    assert main(["serve"]) == 2
    told = capsys.readouterr().err
    assert name in told
    assert "Nothing was started" in told
    assert not data.exists()


def test_a_port_that_is_taken_is_named_with_the_setting_to_change(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
        monkeypatch.setenv("LIYUAN_PORT", str(port))
        assert main(["serve"]) == 1
    told = capsys.readouterr().err
    assert f"Port {port} of 127.0.0.1 is taken" in told
    assert "LIYUAN_PORT" in told


def test_a_host_that_is_not_this_machine_s_is_named(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("LIYUAN_HOST", "192.0.2.1")
    monkeypatch.setenv("LIYUAN_PASSWORD", "rain on the roof")
    assert main(["serve"]) == 1
    assert "LIYUAN_HOST" in capsys.readouterr().err


@pytest.mark.skipif(not Path("/proc").is_dir(), reason="has no folder that nobody may write to")
@pytest.mark.parametrize("folder", ["/proc", "/proc/stories"])
def test_a_data_folder_that_cannot_be_written_to_is_told(
    folder: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("LIYUAN_DATA_DIR", folder)
    assert main(["serve"]) == 2
    told = capsys.readouterr().err
    assert f"LIYUAN_DATA_DIR is {folder}" in told
    assert "Nothing was changed" in told


def test_a_database_that_is_gone_is_told_where_liyuan_has_been_before(
    database: Database, data: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    database.close()
    look_around(Settings())
    assert capsys.readouterr().err == ""
    Secrets(data).seal("a key")
    for file in data.glob("liyuan.sqlite3*"):
        file.unlink()
    look_around(Settings())
    assert "its database is gone" in capsys.readouterr().err


def test_a_spoiled_key_file_is_told_and_left_as_it_is(data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    data.mkdir()
    (data / "secret.key").write_text("no key at all")
    look_around(Settings())
    told = capsys.readouterr().err
    assert str(data / "secret.key") in told
    assert "move it away" in told
    assert (data / "secret.key").read_text() == "no key at all"


@pytest.mark.slow
def test_serve_says_where_it_is_and_stops_when_asked(data: Path) -> None:
    said_by = {**os.environ, "LIYUAN_PORT": "0", "PYTHONUNBUFFERED": "1"}
    command = [sys.executable, "-m", "liyuan.cli", "serve"]
    root = Path(__file__).resolve().parents[1]
    with subprocess.Popen(command, cwd=root, env=said_by, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as server:
        assert server.stdout is not None
        line = server.stdout.readline().decode()
        where = re.search(r"http://127\.0\.0\.1:\d+", line)
        assert where, line
        with urllib.request.urlopen(f"{where[0]}/readyz", timeout=10) as answer:
            assert answer.status == 200
        server.send_signal(signal.SIGTERM)
        assert server.wait(timeout=20) in (0, -signal.SIGTERM)
    assert (data / "liyuan.sqlite3").is_file()


@pytest.mark.parametrize(
    ("host", "shown"),
    [
        ("127.0.0.1", "http://127.0.0.1:7620"),
        ("0.0.0.0", "http://127.0.0.1:7620"),
        ("::", "http://[::1]:7620"),
        ("192.0.2.1", "http://192.0.2.1:7620"),
    ],
)
def test_the_address_can_be_typed_into_a_browser_here(host: str, shown: str) -> None:
    assert address(host, 7620) == shown


def test_reindex_asks_for_every_shelf_and_makes_it_anew_here(
    story: str, data: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LIYUAN_EMBEDDINGS", "off")
    capsys.readouterr()
    assert main(["reindex"]) == 0
    assert "To be indexed anew: 1 shelf of memory" in capsys.readouterr().out
    assert main(["reindex", "--here"]) == 0
    assert "Indexed anew: 1 shelf of memory." in capsys.readouterr().out
