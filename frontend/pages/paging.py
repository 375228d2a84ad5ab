"""Lists that are shown page by page: which page an address asks for, and where one is among them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Callable

    from registry.records import Page

PAGE_SIZE: Final = 50
MAX_PAGE: Final = 100_000


@dataclass(frozen=True, slots=True)
class Step:
    """A page one can go to."""

    number: int
    url: str


@dataclass(frozen=True, slots=True)
class Pager:
    """Where one is among the pages; None stands where there is no such page."""

    first: int
    last: int
    total: int
    number: int
    pages: int
    start: str
    previous: Step | None
    following: Step | None


def read_page_number(text: str) -> int:
    """Read the number of a page within bounds; nonsense means the first page."""
    is_number = text.isascii() and text.isdigit() and len(text) <= len(str(MAX_PAGE))
    return min(max(int(text), 1), MAX_PAGE) if is_number else 1


def make_pager(found: Page[Any], address: Callable[[int], str]) -> Pager:
    """Place a page among the others, whose addresses the caller knows."""
    pages = max(1, -(-found.total // found.size))
    before = (found.number - 1) * found.size
    back, on = min(found.number - 1, pages), found.number + 1
    return Pager(
        first=before + 1 if found.rows else 0,
        last=before + len(found.rows),
        total=found.total,
        number=found.number,
        pages=pages,
        start=address(1),
        previous=Step(back, address(back)) if back else None,
        following=Step(on, address(on)) if on <= pages else None,
    )
