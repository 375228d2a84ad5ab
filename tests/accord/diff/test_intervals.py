"""Ranges are joined, asked and taken apart without writing them out."""

from __future__ import annotations

import pytest

from accord.diff.intervals import holds, merged, missing


def test_ranges_that_touch_or_overlap_become_one() -> None:
    assert merged([(7, 9), (1, 3), (4, 5), (8, 20), (30, 30)]) == [(1, 5), (7, 20), (30, 30)]


@pytest.mark.parametrize(("number", "is_held"), [(0, False), (1, True), (5, True), (6, False), (30, True)])
def test_a_number_is_held_or_not(number: int, is_held: bool) -> None:
    assert holds([(1, 5), (30, 30)], number) is is_held


@pytest.mark.parametrize(
    ("wanted", "lacking"),
    [
        ((2, 4), []),
        ((0, 4), [(0, 0)]),
        ((4, 8), [(6, 8)]),
        ((0, 40), [(0, 0), (6, 29), (31, 40)]),
        ((6, 29), [(6, 29)]),
        ((31, 40), [(31, 40)]),
    ],
)
def test_what_is_missing_of_a_range(wanted: tuple[int, int], lacking: list[tuple[int, int]]) -> None:
    assert missing([(1, 5), (30, 30)], wanted) == lacking


def test_nothing_holds_nothing() -> None:
    assert missing([], (1, 2)) == [(1, 2)]
    assert not holds([], 1)
