"""The benchmark of huge descriptors judges what it says it does."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from accord.policy import HistoryEntry, judge
from benchmarks.protobuf_descriptors import POLICY, enumerating, growth, holding, ready, reserving

if TYPE_CHECKING:
    from benchmarks.protobuf_descriptors import Make


@pytest.mark.parametrize(
    ("make", "rule"),
    [
        (reserving, "RESERVED_MESSAGE_NO_DELETE"),
        (enumerating, "ENUM_VALUE_NO_DELETE"),
        (holding, "FIELD_NO_DELETE"),
    ],
)
def test_what_is_gone_is_found(make: Make, rule: str) -> None:
    new, old = ready(make(9)), ready(make(10))
    assert rule in {one.rule for one in judge(new, [HistoryEntry(1, old)], POLICY).findings}


def test_growth_compares_ten_times_as_much() -> None:
    assert growth("fields", holding, 20).ratio > 0
