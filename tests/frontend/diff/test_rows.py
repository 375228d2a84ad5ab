"""Rows hold every line of both texts once; folds, layouts and marks change nothing of that."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from frontend.diff import RowKind, compare_texts, unified
from frontend.diff.align import align
from frontend.diff.marks import mark_line, words
from frontend.diff.rows import MAX_ROWS

LINES = ["{", "}", '"a": 1,', '"a": 2,', '"b": [1, 2]', ""]
TEXTS = st.lists(st.sampled_from(LINES), max_size=12).map("\n".join)


@given(TEXTS, TEXTS)
def test_unfolded_rows_hold_both_texts(old: str, new: str) -> None:
    found = compare_texts(old, new, context=None)
    old_numbers = [row.old.number for row in found.rows if row.old]
    new_numbers = [row.new.number for row in found.rows if row.new]
    assert old_numbers == list(range(1, old.count("\n") + 2))
    assert new_numbers == list(range(1, new.count("\n") + 2))
    assert found.is_same == (old == new)


@given(TEXTS, TEXTS, st.integers(0, 3))
def test_a_fold_stands_for_equal_lines_only(old: str, new: str, context: int) -> None:
    whole = compare_texts(old, new, context=None)
    folded = compare_texts(old, new, context=context)
    hidden = sum(row.folded for row in folded.rows)
    assert hidden + sum(row.kind is not RowKind.FOLD for row in folded.rows) == len(whole.rows)
    assert all(row.folded != 1 for row in folded.rows)
    assert (folded.removed, folded.added) == (whole.removed, whole.added)


@given(TEXTS, TEXTS)
def test_one_column_holds_the_same_lines_as_two(old: str, new: str) -> None:
    rows = compare_texts(old, new, context=None).rows
    column = list(unified(rows))
    assert [row.old.number for row in column if row.old] == [row.old.number for row in rows if row.old]
    assert [row.new.number for row in column if row.new] == [row.new.number for row in rows if row.new]
    assert all(row.kind is not RowKind.CHANGED for row in column)


def test_a_changed_word_is_marked_on_both_sides() -> None:
    (row,) = compare_texts('"type": "int",', '"type": "long",').rows
    assert row.kind is RowKind.CHANGED
    assert row.old is not None
    assert row.new is not None
    assert (row.old.marks, row.new.marks) == (((9, 12),), ((9, 13),))


def test_lines_with_nothing_in_common_are_not_marked() -> None:
    (row,) = compare_texts('"doc": "one"', "null").rows
    assert row.old is not None
    assert row.old.marks == ()


def test_lines_that_look_alike_share_a_row() -> None:
    assert align(["a b c", "x y z"], ["new", "x y q"]) == [(0, 0), (1, 1)]
    assert align(["x y z"], ["new one", "x y q"]) == [(None, 0), (0, 1)]
    assert align([], ["a"]) == [(None, 0)]


@given(st.text())
def test_words_lose_nothing(line: str) -> None:
    assert "".join(words(line)) == line


@given(st.text(max_size=40), st.text(max_size=40))
def test_without_its_marks_a_line_is_the_same_on_both_sides(old: str, new: str) -> None:
    old_marks, new_marks = mark_line(old, new)
    assert unmarked(old, old_marks) == unmarked(new, new_marks)


def unmarked(line: str, marks: tuple[tuple[int, int], ...]) -> str:
    return "".join(one for at, one in enumerate(line) if not any(start <= at < end for start, end in marks))


@pytest.mark.parametrize("lines", [MAX_ROWS + 1, 30_000])
def test_a_difference_without_end_is_cut_and_says_so(lines: int) -> None:
    found = compare_texts("\n".join(map(str, range(lines))), "\n".join(map(str, range(-lines, 0))))
    assert len(found.rows) == MAX_ROWS
    assert found.is_cut
