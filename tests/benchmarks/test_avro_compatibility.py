"""The pairs are the same for everybody, and both sides of the comparison agree on them."""

from __future__ import annotations

import json

from benchmarks.avro_compatibility import check_ours, disagreements, parse_ours
from benchmarks.avro_pairs import pairs, wide_pairs


def test_a_seed_stands_for_the_same_pairs() -> None:
    assert pairs(3, seed=1) == pairs(3, seed=1)
    assert pairs(3, seed=1) != pairs(3, seed=2)


def test_both_sides_agree_and_the_pairs_are_of_both_sorts() -> None:
    some = pairs(20)
    assert disagreements(some) == []
    assert {check_ours(parse_ours(one)) for one in some} == {True, False}


def test_wide_pairs_have_the_fields_asked_for() -> None:
    (pair,) = wide_pairs(1, 10)
    assert len(json.loads(pair.writer)["fields"]) == 10
    assert wide_pairs(2, 10, seed=1) == wide_pairs(2, 10, seed=1)
    assert check_ours(parse_ours(pair)) in {True, False}
