"""Secrets at rest, sealed with a key that lies in one file beside the data and only its owner may read."""

from __future__ import annotations

import contextlib
import os
import secrets
from pathlib import Path

from cryptography.fernet import Fernet, InvalidToken

from liyuan.domain.errors import LiyuanError

KEY_FILE = "secret.key"


class SealBroken(LiyuanError):
    type = "seal-broken"
    title = "A saved key cannot be opened"
    status_code = 409
    message = (
        "The saved key cannot be opened: the file “secret.key” in the data folder is missing or another one. "
        "Stories are not touched by this. Enter the key again under Connections."
    )


class KeySpoiled(SealBroken):
    type = "key-spoiled"
    title = "The file with the key is damaged"
    message = (
        "The file {file} is damaged: it no longer holds the key that your saved API keys are locked with. Stories are "
        "not touched. Put the file back from a backup; or, where there is none, move it away and enter your API keys "
        "again under Connections."
    )


class Secrets:
    """Seals and opens short texts (API keys). The key file is made at the first seal, mode 0600."""

    def __init__(self, data_dir: Path) -> None:
        self._file = data_dir / KEY_FILE

    def seal(self, text: str) -> bytes:
        """The text, encrypted and signed (Fernet). Raises KeySpoiled: a damaged key file is not replaced."""
        return self._fernet().encrypt(text.encode())

    def open(self, sealed: bytes) -> str:
        """What was sealed. Raises SealBroken when it was sealed with another key or has been changed, or KeySpoiled."""
        if not self._file.exists():
            raise SealBroken
        try:
            return self._fernet().decrypt(sealed).decode()
        except InvalidToken as error:
            raise SealBroken from error

    def check(self) -> None:
        """Raises KeySpoiled when the file is there and holds no key. Makes none."""
        if self._file.exists():
            self._fernet()

    def _fernet(self) -> Fernet:
        if not self._file.exists():
            self._make_key()
        try:
            return Fernet(self._file.read_bytes().strip())
        except (ValueError, OSError) as error:
            raise KeySpoiled(file=self._file) from error

    def _make_key(self) -> None:
        """Writes the key aside and links it into place: of two processes one wins and none reads half."""
        self._file.parent.mkdir(parents=True, exist_ok=True)
        unfinished = self._file.with_name(f".{KEY_FILE}.{secrets.token_hex(4)}")
        with os.fdopen(os.open(unfinished, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
            file.write(Fernet.generate_key())
            file.flush()
            os.fsync(file.fileno())
        with contextlib.suppress(FileExistsError):
            os.link(unfinished, self._file)
        unfinished.unlink()
