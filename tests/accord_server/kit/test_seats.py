"""Places to wait in: bounded for all, and for each owner."""

from __future__ import annotations

from contextlib import ExitStack

import pytest

from accord_server.kit.seats import Seats
from accord_server.kit.turnstile import Crowded


def test_one_owner_does_not_take_every_seat() -> None:
    seats = Seats()
    with ExitStack() as held:
        for owner in ("north", "north", "south"):
            held.enter_context(seats.seat(owner, places=4, of_one=2))
        with pytest.raises(Crowded):
            held.enter_context(seats.seat("north", places=4, of_one=2))
        held.enter_context(seats.seat("south", places=4, of_one=2))
        with pytest.raises(Crowded):
            held.enter_context(seats.seat("west", places=4, of_one=2))


def test_who_leaves_makes_room() -> None:
    seats = Seats()
    for _ in range(2):
        with pytest.raises(KeyError), seats.seat("north", places=1, of_one=1):
            raise KeyError
