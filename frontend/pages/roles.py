"""The roles of a tenant, and the question of who may do what."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final
from urllib.parse import urlencode

from django.urls import reverse

from frontend.pages.members import member_url
from frontend.pages.tabs import tenant_tabs
from tenants.queries.explaining import TOKEN
from tenants.rights import RIGHTS

if TYPE_CHECKING:
    from accord_server.kit.paging import Batch
    from accord_server.kit.scope import Scope
    from frontend.pages.subject import TabLink
    from tenants.queries.explaining import Decision
    from tenants.records import BindingRecord, RoleRecord
    from tenants.rights import Right

PAGE_SIZE: Final = 50
MANAGE: Final = "role.manage"


@dataclass(frozen=True, slots=True)
class RoleItem:
    """One row of the list."""

    record: RoleRecord
    url: str


@dataclass(frozen=True, slots=True)
class RolesPage:
    """The list."""

    tabs: tuple[TabLink, ...]
    items: tuple[RoleItem, ...]
    can_manage: bool
    new_url: str
    access_url: str


@dataclass(frozen=True, slots=True)
class RightChoice:
    """One right, and whether the role has it."""

    right: Right
    is_held: bool


@dataclass(frozen=True, slots=True)
class RoleForm:
    """A role as it was typed."""

    name: str
    summary: str
    rights: frozenset[str]


@dataclass(frozen=True, slots=True)
class RolePage:
    """One role, or a new one: what it opens, and who holds it."""

    form: RoleForm
    is_new: bool
    is_ours: bool
    can_manage: bool
    revision: int
    rights: tuple[RightChoice, ...]
    holders: tuple[tuple[BindingRecord, str], ...]
    next_url: str
    url: str
    back_url: str
    error: str


@dataclass(frozen=True, slots=True)
class AccessForm:
    """The question: without a principal it is who may."""

    principal: str = ""
    action: str = ""
    object: str = ""


@dataclass(frozen=True, slots=True)
class AccessPage:
    """The question and its answers, each with where its principal is."""

    form: AccessForm
    rights: tuple[Right, ...]
    answers: tuple[tuple[Decision, str], ...]
    is_asked: bool
    next_url: str
    first_url: str
    url: str
    error: str


def roles_page(scope: Scope, roles: tuple[RoleRecord, ...]) -> RolesPage:
    """Make the list."""
    tenant = scope.tenant.slug
    return RolesPage(
        tabs=tenant_tabs(scope, "roles"),
        items=tuple(RoleItem(one, role_url(scope, one.name)) for one in roles),
        can_manage=scope.may(MANAGE),
        new_url=reverse("frontend:role-new", args=[tenant]),
        access_url=reverse("frontend:access", args=[tenant]),
    )


def role_page(
    scope: Scope, record: RoleRecord | None, form: RoleForm, held: Batch[BindingRecord] | None, *, error: str
) -> RolePage:
    """Make the page of a role; without one it is the form of a new one."""
    url = role_url(scope, record.name) if record else reverse("frontend:role-new", args=[scope.tenant.slug])
    after = held.after if held else None
    return RolePage(
        form=form,
        is_new=record is None,
        is_ours=record is not None and record.is_built_in,
        can_manage=scope.may(MANAGE) and not (record and record.is_built_in),
        revision=record.revision if record else 0,
        rights=tuple(RightChoice(one, name in form.rights) for name, one in RIGHTS.items()),
        holders=tuple((one, member_url(scope, one.principal)) for one in (held.rows if held else ())),
        next_url=_with(url, {"after": after}) if after else "",
        url=url,
        back_url=roles_url(scope),
        error=error,
    )


def access_page(
    scope: Scope, form: AccessForm, found: Batch[Decision], *, after: str, is_asked: bool, error: str
) -> AccessPage:
    """Make the page of the question."""
    url = reverse("frontend:access", args=[scope.tenant.slug])
    asked = {"action": form.action, "object": form.object}
    return AccessPage(
        form=form,
        rights=tuple(RIGHTS.values()),
        answers=tuple((one, _where(scope, one.principal)) for one in found.rows),
        is_asked=is_asked,
        next_url=_with(url, {**asked, "after": found.after}) if found.after else "",
        first_url=_with(url, asked) if after else "",
        url=url,
        error=error,
    )


def roles_url(scope: Scope) -> str:
    """Return the address of the list."""
    return reverse("frontend:roles", args=[scope.tenant.slug])


def role_url(scope: Scope, name: str) -> str:
    """Return the address of a role."""
    return reverse("frontend:role", args=[scope.tenant.slug, name])


def _where(scope: Scope, key: str) -> str:
    if key.startswith(TOKEN):
        return reverse("frontend:token", args=[scope.tenant.slug, key.removeprefix(TOKEN)])
    return member_url(scope, key)


def _with(url: str, query: dict[str, str]) -> str:
    return f"{url}?{urlencode(query)}"
