"""The versions of a subject, newest first, and which two of them are picked for a comparison."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING
from urllib.parse import urlencode

from django.urls import reverse

from frontend.pages.comparison import read_number
from frontend.pages.paging import make_pager, read_page_number
from frontend.pages.subjects import place_of

if TYPE_CHECKING:
    from collections.abc import Set as AbstractSet

    from accord_server.kit.scope import Scope
    from frontend.pages.paging import Pager
    from frontend.pages.subject import SubjectHead
    from registry.records import Page, VersionRow


@dataclass(frozen=True, slots=True)
class VersionsQuery:
    """What the address asks for: a page, and the two sides picked so far; 0 where none is."""

    old: int = 0
    new: int = 0
    number: int = 1

    def address(self, number: int) -> str:
        """Return the query part of the address of another page with the same picks."""
        wanted = {"from": self.old, "to": self.new, "page": number if number > 1 else 0}
        return "?" + urlencode({name: value for name, value in wanted.items() if value})


@dataclass(frozen=True, slots=True)
class Pick:
    """A version that can be either side of a comparison."""

    number: int
    url: str
    is_from: bool
    is_to: bool


@dataclass(frozen=True, slots=True)
class VersionItem:
    """One version on the timeline; the first has none before it to be compared with."""

    row: VersionRow
    pick: Pick
    compare_url: str


@dataclass(frozen=True, slots=True)
class VersionsPage:
    """The whole page; ``kept`` are the picked versions that other pages list."""

    head: SubjectHead
    items: tuple[VersionItem, ...]
    kept: tuple[Pick, ...]
    pager: Pager
    compare_url: str

    @property
    def can_compare(self) -> bool:
        """True when there are two sides to pick."""
        return self.pager.total > 1


def read_versions(values: dict[str, str]) -> VersionsQuery:
    """Read the query part of the address; nonsense counts as absent."""
    old, new = (read_number(values.get(side, "")) for side in ("from", "to"))
    return VersionsQuery(old, new, read_page_number(values.get("page", "")))


def unlisted(query: VersionsQuery, found: Page[VersionRow]) -> set[int]:
    """Return the picked versions that this page does not list, which may not even exist."""
    return {query.old, query.new} - {0} - {row.number for row in found.rows}


def versions_page(
    scope: Scope,
    head: SubjectHead,
    query: VersionsQuery,
    found: Page[VersionRow],
    *,
    elsewhere: AbstractSet[int],
) -> VersionsPage:
    """Make the page; ``elsewhere`` are the picked versions that exist and are on another page."""
    place = [*place_of(scope), head.subject]
    definition, compare = (reverse(f"frontend:{name}", args=place) for name in ("definition", "comparison"))
    listed = {row.number for row in found.rows}
    picked = _settled(query, found, known=listed | elsewhere, latest=head.latest)
    kept = sorted({picked.old, picked.new} - {0} - listed, reverse=True)
    return VersionsPage(
        head=head,
        items=tuple(
            VersionItem(row, _pick(picked, row.number, definition), _compare_url(compare, row))
            for row in found.rows
        ),
        kept=tuple(_pick(picked, number, definition) for number in kept),
        pager=make_pager(found, picked.address),
        compare_url=compare,
    )


def _settled(
    query: VersionsQuery, found: Page[VersionRow], *, known: AbstractSet[int], latest: int
) -> VersionsQuery:
    """Fill in the sides that are not picked: the newest version of the page and the one before it."""
    old, new = _newest_change(found, latest=latest)
    return replace(
        query,
        old=query.old if query.old in known else old,
        new=query.new if query.new in known else new,
    )


def _newest_change(found: Page[VersionRow], *, latest: int) -> tuple[int, int]:
    if not found.rows:
        return 0, 0
    newest = found.rows[0]
    if newest.before is None:
        # The very first version alone on the last page: nothing to set it beside but the latest.
        return newest.number, latest
    return newest.before, newest.number


def _pick(picked: VersionsQuery, number: int, definition: str) -> Pick:
    return Pick(
        number=number,
        url=f"{definition}?v={number}",
        is_from=number == picked.old,
        is_to=number == picked.new,
    )


def _compare_url(compare: str, row: VersionRow) -> str:
    return f"{compare}?from={row.before}&to={row.number}" if row.before is not None else ""
