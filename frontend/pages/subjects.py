"""The subjects of a namespace: rows, search, paging, and what an empty list means."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Final
from urllib.parse import urlencode

from django.urls import reverse

from frontend.pages.paging import make_pager, read_page_number
from tenants.records import AnonymousAccess

if TYPE_CHECKING:
    from datetime import datetime

    from accord.model import Format, SubjectName
    from accord_server.kit.scope import Scope
    from frontend.pages.paging import Pager
    from frontend.pages.subject import TabLink
    from registry.records import Page, SubjectRow

MAX_QUERY: Final = 200
CLOSED: Final = AnonymousAccess()
RIGHTS: Final = ("subject.list", "subject.read")
WRITE: Final = "subject.write"


class Empty(StrEnum):
    """Why a list shows nothing."""

    NOT = ""
    FIRST_RUN = "first_run"
    FILTER = "filter"
    PERMISSION = "permission"
    PAST_END = "past_end"


@dataclass(frozen=True, slots=True)
class SubjectsQuery:
    """What the address asks for, within bounds whatever it says."""

    text: str = ""
    number: int = 1

    def address(self, number: int) -> str:
        """Return the query part of the address of another page of the same search."""
        wanted = {"q": self.text, "page": str(number) if number > 1 else ""}
        return "?" + urlencode({name: value for name, value in wanted.items() if value})


@dataclass(frozen=True, slots=True)
class SubjectItem:
    """One row of the list; without an address it may be listed but not read."""

    subject: SubjectName
    url: str
    format: Format
    latest: int
    versions: int
    schema_id: int
    updated_at: datetime


@dataclass(frozen=True, slots=True)
class SubjectsPage:
    """The whole page."""

    namespace: str
    tabs: tuple[TabLink, ...]
    query: SubjectsQuery
    url: str
    items: tuple[SubjectItem, ...]
    pager: Pager
    empty: Empty
    registry_url: str
    is_fragment: bool
    register_url: str
    opened: AnonymousAccess = CLOSED


def read_query(values: dict[str, str]) -> SubjectsQuery:
    """Read the query part of the address; nonsense counts as absent."""
    text = values.get("q", "").replace("\0", "").strip()[:MAX_QUERY]
    return SubjectsQuery(text, read_page_number(values.get("page", "")))


def subjects_page(
    scope: Scope,
    query: SubjectsQuery,
    found: Page[SubjectRow],
    *,
    registry_url: str,
    tabs: tuple[TabLink, ...] = (),
    is_fragment: bool = False,
) -> SubjectsPage:
    """Make the page of what the search found."""
    place = place_of(scope)
    return SubjectsPage(
        namespace=place[1],
        tabs=tabs,
        query=query,
        url=reverse("frontend:subjects", args=place),
        items=tuple(_item(scope, row) for row in found.rows),
        pager=make_pager(found, query.address),
        empty=_why_empty(scope, query, found),
        registry_url=registry_url,
        is_fragment=is_fragment,
        register_url=reverse("frontend:register", args=place) if scope.selectors(WRITE) else "",
    )


def place_of(scope: Scope) -> tuple[str, str]:
    """Return tenant and namespace as addresses name them."""
    return scope.tenant.slug, scope.namespace.slug if scope.namespace else ""


def _item(scope: Scope, row: SubjectRow) -> SubjectItem:
    is_readable = scope.may("subject.read", row.subject)
    return SubjectItem(
        subject=row.subject,
        url=reverse("frontend:definition", args=[*place_of(scope), row.subject]) if is_readable else "",
        format=row.format,
        latest=row.latest,
        versions=row.versions,
        schema_id=row.latest_schema_id,
        updated_at=row.updated_at,
    )


def _why_empty(scope: Scope, query: SubjectsQuery, found: Page[SubjectRow]) -> Empty:
    if found.rows:
        return Empty.NOT
    if found.total:
        return Empty.PAST_END
    if query.text:
        return Empty.FILTER
    sees_all = any(scope.may(right) for right in RIGHTS)
    return Empty.FIRST_RUN if sees_all else Empty.PERMISSION
