"""Mark what changed inside a line: word by word, never letter by letter."""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING

from frontend.diff.sequences import blocks

if TYPE_CHECKING:
    from collections.abc import Iterator

WORDS = re.compile(r"\w+|\s+|[^\w\s]")
# Longer lines are compared as a whole: marks inside them help nobody and cost time.
MAX_LINE = 1_000
MIN_LIKENESS = 0.5

Span = tuple[int, int]


def words(line: str) -> list[str]:
    """Split a line into words, runs of spaces and single signs; nothing is lost."""
    return WORDS.findall(line) if len(line) <= MAX_LINE else [line]


def likeness(old: Counter[str], new: Counter[str]) -> float:
    """Tell how much two bags of words share: 0 is nothing, 1 is all of it."""
    total = old.total() + new.total()
    return 2 * (old & new).total() / total if total else 1.0


def bag(line: str) -> Counter[str]:
    """Count the words of a line; the indentation says nothing about likeness."""
    return Counter(words(line.strip()))


def mark_line(old: str, new: str) -> tuple[tuple[Span, ...], tuple[Span, ...]]:
    """Return the changed spans of both lines; none where the lines have little in common."""
    old_words, new_words = words(old), words(new)
    changed = [block for block in blocks(old_words, new_words) if not block.is_equal]
    old_spans = _spans(old_words, [(block.old_start, block.old_end) for block in changed])
    new_spans = _spans(new_words, [(block.new_start, block.new_end) for block in changed])
    return tuple(old_spans), tuple(new_spans)


def _spans(parts: list[str], ranges: list[Span]) -> Iterator[Span]:
    ends = [0]
    for part in parts:
        ends.append(ends[-1] + len(part))
    for start, end in ranges:
        if start < end:
            yield ends[start], ends[end]
