"""Requests a second: buckets that fill, and whose they are."""

from __future__ import annotations

import pytest

from tenants.pacing import Buckets


class Clock:
    """A clock that stands still until it is told."""

    now = 100.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


def taken(buckets: Buckets, owner: str, per_second: int) -> bool:
    if buckets.wait(owner, per_second):
        return False
    buckets.take(owner, per_second)
    return True


def test_so_many_come_in_a_second_and_no_more_until_some_of_it_has_passed(clock: Clock) -> None:
    buckets = Buckets(clock=clock)
    assert [taken(buckets, "a", 4) for _ in range(5)] == [True] * 4 + [False]
    assert buckets.wait("a", 4) == pytest.approx(0.25)
    clock.now += 0.25
    assert [taken(buckets, "a", 4) for _ in range(2)] == [True, False]
    clock.now += 60
    assert [taken(buckets, "a", 4) for _ in range(5)] == [True] * 4 + [False]


def test_one_owner_takes_nothing_from_another(clock: Clock) -> None:
    buckets = Buckets(clock=clock)
    assert [taken(buckets, owner, 1) for owner in ("a", "a", "b")] == [True, False, True]


def test_who_was_not_asked_for_longest_is_forgotten_and_may_begin_anew(clock: Clock) -> None:
    buckets = Buckets(capacity=2, clock=clock)
    assert [taken(buckets, owner, 1) for owner in ("a", "b", "c", "a")] == [True] * 4
    buckets.clear()
    assert taken(buckets, "a", 1)
