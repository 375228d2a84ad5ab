"""Members and service accounts, and what their roles open."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from django.db.models import OuterRef, Q, Subquery

from accord_server.kit import tenancy
from accord_server.kit.paging import Batch, batch_of
from accord_server.kit.scope import PrincipalKind, Scope
from tenants.access import grants_of_bindings, require_everywhere, require_visible
from tenants.errors import NamespaceNotFound, PrincipalNotFound, SecondFactorMissing, TenantSuspended
from tenants.models import (
    CustomRole,
    Member,
    RoleBinding,
    ServiceAccount,
)
from tenants.principals import parse_key, principal_of
from tenants.queries.before_tenant import resolve_place
from tenants.queries.factors import has_second_factor
from tenants.records import (
    Binding,
    PrincipalRecord,
)

if TYPE_CHECKING:
    from django.contrib.auth.models import AnonymousUser, User

    from accord_server.kit.scope import Grant

RIGHT: Final = "member.read"
PEOPLE_STATES: Final = {"active": True, "suspended": False}


@dataclass(frozen=True, slots=True)
class WantedPeople:
    """Which members or service accounts are asked for: by a part of the name, in a state; empty for all."""

    words: str = ""
    state: str = ""


EVERYBODY: Final = WantedPeople()


def scope_for_user(user: User | AnonymousUser, tenant_slug: str, namespace_slug: str | None = None) -> Scope:
    """Return the scope of a signed-in person, and let the connection see that tenant.

    Raises:
        NamespaceNotFound: Tenant or namespace unknown, or none of this person's business.
        TenantSuspended: It is this person's business, and suspended.
        SecondFactorMissing: It asks its people for one, and this one has none.
    """
    place = resolve_place(tenant_slug, namespace_slug)
    if place is None or not user.is_active:
        raise NamespaceNotFound
    tenancy.activate(place.tenant.id)
    caller = principal_of(PrincipalKind.PERSON, user.get_username())
    bare = Scope(tenant=place.tenant, namespace=place.namespace, principal=caller)
    scope = replace(bare, grants=_grants_of_user(bare, user))
    if place.namespace is not None:
        require_visible(scope.grants, place.namespace.id)
    if not place.is_active:
        raise TenantSuspended(tenant_slug, caller=scope)
    if place.needs_second_factor and not has_second_factor(user):
        raise SecondFactorMissing(tenant_slug)
    return scope


def principals_of(scope: Scope) -> tuple[PrincipalRecord, ...]:
    """Return members and service accounts, by key.

    Raises:
        RightMissing: Without ``member.read``.
    """
    require_everywhere(scope, RIGHT)
    members = Member.objects.scoped(scope).filter(removed_at=None).select_related("user")
    accounts = ServiceAccount.objects.scoped(scope).filter(removed_at=None)
    found = [principal_record(row) for row in (*members, *accounts)]
    return tuple(sorted(found, key=lambda record: record.key))


def find_principal(scope: Scope, key: str) -> Member | ServiceAccount:
    """Return the row of a principal, for services of this room.

    Raises:
        PrincipalNotFound: No such member or service account in this tenant.
    """
    wanted = parse_key(key)
    found: Member | ServiceAccount | None = None
    if wanted is not None and wanted.kind is PrincipalKind.PERSON:
        members = Member.objects.scoped(scope).filter(removed_at=None).select_related("user")
        found = members.filter(user__username=wanted.name).first()
    elif wanted is not None and wanted.kind is PrincipalKind.SERVICE:
        found = ServiceAccount.objects.scoped(scope).filter(slug=wanted.name, removed_at=None).first()
    if found is None:
        raise PrincipalNotFound(key)
    return found


def grants_of_principal(scope: Scope, row: Member | ServiceAccount) -> tuple[Grant, ...]:
    """Return what a principal's roles open just now."""
    return grants_of_bindings(_bindings(scope, row))


def principal_record(row: Member | ServiceAccount) -> PrincipalRecord:
    """Turn a row into what other rooms see."""
    if isinstance(row, Member):
        who = principal_of(PrincipalKind.PERSON, row.user.get_username())
        is_active, more = row.is_active and row.user.is_active, {"email": row.user.email}
    else:
        who = principal_of(PrincipalKind.SERVICE, row.slug)
        is_active, more = row.is_active, {"description": row.description}
    when = {"created_at": row.created_at, "revision": row.revision}
    return PrincipalRecord(who.key, who.kind, who.name, is_active, **more, **when)  # type: ignore[arg-type]  # by name


def _grants_of_user(scope: Scope, user: User | AnonymousUser) -> tuple[Grant, ...]:
    member = Member.objects.scoped(scope).filter(user_id=user.pk, is_active=True).first()
    if member is None:
        raise NamespaceNotFound
    return grants_of_principal(scope, member)


def _bindings(scope: Scope, row: Member | ServiceAccount) -> list[Binding]:
    held = Q(member_id=row.pk) if isinstance(row, Member) else Q(service_account_id=row.pk)
    rows = RoleBinding.objects.scoped(scope).filter(held).order_by("id")
    return [binding_of(one) for one in rows.annotate(custom=rights_of_custom_roles(scope))]


def binding_of(row: RoleBinding) -> Binding:
    """Turn a row, annotated as ``custom`` with `rights_of_custom_roles`, into what decides."""
    custom = frozenset(getattr(row, "custom", None) or ())
    return Binding(row.role, row.namespace_id, row.subjects, custom)


def rights_of_custom_roles(scope: Scope) -> Subquery:
    """Return the rights of a binding's custom role as a column, so that no list needs a statement each."""
    named = CustomRole.objects.scoped(scope).filter(name=OuterRef("role"))
    return Subquery(named.values("rights")[:1])


def list_members(
    scope: Scope, *, wanted: WantedPeople = EVERYBODY, after: str = "", limit: int
) -> Batch[PrincipalRecord]:
    """Return the members by user name.

    Raises:
        RightMissing: Without ``member.read``.
    """
    require_everywhere(scope, RIGHT)
    rows = Member.objects.scoped(scope).filter(_fitting("user__username", wanted, after))
    found = rows.select_related("user").order_by("user__username")[: limit + 1]
    return batch_of(map(principal_record, found), limit, lambda record: record.name)


def list_accounts(
    scope: Scope, *, wanted: WantedPeople = EVERYBODY, after: str = "", limit: int
) -> Batch[PrincipalRecord]:
    """Return the service accounts by slug.

    Raises:
        RightMissing: Without ``member.read``.
    """
    require_everywhere(scope, RIGHT)
    rows = ServiceAccount.objects.scoped(scope).filter(_fitting("slug", wanted, after))
    return batch_of(map(principal_record, rows.order_by("slug")[: limit + 1]), limit, lambda one: one.name)


def _fitting(name: str, wanted: WantedPeople, after: str) -> Q:
    fits = Q(removed_at=None, **{f"{name}__gt": after, f"{name}__icontains": wanted.words})
    return fits & Q(is_active=PEOPLE_STATES[wanted.state]) if wanted.state else fits


def get_principal(scope: Scope, key: str) -> PrincipalRecord:
    """Return a member or a service account.

    Raises:
        RightMissing: Without ``member.read``.
        PrincipalNotFound: No such one in this tenant.
    """
    require_everywhere(scope, RIGHT)
    return principal_record(find_principal(scope, key))
