"""The pairs are the same for everybody, of both sorts, and mean something to the yardstick."""

from __future__ import annotations

from benchmarks.json_compatibility import check_from_text, growth, matching, unseen, validate
from benchmarks.json_pairs import branches, pairs


def test_a_seed_stands_for_the_same_pairs() -> None:
    assert pairs(3, 10, seed=1) == pairs(3, 10, seed=1)
    assert pairs(3, 10, seed=1) != pairs(3, 10, seed=2)


def test_the_pairs_are_of_both_sorts_and_valid() -> None:
    some = unseen(100)()
    assert {check_from_text(one) for one in some} == {True, False}
    for one in some:
        validate(one)


def test_growth_and_matching_are_measured() -> None:
    assert growth(20, 10).ratio > 0
    assert matching(1).ratio > 0
    assert check_from_text(branches(5))
