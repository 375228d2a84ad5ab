"""Epochs of namespaces only grow, and a move is seen before the new epoch is."""

from __future__ import annotations

from uuid import UUID

import pytest

from accord_server.kit.epochs import Epochs

ONE, OTHER, THIRD = (UUID(int=number) for number in (1, 2, 3))


@pytest.fixture
def epochs() -> Epochs:
    """Room for two."""
    return Epochs(capacity=2)


def test_a_move_is_of_one_namespace(epochs: Epochs) -> None:
    epochs.move(ONE)
    assert (epochs.of(ONE), epochs.of(OTHER), epochs.moves) == (1, 0, 1)


def test_a_move_of_all_is_of_those_never_heard_of_too(epochs: Epochs) -> None:
    epochs.move(ONE)
    epochs.move_all()
    assert epochs.of(ONE) == epochs.of(OTHER) == 2


def test_no_epoch_comes_again_when_there_is_no_room(epochs: Epochs) -> None:
    seen = []
    for one in (ONE, OTHER, THIRD, ONE):
        before = epochs.of(one)
        epochs.move(one)
        seen.append(epochs.of(one) > before)
    assert all(seen)
