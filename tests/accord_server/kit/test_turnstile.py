"""So many work, so many wait, and the next one hears at once that there is no place."""

from __future__ import annotations

import time
from concurrent.futures import ThreadPoolExecutor
from threading import Event

import pytest

from accord_server.kit.turnstile import Crowded, Turnstile

SOON_S = 10.0


def occupy(stile: Turnstile, inside: Event, go: Event) -> bool:
    """Stay inside until told to go; False if there was no place."""
    try:
        with stile.turn():
            inside.set()
            return go.wait(SOON_S)
    except Crowded:
        return False


def test_one_works_one_waits_and_the_third_is_refused_at_once() -> None:
    stile, (first, second, third), go = Turnstile(inside=1, waiting=1, patience=SOON_S), _events(3), Event()
    with ThreadPoolExecutor(3) as pool:
        working = pool.submit(occupy, stile, first, go)
        assert first.wait(SOON_S)
        waiting = pool.submit(occupy, stile, second, go)
        _wait_until_full(stile)
        assert pool.submit(occupy, stile, third, go).result(timeout=SOON_S) is False
        assert not second.is_set()
        go.set()
        assert (working.result(SOON_S), waiting.result(SOON_S)) == (True, True)
    assert stile.places == 2


def test_patience_ends() -> None:
    stile, (first,), go = Turnstile(inside=1, waiting=1, patience=0.05), _events(1), Event()
    with ThreadPoolExecutor(1) as pool:
        working = pool.submit(occupy, stile, first, go)
        assert first.wait(SOON_S)
        with pytest.raises(Crowded), stile.turn():
            pass
        assert stile.places == 1
        go.set()
        assert working.result(SOON_S)


def test_who_is_inside_goes_on() -> None:
    stile = Turnstile(inside=1, waiting=0, patience=0)
    with stile.turn(), stile.turn():
        assert stile.is_held
    assert (stile.is_held, stile.places) == (False, 1)


def test_a_failure_gives_the_place_back() -> None:
    stile = Turnstile(inside=1, waiting=0, patience=0)
    with pytest.raises(ValueError, match="broken"), stile.turn():
        raise ValueError("broken")
    assert (stile.is_held, stile.places) == (False, 1)


def test_without_seats_nobody_waits() -> None:
    stile, (first,), go = Turnstile(inside=1, waiting=0, patience=SOON_S), _events(1), Event()
    with ThreadPoolExecutor(1) as pool:
        working = pool.submit(occupy, stile, first, go)
        assert first.wait(SOON_S)
        with pytest.raises(Crowded), stile.turn():
            pass
        go.set()
        assert working.result(SOON_S)


def _wait_until_full(stile: Turnstile) -> None:
    while stile.places:
        time.sleep(0.01)


def _events(count: int) -> list[Event]:
    return [Event() for _ in range(count)]
