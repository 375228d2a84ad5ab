"""Two texts as rows: what is equal, what changed, and which equal runs may be folded."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

from frontend.diff.align import align
from frontend.diff.marks import MIN_LIKENESS, Span, bag, likeness, mark_line
from frontend.diff.sequences import Block, blocks

if TYPE_CHECKING:
    from collections.abc import Iterator

CONTEXT_LINES = 3
# A page shows at most this many rows; what is cut is said, never hidden.
MAX_ROWS = 3_000
MAX_LINES = 20_000


class RowKind(StrEnum):
    """What a row shows."""

    SAME = "same"
    CHANGED = "changed"
    REMOVED = "removed"
    ADDED = "added"
    FOLD = "fold"


@dataclass(frozen=True, slots=True)
class Side:
    """One line of one text: its number from 1 and the spans that changed inside it."""

    number: int
    marks: tuple[Span, ...] = ()


@dataclass(frozen=True, slots=True)
class Row:
    """One row; ``folded`` counts the equal lines a fold stands for."""

    kind: RowKind
    old: Side | None = None
    new: Side | None = None
    folded: int = 0


@dataclass(frozen=True, slots=True)
class SideBySide:
    """All rows of a comparison with their counts; ``is_cut`` says that the texts go on."""

    rows: tuple[Row, ...]
    removed: int
    added: int
    is_cut: bool

    @property
    def is_same(self) -> bool:
        """True when the texts do not differ."""
        return not self.removed and not self.added


def compare_texts(old: str, new: str, *, context: int | None = CONTEXT_LINES) -> SideBySide:
    """Compare line by line; equal runs further than ``context`` from a change fold (None: never)."""
    old_lines, new_lines = old.split("\n"), new.split("\n")
    too_long = max(len(old_lines), len(new_lines)) > MAX_LINES
    rows = list(_rows(old_lines[:MAX_LINES], new_lines[:MAX_LINES]))
    shown = list(_fold(rows, context)) if context is not None else rows
    return SideBySide(
        rows=tuple(shown[:MAX_ROWS]),
        removed=sum(row.old is not None and row.kind is not RowKind.SAME for row in rows),
        added=sum(row.new is not None and row.kind is not RowKind.SAME for row in rows),
        is_cut=too_long or len(shown) > MAX_ROWS,
    )


def unified(rows: tuple[Row, ...]) -> Iterator[Row]:
    """Rearrange rows for one column: of each changed run first what went, then what came."""
    run: list[Row] = []
    for row in rows:
        if row.kind in {RowKind.SAME, RowKind.FOLD}:
            yield from _one_column(run)
            run = []
            yield row
        else:
            run.append(row)
    yield from _one_column(run)


def _one_column(run: list[Row]) -> Iterator[Row]:
    for row in run:
        if row.old is not None:
            yield Row(RowKind.REMOVED, old=row.old)
    for row in run:
        if row.new is not None:
            yield Row(RowKind.ADDED, new=row.new)


def _rows(old: list[str], new: list[str]) -> Iterator[Row]:
    for block in blocks(old, new):
        if block.is_equal:
            for step in range(block.old_end - block.old_start):
                sides = Side(block.old_start + step + 1), Side(block.new_start + step + 1)
                yield Row(RowKind.SAME, *sides)
        else:
            yield from _changed(old, new, block=block)


def _changed(old: list[str], new: list[str], *, block: Block) -> Iterator[Row]:
    old_part, new_part = old[block.old_start : block.old_end], new[block.new_start : block.new_end]
    for old_at, new_at in align(old_part, new_part):
        if old_at is None and new_at is not None:
            yield Row(RowKind.ADDED, new=Side(block.new_start + new_at + 1))
        elif new_at is None and old_at is not None:
            yield Row(RowKind.REMOVED, old=Side(block.old_start + old_at + 1))
        elif old_at is not None and new_at is not None:
            old_marks, new_marks = _marks(old_part[old_at], new_part[new_at])
            yield Row(
                RowKind.CHANGED,
                Side(block.old_start + old_at + 1, old_marks),
                Side(block.new_start + new_at + 1, new_marks),
            )


def _marks(old: str, new: str) -> tuple[tuple[Span, ...], tuple[Span, ...]]:
    return mark_line(old, new) if likeness(bag(old), bag(new)) >= MIN_LIKENESS else ((), ())


def _fold(rows: list[Row], context: int) -> Iterator[Row]:
    kept = _near_changes(rows, context)
    hidden = 0
    for row, is_kept in zip(rows, kept, strict=True):
        if not is_kept:
            hidden += 1
            continue
        if hidden:
            yield Row(RowKind.FOLD, folded=hidden)
            hidden = 0
        yield row
    if hidden:
        yield Row(RowKind.FOLD, folded=hidden)


def _near_changes(rows: list[Row], context: int) -> list[bool]:
    kept = [False] * len(rows)
    for at, row in enumerate(rows):
        if row.kind is not RowKind.SAME:
            start, end = max(0, at - context), min(len(rows), at + context + 1)
            kept[start:end] = [True] * (end - start)
    return _without_single_folds(kept)


def _without_single_folds(kept: list[bool]) -> list[bool]:
    """Show a lone hidden line: the fold in its place would be just as tall."""
    padded = [True, *kept, True]
    return [here or (padded[at] and padded[at + 2]) for at, here in enumerate(kept)]
