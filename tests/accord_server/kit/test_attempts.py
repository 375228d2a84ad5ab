"""Attempts count for a while, by address and name, in all processes, and never without bound."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from accord_server.kit import attempts
from accord_server.kit.attempts import FAILURES_OF_NAME, PREFIX, OwnAttempts, SharedAttempts
from accord_server.kit.redis_door import redis_client

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pytest_django import Settings

HERE, THERE = "192.0.2.1", "192.0.2.2"


class Clock:
    """A clock that is set by hand."""

    now = 0.0

    def __call__(self) -> float:
        """Tell the time."""
        return self.now


@pytest.fixture(autouse=True)
def _no_attempts_yet(redis_url: str) -> Iterator[None]:
    attempts.forget()
    yield
    attempts.forget()


def test_a_key_is_spent_after_its_limit_and_free_after_the_window() -> None:
    clock = Clock()
    own = OwnAttempts(window=60, clock=clock)
    assert [own.take("a", 2) for _ in range(3)] == [True, True, False]
    assert own.take("b", 2)
    clock.now = 61
    assert own.take("a", 2)


def test_the_oldest_keys_go_when_there_are_too_many(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(attempts, "MAX_KEYS", 2)
    own = OwnAttempts()
    for key in "abc":
        own.take(key, 1)
    assert [own.take(key, 1) for key in "cba"] == [False, False, True]


def test_two_processes_share_their_counts() -> None:
    one, other = SharedAttempts(), SharedAttempts()
    assert [one.take("a", 2), other.take("a", 2), one.take("a", 2)] == [True, True, False]
    assert other.take("b", 2)


def test_shared_counts_end_with_the_window() -> None:
    shared = SharedAttempts(window=60)
    for _ in range(3):
        shared.take("a", 2)
    with redis_client() as redis:
        assert 0 < int(str(redis.ttl(f"{PREFIX}a"))) <= 60


def test_what_is_given_back_too_late_leaves_no_count_behind() -> None:
    shared = SharedAttempts()
    shared.give_back("a")
    with redis_client() as redis:
        assert redis.exists(f"{PREFIX}a") == 0


def test_another_process_has_used_up_the_attempts() -> None:
    for _ in range(FAILURES_OF_NAME):
        assert attempts.may_try(HERE, "bob")
    attempts.OWN.forget()
    assert not attempts.may_try(HERE, "Bob")
    assert attempts.may_try(HERE, "carol")
    assert attempts.may_try(THERE, "bob")


def test_an_address_has_a_limit_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(attempts, "FAILURES_OF_ADDRESS", 3)
    assert [attempts.may_try(HERE, name) for name in "abcd"] == [True, True, True, False]
    assert attempts.may_try(THERE, "d")


def test_what_succeeds_does_not_count() -> None:
    for _ in range(FAILURES_OF_NAME + 1):
        assert attempts.may_try(HERE, "bob")
        attempts.succeeded(HERE, "bob")


def test_without_redis_each_process_counts_for_itself(settings: Settings) -> None:
    settings.ACCORD_REDIS_URL = "redis://127.0.0.1:1/0"
    tried = [attempts.may_try(HERE, "bob") for _ in range(FAILURES_OF_NAME + 1)]
    assert tried == [True] * FAILURES_OF_NAME + [False]
    attempts.succeeded(HERE, "bob")
    assert attempts.may_try(HERE, "bob")
