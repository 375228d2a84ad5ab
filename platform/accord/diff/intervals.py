"""Inclusive ranges of whole numbers, never written out one by one."""

from __future__ import annotations

from bisect import bisect_right
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Iterable

Interval: TypeAlias = tuple[int, int]


def merged(ranges: Iterable[Interval]) -> list[Interval]:
    """Return the ranges in order, those that overlap or touch made one."""
    found: list[Interval] = []
    for start, end in sorted(ranges):
        if found and start <= found[-1][1] + 1:
            found[-1] = (found[-1][0], max(end, found[-1][1]))
        else:
            found.append((start, end))
    return found


def holds(ranges: list[Interval], number: int) -> bool:
    """Tell whether merged ranges hold a number."""
    place = bisect_right(ranges, number, key=lambda one: one[0])
    return place > 0 and ranges[place - 1][1] >= number


def missing(ranges: list[Interval], wanted: Interval) -> list[Interval]:
    """Return what merged ranges lack of another range, in order."""
    start, end = wanted
    place = max(bisect_right(ranges, start, key=lambda one: one[0]) - 1, 0)
    found: list[Interval] = []
    while start <= end and place < len(ranges) and ranges[place][0] <= end:
        first, last = ranges[place]
        if last >= start:
            if first > start:
                found.append((start, first - 1))
            start = last + 1
        place += 1
    return [*found, (start, end)] if start <= end else found
