"""What a version refers to, and what refers to it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING
from urllib.parse import urlencode

from django.urls import NoReverseMatch, reverse

from accord.errors import InvalidSubject
from accord.naming import split_subject
from frontend.pages.choices import offer_versions
from frontend.pages.paging import make_pager
from frontend.pages.subjects import place_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from accord.model import Reference
    from accord_server.kit.scope import Scope
    from frontend.pages.choices import VersionChoice
    from frontend.pages.paging import Pager
    from frontend.pages.subject import SubjectHead
    from registry.records import Page, UserRow, VersionRecord


@dataclass(frozen=True, slots=True)
class ReferenceLink:
    """A reference and, where it can be made, the address of what it names."""

    reference: Reference
    url: str


@dataclass(frozen=True, slots=True)
class UserItem:
    """A version that refers to the one shown; a soft-deleted one has no page."""

    row: UserRow
    url: str


@dataclass(frozen=True, slots=True)
class ReferencesPage:
    """The whole page."""

    head: SubjectHead
    version: VersionRecord
    choice: VersionChoice
    references: tuple[ReferenceLink, ...]
    users: tuple[UserItem, ...]
    pager: Pager


def references_page(
    scope: Scope, head: SubjectHead, version: VersionRecord, users: Page[UserRow], *, numbers: Sequence[int]
) -> ReferencesPage:
    """Make the page of one version."""
    return ReferencesPage(
        head=head,
        version=version,
        choice=offer_versions(scope, head, numbers, version.number),
        references=tuple(reference_links(scope, version)),
        users=tuple(_user(scope, row) for row in users.rows),
        pager=make_pager(users, lambda page: "?" + urlencode({"v": version.number, "page": page})),
    )


def reference_links(scope: Scope, version: VersionRecord) -> Iterable[ReferenceLink]:
    """Yield what a version refers to; an unqualified subject is one of its own context."""
    for reference in version.schema.references:
        subject = split_subject(reference.subject, context=version.schema.context)
        try:
            url = reverse("frontend:definition", args=[*place_of(scope), subject])
        except (InvalidSubject, NoReverseMatch):
            yield ReferenceLink(reference, "")
        else:
            yield ReferenceLink(reference, f"{url}?v={reference.version}")


def _user(scope: Scope, row: UserRow) -> UserItem:
    url = reverse("frontend:definition", args=[*place_of(scope), row.subject])
    return UserItem(row, "" if row.is_deleted else f"{url}?v={row.number}")
