"""The versions of a subject, newest first, and which two of them are picked for a comparison."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from django.urls import reverse

from frontend.pages.subjects import place_of

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from accord_server.kit.scope import Scope
    from frontend.pages.subject import SubjectHead
    from registry.records import VersionRecord


@dataclass(frozen=True, slots=True)
class VersionItem:
    """One version on the timeline; the first has none before it to be compared with."""

    number: int
    schema_id: int
    created_at: datetime
    created_by: str
    url: str
    compare_url: str
    is_from: bool
    is_to: bool


@dataclass(frozen=True, slots=True)
class VersionsPage:
    """The whole page."""

    head: SubjectHead
    items: tuple[VersionItem, ...]
    compare_url: str

    @property
    def can_compare(self) -> bool:
        """True when there are two sides to pick."""
        return len(self.items) > 1


def versions_page(scope: Scope, head: SubjectHead, versions: Sequence[VersionRecord]) -> VersionsPage:
    """Make the page; the latest version and the one before it are picked."""
    place = [*place_of(scope), head.subject]
    definition, compare = (reverse(f"frontend:{name}", args=place) for name in ("definition", "comparison"))
    before = [0, *(one.number for one in versions)]
    items = [
        VersionItem(
            number=one.number,
            schema_id=one.schema.id,
            created_at=one.created_at,
            created_by=one.created_by,
            url=f"{definition}?v={one.number}",
            compare_url=f"{compare}?from={earlier}&to={one.number}" if earlier else "",
            is_from=one.number == before[-2],
            is_to=one.number == head.latest,
        )
        for earlier, one in zip(before, versions, strict=False)
    ]
    return VersionsPage(head, tuple(reversed(items)), compare)
