"""Guessing becomes slow, for one address soon, for many together later; the owner is not shut out by strangers."""

from __future__ import annotations

import pytest

from liyuan.domain.errors import Throttled
from liyuan.web.throttle import FOR_ALL, PER_ADDRESS, Throttle

HOME = "192.0.2.1"


class Clock:
    """Time that passes when it is told to."""

    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def throttle(clock: Clock) -> Throttle:
    return Throttle(clock)


def guess(throttle: Throttle, address: str = HOME, times: int = 1) -> None:
    for _ in range(times):
        throttle.check(address)
        throttle.count(address)


def wait(throttle: Throttle, address: str = HOME) -> int:
    """Seconds until the next try, 0 when it may come at once."""
    try:
        throttle.check(address)
    except Throttled as error:
        return int(str(error.fields["seconds"]))
    return 0


def test_a_few_slips_cost_nothing(throttle: Throttle) -> None:
    guess(throttle, times=PER_ADDRESS.free - 1)
    assert wait(throttle) == 0


def test_each_further_guess_doubles_the_wait(throttle: Throttle, clock: Clock) -> None:
    guess(throttle, times=PER_ADDRESS.free - 1)
    waits = []
    for _ in range(6):
        guess(throttle)
        waits.append(wait(throttle))
        clock.now += waits[-1]
    assert waits == [1, 2, 4, 8, 16, 32]


def test_the_wait_has_an_end(throttle: Throttle, clock: Clock) -> None:
    for _ in range(60):
        guess(throttle)
        clock.now += wait(throttle)
    guess(throttle)
    assert wait(throttle) == PER_ADDRESS.longest


def test_a_try_counts_before_its_answer_is_known(throttle: Throttle) -> None:
    with pytest.raises(Throttled):
        guess(throttle, times=PER_ADDRESS.free + 1)


def test_another_address_does_not_wait_for_the_first(throttle: Throttle) -> None:
    guess(throttle, times=PER_ADDRESS.free)
    assert wait(throttle, "192.0.2.2") == 0


def test_many_addresses_together_wait_too(throttle: Throttle) -> None:
    for number in range(FOR_ALL.free):
        guess(throttle, f"198.51.100.{number}")
    assert wait(throttle, "203.0.113.1") == 1


def test_addresses_of_one_ipv6_network_are_one(throttle: Throttle) -> None:
    for number in range(PER_ADDRESS.free):
        guess(throttle, f"2001:db8::{number:x}")
    assert wait(throttle, "2001:db8::ffff") == 1
    assert wait(throttle, "2001:db8:0:1::1") == 0


def test_a_right_try_starts_anew(throttle: Throttle, clock: Clock) -> None:
    guess(throttle, times=PER_ADDRESS.free)
    clock.now += 1
    throttle.forgive(HOME)
    guess(throttle, times=PER_ADDRESS.free - 1)
    assert wait(throttle) == 0


def test_who_was_right_before_is_not_held_up_by_others(throttle: Throttle) -> None:
    throttle.forgive(HOME)
    for number in range(FOR_ALL.free + 1):
        guess(throttle, f"198.51.100.{number}") if wait(throttle, f"198.51.100.{number}") == 0 else None
    assert wait(throttle, "203.0.113.1") > 0
    assert wait(throttle, HOME) == 0


def test_a_long_quiet_makes_it_forgotten(throttle: Throttle, clock: Clock) -> None:
    guess(throttle, times=PER_ADDRESS.free)
    clock.now += PER_ADDRESS.forgotten_after + 1
    guess(throttle, times=PER_ADDRESS.free - 1)
    assert wait(throttle) == 0
