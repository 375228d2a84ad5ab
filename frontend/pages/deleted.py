"""What is soft-deleted in a namespace, and the way back."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from django.urls import reverse

from frontend.pages.paging import make_pager
from frontend.pages.subjects import place_of
from registry.services.restoring import RIGHT

if TYPE_CHECKING:
    from accord_server.kit.scope import Scope
    from frontend.pages.paging import Pager
    from frontend.pages.subject import TabLink
    from frontend.pages.subjects import SubjectsQuery
    from registry.records import DeletedRow, Page


@dataclass(frozen=True, slots=True)
class DeletedItem:
    """One deleted version; ``url`` leads to its subject where that has live versions."""

    row: DeletedRow
    url: str
    can_restore: bool


@dataclass(frozen=True, slots=True)
class DeletedPage:
    """The whole page; ``refusal`` says why nothing was brought back."""

    tabs: tuple[TabLink, ...]
    query: SubjectsQuery
    url: str
    items: tuple[DeletedItem, ...]
    pager: Pager
    right: str = RIGHT
    refusal: str = ""


def deleted_page(
    scope: Scope,
    query: SubjectsQuery,
    found: Page[DeletedRow],
    *,
    tabs: tuple[TabLink, ...],
    refusal: str = "",
) -> DeletedPage:
    """Make the page of what the search found."""
    return DeletedPage(
        tabs=tabs,
        query=query,
        url=reverse("frontend:deleted", args=place_of(scope)),
        items=tuple(_item(scope, row) for row in found.rows),
        pager=make_pager(found, query.address),
        refusal=refusal,
    )


def _item(scope: Scope, row: DeletedRow) -> DeletedItem:
    versions = reverse("frontend:versions", args=[*place_of(scope), row.subject])
    return DeletedItem(row, versions if row.has_live else "", scope.may(RIGHT, row.subject))
