"""A key is readable only with the key file, and the key file only by its owner."""

from __future__ import annotations

import stat
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from liyuan.store.secrets import KEY_FILE, KeySpoiled, SealBroken, Secrets


def test_what_is_sealed_can_be_opened_later_by_another_process(tmp_path: Path) -> None:
    sealed = Secrets(tmp_path / "new").seal("sk-雨夜")
    assert Secrets(tmp_path / "new").open(sealed) == "sk-雨夜"
    assert b"sk-" not in sealed


def test_the_key_file_is_readable_by_its_owner_only_and_nothing_lies_beside_it(tmp_path: Path) -> None:
    Secrets(tmp_path).seal("sk")
    assert stat.S_IMODE((tmp_path / KEY_FILE).stat().st_mode) == 0o600
    assert [path.name for path in tmp_path.iterdir()] == [KEY_FILE]


def test_many_first_seals_at_once_agree_on_one_key(tmp_path: Path) -> None:
    with ThreadPoolExecutor(8) as threads:
        sealed = list(threads.map(lambda text: Secrets(tmp_path).seal(text), map(str, range(16))))
    assert [Secrets(tmp_path).open(one) for one in sealed] == [str(number) for number in range(16)]


@pytest.mark.parametrize("left", [None, b"", b"not a key", b"A" * 43 + b"="])
def test_a_lost_or_foreign_key_file_is_told_and_not_replaced_on_reading(tmp_path: Path, left: bytes | None) -> None:
    sealed = Secrets(tmp_path).seal("sk")
    (tmp_path / KEY_FILE).unlink()
    if left is not None:
        (tmp_path / KEY_FILE).write_bytes(left)
    with pytest.raises(SealBroken):
        Secrets(tmp_path).open(sealed)
    assert (tmp_path / KEY_FILE).exists() == (left is not None)


def test_a_damaged_key_file_is_told_apart_since_a_key_entered_again_would_not_help(tmp_path: Path) -> None:
    (tmp_path / KEY_FILE).write_bytes(b"not a key")
    for act in (Secrets(tmp_path).check, lambda: Secrets(tmp_path).seal("sk")):
        with pytest.raises(KeySpoiled, match="move it away"):
            act()
    assert (tmp_path / KEY_FILE).read_bytes() == b"not a key"
