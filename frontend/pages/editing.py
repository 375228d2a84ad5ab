"""How much room a text gets that is typed into a page, and the numbers beside its lines."""

from __future__ import annotations

from typing import Final

MIN_ROWS: Final = 16
# Nobody types a text this long; what is pasted beyond has no numbers.
MAX_ROWS: Final = 2_000
SPARE_ROWS: Final = 2


def rows_for(text: str) -> int:
    """Return how many rows show all of a text."""
    return min(MAX_ROWS, max(MIN_ROWS, text.count("\n") + 1 + SPARE_ROWS))


def numbers_for(text: str) -> range:
    """Return the numbers of its lines."""
    return range(1, min(MAX_ROWS, text.count("\n") + 1) + 1)


def typed(text: str) -> str:
    """Return what was typed: browsers send line ends of their own, and no database takes a null."""
    return text.replace("\r\n", "\n").replace("\0", "\N{REPLACEMENT CHARACTER}")
