"""The matches are real, in order, and on small inputs as many as there can be; the work is bounded."""

from __future__ import annotations

import random
import time
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from frontend.diff.sequences import Window, Work, _myers, blocks, matches

WORDS = st.lists(st.sampled_from("abcd"), max_size=14)


def longest(old: list[str], new: list[str]) -> int:
    """The length of the longest common subsequence, by the textbook."""
    best = [0] * (len(new) + 1)
    for one in old:
        before = best[:]
        for at, other in enumerate(new):
            best[at + 1] = before[at] + 1 if one == other else max(best[at], before[at + 1])
    return best[-1]


@given(WORDS, WORDS)
def test_matches_pair_equal_items_and_rise(old: list[str], new: list[str]) -> None:
    found = matches(old, new)
    assert all(old[left] == new[right] for left, right in found)
    assert all(one[0] < two[0] and one[1] < two[1] for one, two in pairwise(found))


@given(WORDS, WORDS)
def test_the_shortest_script_is_found_where_no_limit_strikes(old: list[str], new: list[str]) -> None:
    found = _myers(old, new, window=Window(0, len(old), 0, len(new)), work=Work())
    assert len(found) == longest(old, new)


@given(WORDS, WORDS)
def test_blocks_cover_both_sides_without_gaps(old: list[str], new: list[str]) -> None:
    found = blocks(old, new)
    assert [item for block in found for item in old[block.old_start : block.old_end]] == old
    assert [item for block in found for item in new[block.new_start : block.new_end]] == new
    assert all(
        block.is_equal == (old[block.old_start : block.old_end] == new[block.new_start : block.new_end])
        for block in found
    )


def test_equal_sequences_are_one_block() -> None:
    assert [block.is_equal for block in blocks("abc", "abc")] == [True]
    assert blocks("", "") == []


def test_a_moved_unique_line_anchors_the_rest() -> None:
    assert matches("xaybz", "aybzx") == [(1, 0), (2, 1), (3, 2), (4, 3)]


@pytest.mark.parametrize("kinds", [2, 8, 4_500, 9_000])
def test_nine_thousand_shuffled_lines_hold_no_thread(kinds: int) -> None:
    lines = [str(number % kinds) for number in range(9_000)]
    shuffled = random.Random(7).sample(lines, len(lines))
    started = time.process_time()
    matches(lines, shuffled)
    assert time.process_time() - started < 10
