"""The owner's password: found out slowly, proved quickly."""

from __future__ import annotations

import asyncio

import pytest

from liyuan.domain.errors import Throttled
from liyuan.web.password import Password
from liyuan.web.throttle import PER_ADDRESS
from tests.web.conftest import QUICK

HOME = "192.0.2.1"


@pytest.fixture
async def password() -> Password:
    return Password("雨夜客栈", hasher=QUICK)


async def test_the_password_is_right_and_another_is_not(password: Password) -> None:
    assert await password.is_right("雨夜客栈", HOME)
    assert not await password.is_right("雨夜", HOME)
    assert not await password.is_right("", HOME)


async def test_the_setting_may_hold_the_hash_instead(password: Password) -> None:
    hashed = Password(QUICK.hash("雨夜客栈"))
    assert await hashed.is_right("雨夜客栈", HOME)
    assert not await hashed.is_right("雨夜", HOME)


async def test_the_hash_itself_is_no_password() -> None:
    kept = QUICK.hash("雨夜客栈")
    assert not await Password(kept).is_right(kept, HOME)


async def test_a_letter_may_be_composed_in_two_ways() -> None:
    assert await Password("caf\u00e9", hasher=QUICK).is_right("cafe\u0301", HOME)


async def test_guesses_are_throttled_and_the_right_one_with_them(password: Password) -> None:
    """Were the right one let through at once, an answer that comes at once would tell a guesser that it is right."""
    await password.is_right("雨夜客栈", "192.0.2.2")
    for number in range(PER_ADDRESS.free):
        assert not await password.is_right(f"guess {number}", HOME)
    with pytest.raises(Throttled):
        await password.is_right("雨夜客栈", HOME)


async def test_a_program_that_begins_with_many_requests_at_once_is_not_throttled(password: Password) -> None:
    asked = [password.is_right("雨夜客栈", HOME) for _ in range(50)]
    assert await asyncio.gather(*asked) == [True] * 50


async def test_many_different_guesses_at_once_are_throttled(password: Password) -> None:
    asked = [password.is_right(f"guess {number}", HOME) for number in range(PER_ADDRESS.free + 5)]
    answers = await asyncio.gather(*asked, return_exceptions=True)
    assert answers.count(False) == PER_ADDRESS.free
    assert sum(isinstance(answer, Throttled) for answer in answers) == 5


def test_what_is_stored_of_a_token_depends_on_the_password() -> None:
    assert Password("one").token_hash("token") != Password("other").token_hash("token")
    assert Password("one").token_hash("token") == Password("one").token_hash("token")
