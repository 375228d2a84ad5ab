"""Pages of lists: numbers for people, offset and limit for clients, both bounded."""

from __future__ import annotations

from dataclasses import dataclass

LARGEST_PAGE = 200
DEFAULT_PAGE = 50
# PostgreSQL counts rows it skips; nobody turns this many pages.
LARGEST_NUMBER = 100_000
# What a client of the Confluent dialect may ask to skip: the largest number of its integers.
LARGEST_OFFSET = 2**31 - 1


@dataclass(frozen=True, slots=True)
class Slice:
    """Which part of a list; ``limit`` is None for all of the rest."""

    offset: int = 0
    limit: int | None = None

    @property
    def end(self) -> int | None:
        """Where the part ends."""
        return None if self.limit is None else self.offset + self.limit


def page_slice(number: int, size: int = DEFAULT_PAGE) -> Slice:
    """Return the part that a page shows; numbers start at 1 and wild ones are pulled in."""
    size = min(max(size, 1), LARGEST_PAGE)
    number = min(max(number, 1), LARGEST_NUMBER)
    return Slice((number - 1) * size, size)


def client_slice(offset: int, limit: int, *, default: int | None = None, largest: int | None = None) -> Slice:
    """Return the part a client of the Confluent dialect asks for.

    A negative offset counts as 0; a limit of 0 or less, or above the largest, as the default.
    """
    is_wild = limit <= 0 or (largest is not None and limit > largest)
    return Slice(min(max(offset, 0), LARGEST_OFFSET), default if is_wild else limit)
