"""The people and service accounts of a tenant: the lists, and one of them with its roles."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final
from urllib.parse import urlencode

from django.urls import reverse

from frontend.pages.tabs import tenant_tabs

if TYPE_CHECKING:
    from collections.abc import Iterable

    from accord_server.kit.paging import Batch
    from accord_server.kit.scope import Scope
    from frontend.pages.subject import TabLink
    from tenants.records import (
        BindingRecord,
        InvitationRecord,
        Invited,
        NamespaceRecord,
        PrincipalRecord,
        RoleRecord,
    )

PAGE_SIZE: Final = 50
MANAGE: Final = "member.manage"
GIVE: Final = "role.manage"


@dataclass(frozen=True, slots=True)
class PrincipalItem:
    """One row of a list."""

    record: PrincipalRecord
    url: str


@dataclass(frozen=True, slots=True)
class MembersPage:
    """The lists; ``invited`` is a fresh invitation, whose secret is shown this once."""

    tabs: tuple[TabLink, ...]
    url: str
    members: tuple[PrincipalItem, ...]
    accounts: tuple[PrincipalItem, ...]
    invitations: tuple[InvitationRecord, ...]
    roles: tuple[str, ...]
    namespaces: tuple[str, ...]
    can_manage: bool
    can_give: bool
    first_url: str
    next_url: str
    more_accounts_url: str
    invited: Invited | None = None
    error: str = ""
    at: str = ""


@dataclass(frozen=True, slots=True)
class MemberPage:
    """A person or a service account, and what can be done with it."""

    record: PrincipalRecord
    is_account: bool
    is_self: bool
    bindings: tuple[BindingRecord, ...]
    has_more: bool
    sees_roles: bool
    roles: tuple[str, ...]
    namespaces: tuple[str, ...]
    can_manage: bool
    can_give: bool
    url: str
    back_url: str
    tokens_url: str
    issue_url: str
    error: str


@dataclass(frozen=True, slots=True)
class Found:
    """What the lists hold, and what can be given along."""

    members: Batch[PrincipalRecord]
    accounts: Batch[PrincipalRecord]
    invitations: Batch[InvitationRecord]
    roles: tuple[RoleRecord, ...]
    namespaces: tuple[NamespaceRecord, ...]


def members_page(scope: Scope, found: Found, *, after: str, accounts_after: str) -> MembersPage:
    """Make the lists."""
    url = members_url(scope)
    return MembersPage(
        tabs=tenant_tabs(scope, "members"),
        url=url,
        members=_items(scope, found.members.rows),
        accounts=_items(scope, found.accounts.rows),
        invitations=found.invitations.rows,
        roles=tuple(role.name for role in found.roles),
        namespaces=tuple(one.slug for one in found.namespaces),
        can_manage=scope.may(MANAGE),
        can_give=scope.may(GIVE),
        first_url=url if after or accounts_after else "",
        next_url=_with(url, {"after": found.members.after}) if found.members.after else "",
        more_accounts_url=_with(url, {"accounts": found.accounts.after}) if found.accounts.after else "",
    )


def member_page(
    scope: Scope,
    record: PrincipalRecord,
    bindings: Batch[BindingRecord] | None,
    choices: tuple[Iterable[RoleRecord], Iterable[NamespaceRecord]],
    *,
    error: str,
) -> MemberPage:
    """Make the page of one; without the right to see them, its roles are None."""
    roles, namespaces = choices
    tenant = scope.tenant.slug
    return MemberPage(
        record=record,
        is_account=record.key.startswith("service:"),
        is_self=record.key == scope.principal.key,
        bindings=() if bindings is None else bindings.rows,
        has_more=bindings is not None and bindings.after is not None,
        sees_roles=bindings is not None,
        roles=tuple(role.name for role in roles),
        namespaces=tuple(one.slug for one in namespaces),
        can_manage=scope.may(MANAGE),
        can_give=scope.may(GIVE),
        url=member_url(scope, record.key),
        back_url=members_url(scope),
        tokens_url=_with(reverse("frontend:tokens", args=[tenant]), {"owner": record.key}),
        issue_url=_with(reverse("frontend:token-new", args=[tenant]), {"owner": record.key}),
        error=error,
    )


def members_url(scope: Scope) -> str:
    """Return the address of the lists."""
    return reverse("frontend:members", args=[scope.tenant.slug])


def member_url(scope: Scope, key: str) -> str:
    """Return the address of a person or service account."""
    return reverse("frontend:member", args=[scope.tenant.slug, key])


def _items(scope: Scope, rows: Iterable[PrincipalRecord]) -> tuple[PrincipalItem, ...]:
    return tuple(PrincipalItem(record, member_url(scope, record.key)) for record in rows)


def _with(url: str, query: dict[str, str]) -> str:
    return f"{url}?{urlencode(query)}"
