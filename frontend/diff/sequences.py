"""Find what two sequences have in common: trim, patience anchors, then Myers under a work limit.

Python's difflib is quadratic on repetitive input (36 s for 9,000 lines of a schema were measured
with its junk heuristic off), so one request could hold a server thread. Here the work is bounded:
where the limit strikes, a stretch is reported as replaced, which is correct, only less fine.
Sources: E. Myers, "An O(ND) difference algorithm and its variations" (1986); B. Cohen's patience diff.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterator, Sequence

MAX_DISTANCE = 160
MAX_SPLITS = 24
WORK_LIMIT = 600_000

Match = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Block:
    """A stretch of both sequences: ``old[old_start:old_end]`` beside ``new[new_start:new_end]``."""

    old_start: int
    old_end: int
    new_start: int
    new_end: int
    is_equal: bool


@dataclass(frozen=True, slots=True)
class Window:
    """A part of both sequences that is still to be compared; ``splits`` counts how it came about."""

    old_start: int
    old_end: int
    new_start: int
    new_end: int
    splits: int = 0

    @property
    def is_one_sided(self) -> bool:
        """True when one side is empty, so nothing can match."""
        return self.old_start == self.old_end or self.new_start == self.new_end


@dataclass(slots=True)
class Work:
    """What is left of the work limit of one comparison."""

    left: int = WORK_LIMIT


def blocks(old: Sequence[Hashable], new: Sequence[Hashable]) -> list[Block]:
    """Cut both sequences into blocks, equal and changed ones by turns, in order and without gaps."""
    found: list[Block] = []
    old_at = new_at = 0
    for old_start, new_start, length in _runs(matches(old, new)):
        if old_at < old_start or new_at < new_start:
            found.append(Block(old_at, old_start, new_at, new_start, is_equal=False))
        old_at, new_at = old_start + length, new_start + length
        found.append(Block(old_start, old_at, new_start, new_at, is_equal=True))
    if old_at < len(old) or new_at < len(new):
        found.append(Block(old_at, len(old), new_at, len(new), is_equal=False))
    return found


def matches(old: Sequence[Hashable], new: Sequence[Hashable]) -> list[Match]:
    """Pair equal items of both sequences, rising on both sides."""
    found: list[Match] = []
    work = Work()
    waiting = [Window(0, len(old), 0, len(new))]
    while waiting:
        window = _trim(old, new, window=waiting.pop(), found=found)
        if window.is_one_sided:
            continue
        anchors = _anchors(old, new, window=window) if window.splits < MAX_SPLITS else []
        if anchors:
            waiting.extend(_between(anchors, window))
        else:
            found.extend(_myers(old, new, window=window, work=work))
        found.extend(anchors)
    return sorted(found)


def _runs(pairs: list[Match]) -> Iterator[tuple[int, int, int]]:
    start = 0
    for at in range(1, len(pairs) + 1):
        if at < len(pairs) and pairs[at] == (pairs[at - 1][0] + 1, pairs[at - 1][1] + 1):
            continue
        yield (*pairs[start], at - start)
        start = at


def _trim(old: Sequence[Hashable], new: Sequence[Hashable], *, window: Window, found: list[Match]) -> Window:
    old_start, old_end = window.old_start, window.old_end
    new_start, new_end = window.new_start, window.new_end
    while old_start < old_end and new_start < new_end and old[old_start] == new[new_start]:
        found.append((old_start, new_start))
        old_start, new_start = old_start + 1, new_start + 1
    while old_start < old_end and new_start < new_end and old[old_end - 1] == new[new_end - 1]:
        old_end, new_end = old_end - 1, new_end - 1
        found.append((old_end, new_end))
    return Window(old_start, old_end, new_start, new_end, window.splits)


def _anchors(old: Sequence[Hashable], new: Sequence[Hashable], *, window: Window) -> list[Match]:
    """Pair the items that occur once on each side, as many as keep their order."""
    old_places = _unique(old, window.old_start, window.old_end)
    new_places = _unique(new, window.new_start, window.new_end)
    pairs = [(place, new_places[item]) for item, place in old_places.items() if item in new_places]
    return _longest_rise(pairs)


def _unique(items: Sequence[Hashable], start: int, end: int) -> dict[Hashable, int]:
    count = Counter(items[start:end])
    return {items[at]: at for at in range(start, end) if count[items[at]] == 1}


def _longest_rise(pairs: list[Match]) -> list[Match]:
    """Pick the longest chain that rises on the right side too (patience sorting, n log n)."""
    tops: list[int] = []
    holders: list[int] = []
    before: list[int] = []
    for at, (_, place) in enumerate(pairs):
        pile = bisect_left(tops, place)
        before.append(holders[pile - 1] if pile else -1)
        tops[pile : pile + 1] = [place]
        holders[pile : pile + 1] = [at]
    chain: list[Match] = []
    at = holders[-1] if holders else -1
    while at >= 0:
        chain.append(pairs[at])
        at = before[at]
    return chain[::-1]


def _between(anchors: list[Match], window: Window) -> Iterator[Window]:
    old_at, new_at = window.old_start, window.new_start
    for old_place, new_place in anchors:
        yield Window(old_at, old_place, new_at, new_place, window.splits + 1)
        old_at, new_at = old_place + 1, new_place + 1
    yield Window(old_at, window.old_end, new_at, window.new_end, window.splits + 1)


def _myers(old: Sequence[Hashable], new: Sequence[Hashable], *, window: Window, work: Work) -> list[Match]:
    """Find the shortest edit script of the window, or nothing when it is too far or work is spent."""
    height, width = window.old_end - window.old_start, window.new_end - window.new_start
    furthest = {1: 0}
    trail: list[dict[int, int]] = []
    for distance in range(min(height + width, MAX_DISTANCE) + 1):
        trail.append(dict(furthest))
        for diagonal in range(-distance, distance + 1, 2):
            x = start = _step(furthest, diagonal, distance)
            while (
                x < height
                and x - diagonal < width
                and (old[window.old_start + x] == new[window.new_start + x - diagonal])
            ):
                x += 1
            work.left -= 1 + x - start
            furthest[diagonal] = x
            if x >= height and x - diagonal >= width:
                return _walk_back(trail, window)
        if work.left < 0:
            break
    return []


def _step(furthest: dict[int, int], diagonal: int, distance: int) -> int:
    """Return how far down the old side this diagonal starts: by an insertion or by a deletion."""
    inserts = diagonal == -distance or (
        diagonal != distance and furthest[diagonal - 1] < furthest[diagonal + 1]
    )
    return furthest[diagonal + 1] if inserts else furthest[diagonal - 1] + 1


def _walk_back(trail: list[dict[int, int]], window: Window) -> list[Match]:
    x, y = window.old_end - window.old_start, window.new_end - window.new_start
    found: list[Match] = []
    for distance in range(len(trail) - 1, -1, -1):
        furthest, diagonal = trail[distance], x - y
        start = _step(furthest, diagonal, distance)
        while x > start:
            x, y = x - 1, y - 1
            found.append((window.old_start + x, window.new_start + y))
        inserts = start == furthest.get(diagonal + 1) and (
            diagonal == -distance or (diagonal != distance and furthest[diagonal - 1] < start)
        )
        x, y = (x, y - 1) if inserts else (x - 1, y)
    return found
