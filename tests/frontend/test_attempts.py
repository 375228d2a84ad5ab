"""Failures count for a while, by key, and never without bound."""

from __future__ import annotations

from typing import TYPE_CHECKING

from frontend import attempts
from frontend.attempts import Attempts

if TYPE_CHECKING:
    import pytest


class Clock:
    """A clock that is set by hand."""

    now = 0.0

    def __call__(self) -> float:
        """Tell the time."""
        return self.now


def test_a_key_is_spent_after_its_limit_and_free_after_the_window() -> None:
    clock = Clock()
    tried = Attempts(limit=2, window=60, clock=clock)
    tried.count("a")
    assert not tried.is_spent("a")
    tried.count("a")
    assert tried.is_spent("a")
    assert not tried.is_spent("b")
    clock.now = 61
    assert not tried.is_spent("a")


def test_the_oldest_keys_go_when_there_are_too_many(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(attempts, "MAX_KEYS", 2)
    tried = Attempts(limit=1)
    for key in "abc":
        tried.count(key)
    assert [tried.is_spent(key) for key in "abc"] == [False, True, True]
