"""The owner's password. A guess is compared as an argon2 hash, slowly and beside the loop; once right, it is quick."""

from __future__ import annotations

import asyncio
import hashlib
import hmac
import secrets
from functools import cached_property
from unicodedata import normalize

from pwdlib import PasswordHash
from pwdlib.exceptions import UnknownHashError
from pwdlib.hashers.argon2 import Argon2Hasher

from liyuan.web.throttle import Throttle

#: Argon2 takes 64 MiB for each comparison.
AT_ONCE = 2


class Password:
    """`kept` is the setting: the password in plain, or its argon2 hash. A letter counts however it is composed."""

    def __init__(self, kept: str, throttle: Throttle | None = None, hasher: PasswordHash | None = None) -> None:
        self._kept = normalize("NFC", kept)
        self._throttle = throttle or Throttle()
        self._hasher = hasher or PasswordHash((Argon2Hasher(),))
        self._turns = asyncio.Semaphore(AT_ONCE)
        self._key = secrets.token_bytes(32)
        self._right: bytes | None = None
        self._trying: dict[bytes, asyncio.Task[bool]] = {}

    async def is_right(self, tried: str, address: str) -> bool:
        """Whether this is the password. Raises Throttled, for the right one too, after too many wrong tries."""
        self._throttle.check(address)
        tried = normalize("NFC", tried)
        mark = hmac.digest(self._key, tried.encode(), "sha256")
        if self._right is not None and hmac.compare_digest(mark, self._right):
            return True
        if mark not in self._trying:
            self._throttle.count(address)
            self._trying[mark] = asyncio.create_task(self._try(tried, mark))
        right = await asyncio.shield(self._trying[mark])
        if right:
            self._throttle.forgive(address)
        return right

    async def _try(self, tried: str, mark: bytes) -> bool:
        """One comparison, shared by all who ask the same at the same time."""
        try:
            async with self._turns:
                right = await asyncio.to_thread(self._verify, tried)
            self._right = mark if right else self._right
            return right
        finally:
            del self._trying[mark]

    def token_hash(self, token: str) -> str:
        """What is stored of a sign-in. It depends on the password, so that a new password ends every sign-in."""
        return hmac.new(self._sign_in_key, token.encode(), "sha256").hexdigest()

    @cached_property
    def _sign_in_key(self) -> bytes:
        return hashlib.scrypt(self._kept.encode(), salt=b"liyuan sign-in", n=2**14, r=8, p=1)

    @cached_property
    def _hash(self) -> str:
        return self._kept if self._kept.startswith("$argon2") else self._hasher.hash(self._kept)

    def _verify(self, tried: str) -> bool:
        try:
            return self._hasher.verify(tried, self._hash)
        except UnknownHashError:
            return False
