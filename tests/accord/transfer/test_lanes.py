"""Lanes do everything once, in the order that holds, and end together."""

from __future__ import annotations

from threading import Lock

import pytest

from accord.model import SubjectName
from accord.transfer.lanes import Lanes
from accord.transfer.records import Key


def key(text: str) -> Key:
    return Key(SubjectName(text[0]), int(text[1:]))


@pytest.mark.parametrize("lanes", [1, 2, 8])
def test_everything_is_done_after_what_it_needs(lanes: int) -> None:
    keys = [key(f"{subject}{number}") for number in range(1, 30) for subject in "abcde"]
    needs = {one: [*keys[max(0, at - 7) : at + 1], key("z9")] for at, one in enumerate(keys)}
    done: list[Key] = []
    told: list[int] = []
    lock = Lock()

    def act(one: Key) -> None:
        with lock:
            assert set(keys[max(0, keys.index(one) - 7) : keys.index(one)]) <= set(done)
            done.append(one)

    Lanes(keys, needs, act, told.append).run(lanes)
    assert sorted(done) == sorted(keys)
    assert told == list(range(1, len(keys) + 1))


def test_what_goes_wrong_stops_the_others() -> None:
    keys = [key(f"{subject}{number}") for number in range(1, 4) for subject in "ab"]
    done: list[Key] = []

    def act(one: Key) -> None:
        if one == key("a1"):
            raise KeyError(one)
        done.append(one)

    with pytest.raises(KeyError):
        Lanes(keys, dict.fromkeys(keys, keys[:1]), act, lambda count: None).run(2)
    assert done == []


def test_a_circle_of_needs_comes_to_an_end() -> None:
    keys = [key("a1"), key("b1"), key("c1")]
    done: list[Key] = []
    needs = {key("a1"): [key("b1")], key("b1"): [key("c1")], key("c1"): [key("a1")]}
    Lanes(keys, needs, done.append, lambda count: None).run(3)
    assert sorted(done) == keys
    assert done.index(key("a1")) < done.index(key("c1"))
